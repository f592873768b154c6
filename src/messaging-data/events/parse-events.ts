import type { Readable } from "node:stream";
import { ApiError } from "../../api/api-error.js";
import { requestTimeout } from "../../api/errors.js";
import { Code } from "../../gen/google/rpc/code_pb.js";
import { ByteCollector, bytesIn, freeMemory, memoryOf } from "../../limits/byte-buffers.js";
import { MAX_VIOLATIONS } from "../../limits/request-limits.js";
import type { ProjectNumber } from "../../model/names.js";
import { eventsByDay } from "../../store/state-block.js";
import type { LineViolation } from "./event-line.js";
import type { EventLines } from "./event-scanner.js";
import type { AcceptedRange } from "./event-time.js";
import type { EventWorkerPool, TransferableSegment } from "./event-worker-pool.js";
import type { ParsedSegment } from "./parse-segment.js";

const NEWLINE = 0x0a;

/**
 * Size of a segment, in bytes. It is large enough to make transfers cheap, and small enough to spread an import over
 * all workers.
 */
const SEGMENT_BYTES = 512 * 1024;

/** Minimum size of a chunk that is transferred to a worker. Smaller ones are cheaper to copy. */
const TRANSFERRED_BYTES = 16 * 1024;

/** Minimum rate at which a body must arrive. */
export interface MinRate {
  /** Minimum number of bytes in {@link milliseconds}. */
  readonly bytes: number;
  readonly milliseconds: number;
}

/**
 * Yields a body's chunks. The time is measured only while the server waits for a chunk.
 *
 * @throws ApiError `REQUEST_TOO_LARGE` at the chunk that exceeds `maxBytes`; `REQUEST_TIMEOUT` if the body arrives too
 * slowly.
 */
export async function* limitedBody(
  body: Readable,
  maxBytes: number,
  { bytes, milliseconds }: MinRate,
): AsyncGenerator<Buffer> {
  let total = 0;
  let arrived = 0;
  let left = milliseconds;
  let waitingSince = 0;
  let timer: NodeJS.Timeout | undefined;
  const wait = (): void => {
    waitingSince = performance.now();
    timer = setTimeout(check, left);
  };
  const check = (): void => {
    if (arrived < bytes) {
      body.destroy(requestTimeout());
      return;
    }
    arrived = 0;
    left = milliseconds;
    wait();
  };
  try {
    wait();
    for await (const chunk of body as AsyncIterable<Buffer>) {
      clearTimeout(timer);
      left = Math.max(0, left - (performance.now() - waitingSince));
      arrived += chunk.length;
      total += chunk.length;
      if (total > maxBytes) throw tooLarge(maxBytes);
      yield chunk;
      wait();
    }
  } finally {
    clearTimeout(timer);
  }
}

function tooLarge(maxBytes: number): ApiError {
  return new ApiError({
    code: Code.INVALID_ARGUMENT,
    httpStatus: 413,
    reason: "REQUEST_TOO_LARGE",
    message: `The events of one request may have at most ${maxBytes} bytes after decompression: send them in several requests.`,
    metadata: { maxBytes: String(maxBytes) },
  });
}

/**
 * Divides a body into segments of complete lines. A line that exceeds `maxLineBytes` is cut to a length that still
 * exceeds it.
 *
 * @param body chunks with arbitrary boundaries. Segments use the memory of large chunks, unless it has other content.
 *   Such chunks become empty when the segment is parsed.
 */
export async function* lineSegments(
  body: AsyncIterable<Buffer>,
  maxLineBytes: number,
  segmentBytes = SEGMENT_BYTES,
): AsyncGenerator<TransferableSegment> {
  let pieces = new TransferablePieces();
  /** Number of bytes in the last line so far. This line is incomplete. */
  let open = 0;
  for await (const chunk of body) {
    const end = chunk.lastIndexOf(NEWLINE) + 1;
    if (end > 0 && pieces.size + end >= segmentBytes) {
      const rest = Buffer.from(chunk.subarray(end));
      pieces.add(chunk, end);
      yield pieces.take();
      pieces = new TransferablePieces();
      pieces.add(rest);
      open = rest.length;
    } else if (end > 0) {
      pieces.add(chunk);
      open = chunk.length - end;
    } else if (open < maxLineBytes + 2) {
      // The two additional bytes are for a line break. More bytes are not needed to reject the line.
      const piece = chunk.subarray(0, maxLineBytes + 2 - open);
      pieces.add(piece);
      open += piece.length;
    }
  }
  if (pieces.size > 0) yield pieces.take();
}

/** Collects a segment's pieces. */
class TransferablePieces {
  readonly #pieces: Uint8Array<ArrayBuffer>[] = [];
  /** Chunks that will be copied, in one piece, because they are small or their memory has other content. */
  #copied = new ByteCollector();
  #size = 0;

  /** Number of bytes so far. */
  get size(): number {
    return this.#size;
  }

  /** Adds the first `length` bytes of a chunk. */
  add(chunk: Buffer, length = chunk.length): void {
    this.#size += length;
    const { buffer } = chunk;
    if (
      chunk.length >= TRANSFERRED_BYTES &&
      chunk.length === buffer.byteLength &&
      buffer instanceof ArrayBuffer
    ) {
      this.#copy();
      this.#pieces.push(new Uint8Array(buffer, 0, length));
    } else {
      this.#copied.add(chunk.subarray(0, length));
    }
  }

  /** Returns all pieces. No piece may be added afterwards. */
  take(): TransferableSegment {
    this.#copy();
    return this.#pieces;
  }

  #copy(): void {
    if (this.#copied.size === 0) return;
    this.#pieces.push(new Uint8Array(this.#copied.bytes()));
    this.#copied = new ByteCollector();
  }
}

/** Parses segments. All imports share it. */
export type SegmentParser = Pick<EventWorkerPool, "maxLineBytes" | "capacity" | "parse">;

/** Limits and rules for parsing an import. */
export interface ImportTerms {
  readonly project: ProjectNumber;
  readonly days: AcceptedRange;
  /**
   * Called with the size of each segment before the segment is parsed, and again with the memory that its
   * {@link EventLines} use, in bytes. If it throws an error, the import ends.
   */
  readonly admit: (bytes: number) => void;
}

export interface ParsedImport extends Omit<ParsedSegment, "block" | "events"> {
  /** Events of the valid lines. There is one part for each segment. */
  readonly parts: readonly Pick<ParsedSegment, "block" | "events" | "lines">[];
  /** Number of distinct days on which the events occurred. */
  readonly days: number;
}

/**
 * Parses a body on all workers while it arrives. Reads only as fast as the workers can parse.
 *
 * @throws errors of `body` and `admit`; the abort reason of the signal, before the next segment.
 */
export async function parseEvents(
  body: AsyncIterable<Buffer>,
  pool: SegmentParser,
  { project, days, admit }: ImportTerms,
  signal: AbortSignal,
): Promise<ParsedImport> {
  const parsing: Promise<ParsedSegment>[] = [];
  for await (const segment of lineSegments(body, pool.maxLineBytes)) {
    signal.throwIfAborted();
    admit(bytesIn(segment));
    const segmentParsed = pool.parse(project, segment, days, signal).then((parsed) => {
      admit(sizeOf(parsed.events));
      return parsed;
    });
    // The code below handles a failure when it awaits the promise. Until then, the rejection must not count as
    // unhandled.
    segmentParsed.catch(() => {});
    parsing.push(segmentParsed);
    await parsing.at(-pool.capacity);
  }
  return merge(await Promise.all(parsing));
}

/** Frees an import's columns. Nothing may use them afterwards. */
export function freeColumns({ parts }: ParsedImport): void {
  // Node.js compares all memory that is freed together, so freeing all parts together would need quadratic time.
  for (const { block, events } of parts) freeMemory(memoryOf(block, events));
}

const sizeOf = ({ app, label, day, line }: EventLines): number =>
  app.byteLength + label.byteLength + day.byteLength + line.byteLength;

function merge(parts: readonly ParsedSegment[]): ParsedImport {
  const violations: LineViolation[] = [];
  let lines = 0;
  let invalidLines = 0;
  let optedOut = 0;
  for (const part of parts) {
    for (const violation of part.violations.slice(0, MAX_VIOLATIONS - violations.length)) {
      violations.push({ ...violation, line: violation.line + lines });
    }
    lines += part.lines;
    invalidLines += part.invalidLines;
    optedOut += part.optedOut;
  }
  return {
    parts: parts.map(({ block, events, lines }) => ({ block, events, lines })),
    days: eventsByDay(parts.map(({ block }) => block)).size,
    optedOut,
    violations,
    invalidLines,
    lines,
  };
}
