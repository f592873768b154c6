import type { StateBlock } from "../../store/state-block.js";
import { mergeEvents } from "../../store/state-merger.js";
import type { DayRange } from "./accepted-days.js";
import { EventParser, type ParsedEvents } from "./event-parser.js";

/** Result of parsing a segment of an import. */
export interface ParsedSegment extends Omit<ParsedEvents, "block"> {
  /** The events of the valid lines, merged. */
  readonly block: StateBlock;
}

/**
 * Parses and merges the events of complete lines.
 *
 * @param maxLineBytes maximum size of a line without its line break, in bytes.
 * @param days days whose events are accepted.
 */
export function parseSegment(segment: Uint8Array, maxLineBytes: number, days: DayRange): ParsedSegment {
  const parser = new EventParser(maxLineBytes, days);
  parser.push(segment);
  const parsed = parser.finish();
  return { ...parsed, block: mergeEvents(parsed.block) };
}
