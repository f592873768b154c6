import { MAX_VIOLATIONS } from "../../limits/request-limits.js";
import { type LineViolation, readEventLine } from "./event-line.js";
import { EventScanner, MIN_EVENT_BYTES, type ScannedEvents, type Segment } from "./event-scanner.js";
import type { AcceptedRange } from "./event-time.js";

const NEWLINE = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const TAB = 0x09;
const SPACE = 0x20;

export interface ParsedSegment extends ScannedEvents {
  /** The first violations, at most {@link MAX_VIOLATIONS}. */
  readonly violations: readonly LineViolation[];
  readonly invalidLines: number;
}

/** Keeps its memory for the next segment. */
const scanner = new EventScanner();

/**
 * Parses NDJSON events, and merges them.
 *
 * @param maxLineBytes maximum size of a line in bytes, without its line break.
 */
export function parseSegment(segment: Segment, maxLineBytes: number, days: AcceptedRange): ParsedSegment {
  const violations: LineViolation[] = [];
  let invalidLines = 0;
  const report = (found: readonly LineViolation[]): void => {
    invalidLines++;
    violations.push(...found.slice(0, MAX_VIOLATIONS - violations.length));
  };
  const bytes = scanner.open(segment, maxLineBytes, days);
  for (let start = scanner.scan(0); start < bytes.length; ) {
    const lineEnd = endOfLine(bytes, start);
    // A carriage return before the line feed is part of the line break.
    const end = lineEnd > start && bytes[lineEnd - 1] === CARRIAGE_RETURN ? lineEnd - 1 : lineEnd;
    const lineNumber = scanner.countLine();
    const line = bytes.subarray(start, end);
    if (line.length > maxLineBytes) {
      report([{ line: lineNumber, field: "", description: `is longer than ${maxLineBytes} bytes` }]);
    } else if (!line.every(isWhiteSpace)) {
      const found: LineViolation[] = [];
      // After many violations, invalid lines are only counted. Otherwise, a compressed request with millions of them
      // would keep the parser busy for minutes.
      const isCounted = line.length < MIN_EVENT_BYTES && violations.length === MAX_VIOLATIONS;
      const event = isCounted ? undefined : readEventLine(line, lineNumber, days, found);
      if (event === undefined) report(found);
      else scanner.add(event);
    }
    start = scanner.scan(lineEnd + 1);
  }
  return { ...scanner.take(), violations, invalidLines };
}

/** Returns the next line feed's index, or the number of bytes if there is none. */
function endOfLine(bytes: Buffer, start: number): number {
  const lineFeed = bytes.indexOf(NEWLINE, start);
  return lineFeed < 0 ? bytes.length : lineFeed;
}

function isWhiteSpace(byte: number): boolean {
  return byte === SPACE || byte === TAB || byte === CARRIAGE_RETURN;
}
