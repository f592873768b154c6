import type { ImportMessageEventsResponseJson } from "../gen/waybill/messagingdata/v1beta1/messaging_data_pb.js";
import { abortable } from "./abortable.js";
import { batchesOf } from "./batches.js";
import { WaybillError } from "./waybill-error.js";

/** Bytes of NDJSON, in pieces of any size. */
export type EventSource = AsyncIterable<Uint8Array> | Iterable<Uint8Array>;

/** What became of the events so far. */
export interface ImportProgress {
  readonly importedCount: number;
  readonly optedOutCount: number;
  /** Bytes of NDJSON that the server has acknowledged. */
  readonly bytes: number;
}

/** How events are sent. */
export interface ImportOptions {
  /** Bytes after which a request ends with its line; 16 MiB if it is left out. */
  readonly batchBytes?: number | undefined;
  /** Told after each acknowledged request. */
  readonly onProgress?: ((progress: ImportProgress) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Bytes of a request unless told otherwise. Larger ones make each failure dearer, smaller ones each success. */
const BATCH_BYTES = 16 * 1024 * 1024;

/**
 * Imports a stream of NDJSON events in requests of whole lines, which may be sent again: events that are stored already
 * change nothing.
 *
 * @param send makes one request.
 * @throws WaybillError naming the lines that are wrong by their number in the stream, or why there is no answer. What was
 * acknowledged before is stored.
 */
export async function importEvents(
  send: (events: Uint8Array) => Promise<ImportMessageEventsResponseJson>,
  events: EventSource,
  { batchBytes = BATCH_BYTES, onProgress = () => {}, signal }: ImportOptions,
): Promise<ImportProgress> {
  let progress: ImportProgress = { importedCount: 0, optedOutCount: 0, bytes: 0 };
  for await (const { bytes, firstLine } of readAhead(batchesOf(events, batchBytes), signal)) {
    const answer = await send(bytes).catch((error: unknown) => {
      throw error instanceof WaybillError ? withLinesOfStream(error, firstLine) : error;
    });
    progress = {
      importedCount: progress.importedCount + Number(answer.importedCount ?? 0),
      optedOutCount: progress.optedOutCount + Number(answer.optedOutCount ?? 0),
      bytes: progress.bytes + bytes.length,
    };
    onProgress(progress);
  }
  return progress;
}

/** Makes each item while the one before is in use. */
async function* readAhead<T>(items: AsyncGenerator<T>, signal: AbortSignal | undefined): AsyncGenerator<T> {
  let next = items.next();
  try {
    for (;;) {
      const { done, value } = await abortable(next, signal);
      if (done) return;
      next = items.next();
      // Whoever asks for it hears of its failure; until then it must not count as unhandled.
      next.catch(() => {});
      yield value;
    }
  } finally {
    // Not waited for: a source that has nothing to give yet would hold up the failure.
    items.return(undefined).catch(() => {});
  }
}

/** The same error with line numbers of the stream instead of the request, and the first violations as its message. */
function withLinesOfStream(error: WaybillError, firstLine: number): WaybillError {
  if (error.violations.length === 0) return error;
  const violations = error.violations.map(({ field, description }) => ({
    field: field.replace(/^lines\[(\d+)\]/, (_, line: string) => `lines[${Number(line) + firstLine - 1}]`),
    description,
  }));
  const lines = violations.map(
    ({ field, description }) => field.replace(/^lines\[(\d+)\]\.?/, "line $1: ") + description,
  );
  const more = lines.length > 10 ? [`and ${lines.length - 10} more`] : [];
  const message = [...lines.slice(0, 10), ...more].join("\n");
  return new WaybillError({ ...error, message, violations, cause: error });
}
