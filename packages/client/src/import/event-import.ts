import type { CallOptions } from "../calls/call.js";
import type { ImportMessageEventsResponseJson } from "../gen/waybill/messagingdata/v1beta1/messaging_data_pb.js";
import { abortable } from "../support/waiting.js";
import { WaybillError } from "../waybill-error.js";
import { type Batch, batchesOf } from "./batches.js";
import { fieldViolation, type InvalidLine, type LineViolation, lineViolation } from "./line-violation.js";

/** NDJSON as chunks of bytes of any size. A chunk may change when the next one is requested. */
export type EventSource = AsyncIterable<Uint8Array> | Iterable<Uint8Array>;

/** Counts of an import, in progress or complete. */
export interface ImportProgress {
  /** Number of stored events. */
  readonly importedCount: number;
  /** Number of events that were not stored because their device has not opted in to usage reporting. */
  readonly optedOutCount: number;
  /** Number of events that were not stored because their day is older than the server's retention. */
  readonly tooLateCount: number;
  /** Number of skipped invalid lines; 0 without `skipInvalid`. */
  readonly invalidCount: number;
  /** The first 100 violations in skipped lines, with line numbers in `events`. */
  readonly invalidLines: readonly InvalidLine[];
  /** Number of NDJSON bytes that the server has acknowledged. */
  readonly bytes: number;
}

/** Options of an import. */
export interface ImportOptions extends CallOptions {
  /** Minimum request size, in bytes; 16 MiB by default. A request ends with the line that reaches this size. */
  readonly batchBytes?: number | undefined;
  /** True to skip invalid lines. By default, a request with an invalid line is rejected. */
  readonly skipInvalid?: boolean | undefined;
  /** Called after each acknowledged request. */
  readonly onProgress?: ((progress: ImportProgress) => void) | undefined;
}

/** Request to import events. */
export interface ImportEventsOptions extends ImportOptions {
  /** Id or number of the project. */
  readonly project: string;
  /** NDJSON with one event per line. */
  readonly events: EventSource;
}

/** Default request size, in bytes. A larger request costs more to repeat, and a smaller one costs the store more. */
const BATCH_BYTES = 16 * 1024 * 1024;

const NOTHING: ImportProgress = {
  importedCount: 0,
  optedOutCount: 0,
  tooLateCount: 0,
  invalidCount: 0,
  invalidLines: [],
  bytes: 0,
};

/** Maximum number of reported violations of skipped lines. */
const MAX_INVALID_LINES = 100;

/** Number of concurrent requests, so that the server can receive one and parse another while it stores the third. */
const MAX_REQUESTS = 3;

/**
 * Imports a stream of NDJSON events in requests of whole lines. Requests may be repeated, because importing an event
 * again changes nothing.
 *
 * @param send sends one request.
 * @throws WaybillError with the stream's line numbers of invalid lines, or with the reason why a response is missing.
 * Events of acknowledged requests are stored. Events of the failed request may be stored.
 */
export async function importEvents(
  send: (events: Uint8Array<ArrayBuffer>) => Promise<ImportMessageEventsResponseJson>,
  events: EventSource,
  { batchBytes = BATCH_BYTES, onProgress = () => {}, signal }: ImportOptions,
): Promise<ImportProgress> {
  let progress = NOTHING;
  const free: ArrayBuffer[] = [];
  const sent: Promise<ImportProgress>[] = [];
  const oldestResult = async (): Promise<void> => {
    const [oldest] = sent;
    if (oldest === undefined) return;
    progress = sumOf(progress, await oldest);
    sent.shift();
    onProgress(progress);
  };
  try {
    for await (const batch of untilAborted(batchesOf(events, batchBytes, free), signal)) {
      const result = sendBatch(send, batch).then((sum) => {
        free.push(batch.bytes.buffer);
        return sum;
      });
      // The failure is reported when its result is due. Until then, the rejection must not count as unhandled.
      result.catch(() => {});
      sent.push(result);
      if (sent.length === MAX_REQUESTS) await oldestResult();
    }
    while (sent.length > 0) await oldestResult();
    return progress;
  } finally {
    await Promise.allSettled(sent);
  }
}

async function sendBatch(
  send: (events: Uint8Array<ArrayBuffer>) => Promise<ImportMessageEventsResponseJson>,
  { bytes, firstLine }: Batch,
): Promise<ImportProgress> {
  const response = await send(bytes).catch((error: unknown) => {
    throw error instanceof WaybillError ? withLinesOfStream(error, firstLine) : error;
  });
  return {
    importedCount: numberIn(response.importedCount),
    optedOutCount: numberIn(response.optedOutCount),
    tooLateCount: numberIn(response.tooLateCount),
    invalidCount: numberIn(response.invalidCount),
    invalidLines: (response.invalidLines ?? []).map(({ line = 1, field = "", description = "" }) => ({
      line: line + firstLine - 1,
      field,
      description,
    })),
    bytes: bytes.length,
  };
}

const sumOf = (a: ImportProgress, b: ImportProgress): ImportProgress => ({
  importedCount: a.importedCount + b.importedCount,
  optedOutCount: a.optedOutCount + b.optedOutCount,
  tooLateCount: a.tooLateCount + b.tooLateCount,
  invalidCount: a.invalidCount + b.invalidCount,
  invalidLines: [...a.invalidLines, ...b.invalidLines].slice(0, MAX_INVALID_LINES),
  bytes: a.bytes + b.bytes,
});

/** Yields items until the signal aborts, even while it waits for the next item. */
async function* untilAborted<T>(
  items: AsyncGenerator<T>,
  signal: AbortSignal | undefined,
): AsyncGenerator<T> {
  try {
    for (;;) {
      const { done, value } = await abortable(items.next(), signal);
      if (done) return;
      yield value;
    }
  } finally {
    // The loop does not wait for the source to close: a source without data would delay the error.
    items.return(undefined).catch(() => {});
  }
}

/** Maximum number of violations in an error message. */
const MAX_SHOWN_VIOLATIONS = 10;

/** Returns the error with line numbers in the stream instead of the request. Its message lists the first violations. */
function withLinesOfStream(error: WaybillError, firstLine: number): WaybillError {
  if (error.violations.length === 0) return error;
  const found = error.violations.map((violation) => inStream(lineViolation(violation), firstLine));
  const shown = found.slice(0, MAX_SHOWN_VIOLATIONS).map(textOf);
  const more = found.length > shown.length ? [`and ${found.length - shown.length} more`] : [];
  const message = [...shown, ...more].join("\n");
  const { field, description = "" } = error.metadata;
  const first = field === undefined ? undefined : inStream(lineViolation({ field, description }), firstLine);
  const metadata = { ...error.metadata, ...(first && fieldViolation(first)) };
  const violations = found.map(fieldViolation);
  return new WaybillError({ ...error, message, metadata, violations, cause: error });
}

function inStream(violation: LineViolation, firstLine: number): LineViolation {
  const { line } = violation;
  return line === undefined ? violation : { ...violation, line: line + firstLine - 1 };
}

function textOf({ line, field, description }: LineViolation): string {
  const place = line === undefined ? "" : `line ${line}: `;
  return place + [field, description].filter((text) => text !== "").join(" ");
}

/** Reads a count. ProtoJSON omits zeros. */
const numberIn = (count: number | string | undefined): number => Number(count ?? 0);
