import { InvalidArgumentError } from "commander";
import { isLabel } from "../../model/analytics-label.js";
import { isDay } from "./filter.js";

/** Reads the value of a flag that takes a date. */
export function parseDay(text: string): string {
  if (isDay(text)) return text;
  throw new InvalidArgumentError("It must be a date, YYYY-MM-DD.");
}

/** Reads the value of a flag that takes a label, and may be repeated. */
export function parseLabels(text: string, before: readonly string[] = []): readonly string[] {
  if (text === "" || isLabel(text)) return [...before, text];
  throw new InvalidArgumentError("Labels have 1 to 50 of the characters a-z, A-Z, 0-9, - _ . ~ and %.");
}

/** Reads the value of a flag that takes a time (RFC 3339). */
export function parseTime(text: string): string {
  const isTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)$/.test(text);
  if (isTime && !Number.isNaN(Date.parse(text))) return text;
  throw new InvalidArgumentError("It must be a time, such as 2026-11-14T08:00:00Z.");
}
