import type { StateBlock } from "../../store/state-block.js";
import { mergeEvents } from "../../store/state-merger.js";
import type { DayRange } from "./accepted-days.js";
import type { EventLines } from "./event-block-builder.js";
import { EventParser, type ParsedEvents } from "./event-parser.js";

/** Result of parsing a segment of an import. */
export interface ParsedSegment extends Omit<ParsedEvents, "block" | "eventLines"> {
  /** The events of the valid lines, merged. */
  readonly block: StateBlock;
  /** The events before the merge, with the same indexes of names. */
  readonly events: EventLines;
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
  const { block, eventLines, ...parsed } = parser.finish();
  const { app, label, day } = block;
  return { ...parsed, block: mergeEvents(block), events: { app, label, day, line: eventLines } };
}
