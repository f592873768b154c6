import { parentPort, workerData } from "node:worker_threads";
import type { StateBlock } from "../../store/state-block.js";
import type { FromWorker, ToWorker } from "./event-worker-pool.js";
import { parseSegment } from "./parse-segment.js";

if (parentPort === null) throw new Error("this module runs in a worker thread");
const port = parentPort;
const { maxLineBytes } = workerData as { maxLineBytes: number };

port.on("message", ({ id, segment, days }: ToWorker) => {
  const events = parseSegment(segment, maxLineBytes, days);
  port.postMessage({ id, events } satisfies FromWorker, columnsOf(events.block));
});

/** Returns the memory of a block's columns, to be transferred to the main thread instead of copied. */
function columnsOf(block: StateBlock): ArrayBuffer[] {
  return Object.values(block).flatMap((column: unknown) =>
    ArrayBuffer.isView(column) && column.buffer instanceof ArrayBuffer ? [column.buffer] : [],
  );
}
