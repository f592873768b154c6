import type { Day } from "#src/model/day.js";
import { LOCALE } from "../numbers/format-number.js";
import type { DayRange } from "./day-range.js";

const DAY_MS = 86_400_000;

// Days are dates, not instants. Formatting in UTC keeps them the same in every time zone.
const SHORT = new Intl.DateTimeFormat(LOCALE, { timeZone: "UTC", month: "short", day: "numeric" });
const LONG = new Intl.DateTimeFormat(LOCALE, { timeZone: "UTC", dateStyle: "medium" });
const MONTH = new Intl.DateTimeFormat(LOCALE, { timeZone: "UTC", year: "numeric", month: "short" });
const FULL = new Intl.DateTimeFormat(LOCALE, { timeZone: "UTC", dateStyle: "full" });
const WEEKDAY = new Intl.DateTimeFormat(LOCALE, { timeZone: "UTC", weekday: "short" });
const LONG_WEEKDAY = new Intl.DateTimeFormat(LOCALE, { timeZone: "UTC", weekday: "long" });
const INSTANT = new Intl.DateTimeFormat(LOCALE, { dateStyle: "medium", timeStyle: "short" });

/** Formats a day as `Mar 1`, for axes, in the viewer's regional style. */
export const shortDay = (day: Day): string => SHORT.format(day * DAY_MS);

/** Formats a day as `Mar 1, 2025`. */
export const longDay = (day: Day): string => LONG.format(day * DAY_MS);

/** Formats a day as `Saturday, March 1, 2025`. */
export const fullDay = (day: Day): string => FULL.format(day * DAY_MS);

/** Formats a day as `Mar 2025`. */
export const monthOf = (day: Day): string => MONTH.format(day * DAY_MS);

/** Formats a day's weekday as `Sat`, and as `Saturday`. */
export const weekdayNames = (day: Day): readonly [short: string, long: string] => [
  WEEKDAY.format(day * DAY_MS),
  LONG_WEEKDAY.format(day * DAY_MS),
];

/** Formats a chart period: a day as `Saturday, March 1, 2025`, a week as `Week Mar 3 – 9, 2025`. */
export const formatPeriod = (period: DayRange): string =>
  period.first === period.last ? fullDay(period.first) : `Week ${formatRange(period)}`;

/** Formats a range as `Mar 1 – 7, 2025`. */
export const formatRange = ({ first, last }: DayRange): string =>
  LONG.formatRange(first * DAY_MS, last * DAY_MS);

/** Formats an instant in the viewer's time zone. */
export const formatInstant = (epochMs: number): string => INSTANT.format(epochMs);
