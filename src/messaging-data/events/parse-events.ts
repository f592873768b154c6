import { MAX_VIOLATIONS } from "../../limits/limits.js";
import { eventsByDay } from "../../store/state-block.js";
import type { LineViolation } from "./event-line.js";
import type { DayRange } from "./event-time.js";
import type { EventWorkerPool } from "./event-worker-pool.js";
import type { EventLines, ParsedSegment } from "./parse-segment.js";

const NEWLINE = 0x0a;

/**
 * Segment size in bytes: large enough for cheap transfers, small enough to spread an import over the workers.
 */
const SEGMENT_BYTES = 512 * 1024;

/**
 * Joins chunks with arbitrary boundaries into segments of complete lines, each in its own memory. Truncates a line longer
 * than `maxLineBytes` so that it is still too long.
 */
export async function* lineSegments(
  body: AsyncIterable<Buffer>,
  maxLineBytes: number,
  segmentBytes = SEGMENT_BYTES,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  let pieces: Buffer[] = [];
  let size = 0;
  /** Number of bytes of the last line, which is incomplete. */
  let open = 0;
  const add = (piece: Buffer): void => {
    pieces.push(piece);
    size += piece.length;
  };
  const take = (): Uint8Array<ArrayBuffer> => {
    const segment = new Uint8Array(size);
    let at = 0;
    for (const piece of pieces) {
      segment.set(piece, at);
      at += piece.length;
    }
    pieces = [];
    size = 0;
    return segment;
  };
  for await (const chunk of body) {
    const end = chunk.lastIndexOf(NEWLINE) + 1;
    if (end > 0 && size + end >= segmentBytes) {
      add(chunk.subarray(0, end));
      yield take();
      add(chunk.subarray(end));
      open = chunk.length - end;
    } else if (end > 0) {
      add(chunk);
      open = chunk.length - end;
    } else if (open < maxLineBytes + 2) {
      // The two extra bytes are for a line break. Further bytes are not needed to reject the line.
      const piece = chunk.subarray(0, maxLineBytes + 2 - open);
      add(piece);
      open += piece.length;
    }
  }
  if (size > 0) yield take();
}

/** Parser of segments, shared by all imports. */
export type SegmentParser = Pick<EventWorkerPool, "maxLineBytes" | "capacity" | "parse">;

/** Conditions for parsing an import. */
export interface ImportTerms {
  /** Project number, in decimal. */
  readonly project: string;
  /** Accepted days. */
  readonly days: DayRange;
  /**
   * Called with the size of each segment before it is parsed, and again with the memory that its {@link EventLines}
   * use, in bytes. An error that it throws ends the import.
   */
  readonly admit: (bytes: number) => void;
}

/** Result of parsing a whole import. */
export interface ParsedImport extends Omit<ParsedSegment, "block" | "events"> {
  /** Events of the valid lines, by segment. */
  readonly parts: readonly Pick<ParsedSegment, "block" | "events" | "lines">[];
  /** Number of distinct days among the events. */
  readonly days: number;
}

/**
 * Parses a body as it arrives, on all workers, with backpressure.
 *
 * @throws errors of `body` and `admit`, and the signal's reason at the first segment after an abort.
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
    admit(segment.length);
    const segmentParsed = pool.parse(project, segment, days, signal).then((parsed) => {
      admit(sizeOf(parsed.events));
      return parsed;
    });
    // The code below receives a failure when it awaits the promise. Until then, the rejection must not count as unhandled.
    segmentParsed.catch(() => {});
    parsing.push(segmentParsed);
    await parsing.at(-pool.capacity);
  }
  return merge(await Promise.all(parsing));
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
