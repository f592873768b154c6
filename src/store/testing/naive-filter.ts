import type { Day } from "../../model/day.js";
import type { Comparison, EntryFilter } from "../delivery-data-store.js";

/** Returns true if an entry matches a filter. As simple as possible. */
export function naiveMatches(filter: EntryFilter, entry: { day: Day; label: string }): boolean {
  switch (filter.kind) {
    case "and":
      return filter.operands.every((operand) => naiveMatches(operand, entry));
    case "or":
      return filter.operands.some((operand) => naiveMatches(operand, entry));
    case "not":
      return !naiveMatches(filter.operand, entry);
    case "day":
      return holds(filter.comparison, entry.day - filter.day);
    case "label":
      return holds(filter.comparison, Buffer.compare(Buffer.from(entry.label), Buffer.from(filter.label)));
    case "pattern":
      return consistsOf(entry.label, filter.pieces);
  }
}

function holds(comparison: Comparison, difference: number): boolean {
  const of = { "=": [0], "!=": [-1, 1], "<": [-1], "<=": [-1, 0], ">": [1], ">=": [0, 1] };
  return of[comparison].includes(Math.sign(difference));
}

function consistsOf(text: string, [first = "", ...others]: readonly string[]): boolean {
  if (others.length === 0) return text === first;
  if (!text.startsWith(first)) return false;
  for (let at = first.length; at <= text.length; at++) if (consistsOf(text.slice(at), others)) return true;
  return false;
}
