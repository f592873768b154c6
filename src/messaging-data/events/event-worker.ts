import { constants, getPriority, setPriority } from "node:os";
import { parentPort, workerData } from "node:worker_threads";
import { memoryOf } from "../../limits/byte-buffers.js";
import type { FromWorker, ToWorker } from "./event-worker-pool.js";
import { parseSegment } from "./parse-segment.js";

if (parentPort === null) throw new Error("this module must run in a worker thread");
const port = parentPort;
const { maxLineBytes } = workerData as { maxLineBytes: number };

/** Difference to the main thread's nice value: a third of its share of a busy core. */
const NICER_BY = 5;

lowerPriority();

port.on("message", ({ id, segment, days }: ToWorker) => {
  const events = parseSegment(segment, maxLineBytes, days);
  port.postMessage({ id, events } satisfies FromWorker, memoryOf(events.block, events.events));
});

/** Lets the operating system prefer the main thread, which sends responses, when all cores are busy. */
function lowerPriority(): void {
  // On other systems, the whole process would get the priority.
  if (process.platform !== "linux") return;
  try {
    setPriority(Math.min(getPriority() + NICER_BY, constants.priority.PRIORITY_LOW));
  } catch {
    // A sandbox may forbid it. Imports work without it, too.
  }
}
