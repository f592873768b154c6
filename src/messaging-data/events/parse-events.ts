import { MAX_VIOLATIONS } from "../../limits/limits.js";
import { eventsByDay } from "../../store/state-block.js";
import type { DayRange } from "./accepted-days.js";
import type { LineViolation } from "./event-line.js";
import type { EventWorkerPool } from "./event-worker-pool.js";
import { lineSegments } from "./line-segments.js";
import type { EventLines, ParsedSegment } from "./parse-segment.js";

/** Parser of segments, shared by all imports. */
export type SegmentParser = Pick<EventWorkerPool, "maxLineBytes" | "capacity" | "parse">;

/** Conditions for the parsing of an import. */
export interface ImportTerms {
  /** Project number, in decimal. */
  readonly project: string;
  /** Days whose events are accepted. */
  readonly days: DayRange;
  /**
   * Called with the size of each segment before it is parsed, and then with that of what is kept beside its merged
   * events, in bytes; an error that it throws ends the import.
   */
  readonly admit: (bytes: number) => void;
}

/** Result of parsing a whole import. */
export interface ParsedImport extends Omit<ParsedSegment, "block" | "events"> {
  /** The events of the valid lines, by segments. */
  readonly parts: readonly Pick<ParsedSegment, "block" | "events" | "lines">[];
  /** Number of distinct days among the events. */
  readonly days: number;
}

/**
 * Parses a body as it arrives, on all workers, no faster than they can follow.
 *
 * @throws errors of `body` and `admit`, or the reason of `signal` at the next segment after it has aborted.
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
    // The code that awaits it below receives a failure; until then it must not count as unhandled.
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
