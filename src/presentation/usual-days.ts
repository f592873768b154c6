import type { DayRange } from "../model/day.js";

/** Number of days before a range that also determine its usual shares. */
const DAYS_BEFORE = 28;

/** Returns the days that determine the usual shares in a range: the range itself, and four weeks before it. */
export const withUsualDays = ({ first, last }: DayRange): DayRange => ({
  first: Math.max(0, first - DAYS_BEFORE),
  last,
});
