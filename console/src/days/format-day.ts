import type { Day } from "../../../src/model/day.js";
import type { DayRange } from "./day-range.js";

const DAY_MS = 86_400_000;

// A day is a date, not an instant: it reads the same wherever the viewer is.
const SHORT = new Intl.DateTimeFormat(undefined, { timeZone: "UTC", month: "short", day: "numeric" });
const LONG = new Intl.DateTimeFormat(undefined, { timeZone: "UTC", dateStyle: "medium" });
const FULL = new Intl.DateTimeFormat(undefined, { timeZone: "UTC", dateStyle: "full" });
const INSTANT = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });

/** For axes: `Mar 1`, as the viewer's locale has it. */
export const shortDay = (day: Day): string => SHORT.format(day * DAY_MS);

/** `Mar 1, 2025`. */
export const longDay = (day: Day): string => LONG.format(day * DAY_MS);

/** `Saturday, March 1, 2025`. */
export const fullDay = (day: Day): string => FULL.format(day * DAY_MS);

/** `Mar 1 – 7, 2025`. */
export const formatRange = ({ first, last }: DayRange): string =>
  LONG.formatRange(first * DAY_MS, last * DAY_MS);

/** An instant in the viewer's own time. */
export const formatInstant = (epochMs: number): string => INSTANT.format(epochMs);
