import { byBytes } from "../../../model/collections.js";
import type { Day } from "../../../model/day.js";
import type { Comparison, EntryFilter } from "../../../store/delivery-data-store.js";

/** Returns true if a filter holds for a day and a label that no store keeps. */
export function matches(filter: EntryFilter, entry: { readonly day: Day; readonly label: string }): boolean {
  switch (filter.kind) {
    case "and":
      return filter.operands.every((operand) => matches(operand, entry));
    case "or":
      return filter.operands.some((operand) => matches(operand, entry));
    case "not":
      return !matches(filter.operand, entry);
    case "day":
      return holds(filter.comparison, entry.day - filter.day);
    case "label":
      return holds(filter.comparison, byBytes(entry.label, filter.label));
    case "pattern":
      return consistsOf(entry.label, filter.pieces);
  }
}

/** @param difference negative if the first value is less than the second, 0 if they are equal. */
function holds(comparison: Comparison, difference: number): boolean {
  switch (comparison) {
    case "=":
      return difference === 0;
    case "!=":
      return difference !== 0;
    case "<":
      return difference < 0;
    case "<=":
      return difference <= 0;
    case ">":
      return difference > 0;
    case ">=":
      return difference >= 0;
  }
}

/** Takes each piece where it occurs first, which leaves the most text to the pieces behind it. */
function consistsOf(text: string, pieces: readonly string[]): boolean {
  const first = pieces[0] ?? "";
  const last = pieces.at(-1) ?? "";
  let at = first.length;
  for (const piece of pieces.slice(1, -1)) {
    const found = text.indexOf(piece, at);
    if (found < 0) return false;
    at = found + piece.length;
  }
  return text.startsWith(first) && text.endsWith(last) && at + last.length <= text.length;
}
