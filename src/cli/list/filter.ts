import { InvalidArgumentError } from "commander";
import { isLabel } from "../../model/names.js";

/** Flags that select entries. */
export interface FilterFlags {
  /** First day, `YYYY-MM-DD`. */
  readonly from?: string;
  /** Last day, `YYYY-MM-DD`. */
  readonly to?: string;
  /** Labels to select. The empty label selects messages without a label. */
  readonly label?: readonly string[];
  /** A filter in the API's filter language (AIP-160). */
  readonly filter?: string;
}

/** Combines all flags into a filter (AIP-160). Dates and labels were validated before and contain no quotes. */
export function filterOf({ from, to, label, filter }: FilterFlags): string | undefined {
  return joinFilter(filter, [
    ...(from === undefined ? [] : [`date >= "${from}"`]),
    ...(to === undefined ? [] : [`date <= "${to}"`]),
    ...labelConditions(label),
  ]);
}

/** Returns the condition that selects the labels. Returns none if no labels are set. */
export function labelConditions(label: readonly string[] = []): readonly string[] {
  const labels = label.map((each) => `analyticsLabel = "${each}"`);
  return labels.length > 1 ? [`(${labels.join(" OR ")})`] : labels;
}

/** Combines the user's filter with further conditions. */
export function joinFilter(filter = "", conditions: readonly string[]): string | undefined {
  const all = filter === "" ? conditions : [filter, ...conditions];
  // The user's filter comes first and without parentheses, because the server reports errors by their position. It needs
  // no parentheses, because `OR` binds tighter than `AND` (AIP-160).
  return all.length === 0 ? undefined : all.join(" AND ");
}

/** Returns true if a string is a calendar date, `YYYY-MM-DD`. */
export function isDay(text: string): boolean {
  const time = /^(?!0000)\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(text) : Number.NaN;
  // `Date.parse` accepts February 30 and returns a day in March.
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}

export function parseDay(text: string): string {
  if (isDay(text)) return text;
  throw new InvalidArgumentError("It must be a date, YYYY-MM-DD.");
}

export function parseLabels(text: string, before: readonly string[] = []): readonly string[] {
  if (text === "" || isLabel(text)) return [...before, text];
  throw new InvalidArgumentError("Labels have 1 to 50 of the characters a-z, A-Z, 0-9, - _ . ~ and %.");
}

/** Parses a time flag (RFC 3339). */
export function parseTime(text: string): string {
  const isTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)$/.test(text);
  if (isTime && !Number.isNaN(Date.parse(text))) return text;
  throw new InvalidArgumentError("It must be a time, such as 2026-11-14T08:00:00Z.");
}
