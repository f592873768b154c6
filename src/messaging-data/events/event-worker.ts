import { parentPort } from "node:worker_threads";
import type { EventBlock } from "../../store/event-block.js";
import { EventParser } from "./event-parser.js";
import type { ToWorker } from "./event-worker-pool.js";

if (parentPort === null) throw new Error("this module runs in a worker thread");
const port = parentPort;

const parsers = new Map<number, EventParser>();

port.on("message", (message: ToWorker) => {
  const { id } = message;
  switch (message.type) {
    case "open":
      parsers.set(id, new EventParser(message.maxLineBytes));
      break;
    case "segment":
      parsers.get(id)?.push(message.bytes);
      port.postMessage({ id, type: "consumed" });
      break;
    case "finish": {
      const events = parsers.get(id)?.finish();
      parsers.delete(id);
      if (events !== undefined) {
        port.postMessage({ id, type: "parsed", events }, columnsOf(events.block));
      }
      break;
    }
    case "discard":
      parsers.delete(id);
      break;
  }
});

/** The memory of a block's columns, which moves to the main thread instead of being copied. */
function columnsOf(block: EventBlock): ArrayBuffer[] {
  return Object.values(block).flatMap((column: unknown) =>
    ArrayBuffer.isView(column) && column.buffer instanceof ArrayBuffer ? [column.buffer] : [],
  );
}
