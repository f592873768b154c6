import { parentPort, workerData } from "node:worker_threads";
import type { EventBlock } from "../../store/event-block.js";
import { EventParser } from "./event-parser.js";
import type { FromWorker, ToWorker } from "./event-worker-pool.js";

if (parentPort === null) throw new Error("this module runs in a worker thread");
const port = parentPort;
const { maxLineBytes } = workerData as { maxLineBytes: number };

port.on("message", ({ id, segment, days }: ToWorker) => {
  const parser = new EventParser(maxLineBytes, days);
  parser.push(segment);
  const events = parser.finish();
  port.postMessage({ id, events } satisfies FromWorker, columnsOf(events.block));
});

/** Returns the memory of a block's columns, to be transferred to the main thread instead of copied. */
function columnsOf(block: EventBlock): ArrayBuffer[] {
  return Object.values(block).flatMap((column: unknown) =>
    ArrayBuffer.isView(column) && column.buffer instanceof ArrayBuffer ? [column.buffer] : [],
  );
}
