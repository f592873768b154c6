import type { CallOptions } from "../calls/call.js";
import type { ImportMessageEventsResponseJson } from "../gen/waybill/messagingdata/v1beta1/messaging_data_pb.js";
import { abortable } from "../support/waiting.js";
import { WaybillError } from "../waybill-error.js";
import { type Batch, batchesOf } from "./batches.js";
import { fieldViolation, type InvalidLine, type LineViolation, lineViolation } from "./line-violation.js";

/** Bytes of NDJSON, in chunks of any size. */
export type EventSource = AsyncIterable<Uint8Array> | Iterable<Uint8Array>;

/** Result of an import so far. */
export interface ImportProgress {
  readonly importedCount: number;
  readonly optedOutCount: number;
  /** Events that were not stored because their day is older than the server's retention. */
  readonly tooLateCount: number;
  /** Lines that were skipped because they are invalid; 0 without `skipInvalid`. */
  readonly invalidCount: number;
  /** The first 100 violations of skipped lines, with the numbers of the lines in `events`. */
  readonly invalidLines: readonly InvalidLine[];
  /** Bytes of NDJSON that the server has acknowledged. */
  readonly bytes: number;
}

/** Options of an import. */
export interface ImportOptions extends CallOptions {
  /** Size after which a request ends with its current line, in bytes; 24 MiB by default. */
  readonly batchBytes?: number | undefined;
  /** Stores the valid lines and skips invalid ones, instead of rejecting requests that have some. */
  readonly skipInvalid?: boolean | undefined;
  /** Called after each acknowledged request. */
  readonly onProgress?: ((progress: ImportProgress) => void) | undefined;
}

/** Events to import. */
export interface ImportEventsOptions extends ImportOptions {
  /** Id or number of the project that sent the messages. */
  readonly project: string;
  /** One JSON event per line. */
  readonly events: EventSource;
}

/**
 * Default size of a request, in bytes. Larger requests make failures more expensive; smaller ones add
 * overhead: the embedded engine writes 122,880 rows or more, events of 200 bytes, straight into its main
 * file, and fewer into its log first.
 */
const BATCH_BYTES = 24 * 1024 * 1024;

const NOTHING: ImportProgress = {
  importedCount: 0,
  optedOutCount: 0,
  tooLateCount: 0,
  invalidCount: 0,
  invalidLines: [],
  bytes: 0,
};

/** Maximum number of violations of skipped lines that are kept. */
const MAX_INVALID_LINES = 100;

/**
 * Number of requests that are under way at a time: the server takes in the events of one while it stores
 * those of the other.
 */
const MAX_REQUESTS = 2;

/**
 * Imports a stream of NDJSON events in requests of whole lines. Requests may be repeated, because importing
 * an event again changes nothing.
 *
 * @param send Sends one request.
 * @throws WaybillError with the numbers of the invalid lines in the stream, or the reason for a missing
 *   answer. Events that were acknowledged before are stored, and those of one further request may be.
 */
export async function importEvents(
  send: (events: Uint8Array<ArrayBuffer>) => Promise<ImportMessageEventsResponseJson>,
  events: EventSource,
  { batchBytes = BATCH_BYTES, onProgress = () => {}, signal }: ImportOptions,
): Promise<ImportProgress> {
  let progress = NOTHING;
  const sent: Promise<ImportProgress>[] = [];
  const oldestAnswer = async (): Promise<void> => {
    const imported = await sent[0];
    sent.shift();
    if (imported === undefined) return;
    progress = sumOf(progress, imported);
    onProgress(progress);
  };
  try {
    for await (const batch of untilAborted(batchesOf(events, batchBytes), signal)) {
      const answer = sendBatch(send, batch);
      // Reported in its turn; until then, the rejection must not count as unhandled.
      answer.catch(() => {});
      sent.push(answer);
      if (sent.length === MAX_REQUESTS) await oldestAnswer();
    }
    while (sent.length > 0) await oldestAnswer();
    return progress;
  } finally {
    await Promise.allSettled(sent);
  }
}

async function sendBatch(
  send: (events: Uint8Array<ArrayBuffer>) => Promise<ImportMessageEventsResponseJson>,
  { bytes, firstLine }: Batch,
): Promise<ImportProgress> {
  const answer = await send(bytes).catch((error: unknown) => {
    throw error instanceof WaybillError ? withLinesOfStream(error, firstLine) : error;
  });
  return {
    importedCount: Number(answer.importedCount ?? 0),
    optedOutCount: Number(answer.optedOutCount ?? 0),
    tooLateCount: Number(answer.tooLateCount ?? 0),
    invalidCount: Number(answer.invalidCount ?? 0),
    invalidLines: (answer.invalidLines ?? []).map(({ line = 1, field = "", description = "" }) => ({
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

/** Produces the items until the signal aborts, even while the next one is awaited. */
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
    // Not awaited: a source without data would delay the failure.
    items.return(undefined).catch(() => {});
  }
}

/** Most lines of violations in the message of an error. */
const MAX_SHOWN_VIOLATIONS = 10;

/**
 * Returns the error with line numbers of the stream instead of the request, and its first violations as the
 * message.
 */
function withLinesOfStream(error: WaybillError, firstLine: number): WaybillError {
  if (error.violations.length === 0) return error;
  const found = error.violations.map((violation) => inStream(lineViolation(violation), firstLine));
  const shown = found.slice(0, MAX_SHOWN_VIOLATIONS).map(textOf);
  const more = found.length > shown.length ? [`and ${found.length - shown.length} more`] : [];
  const message = [...shown, ...more].join("\n");
  return new WaybillError({ ...error, message, violations: found.map(fieldViolation), cause: error });
}

function inStream(violation: LineViolation, firstLine: number): LineViolation {
  const { line } = violation;
  return line === undefined ? violation : { ...violation, line: line + firstLine - 1 };
}

function textOf({ line, field, description }: LineViolation): string {
  const place = line === undefined ? "" : `line ${line}: `;
  return place + [field, description].filter((text) => text !== "").join(" ");
}
