import { formatCount } from "../numbers/format-number.js";
import { type DayRange, daysIn } from "./day-range.js";
import { formatRange } from "./format-day.js";

/** Formats how many days of a range have data: `30 of 90 days have data`. Undefined if all have. */
export function coverageText(range: DayRange, daysWithData: number): string | undefined {
  const days = daysIn(range);
  if (daysWithData === days) return undefined;
  const [some, all] = [formatCount(daysWithData), formatCount(days)];
  return days === 1 ? "no data" : `${some} of ${all} days ${daysWithData === 1 ? "has" : "have"} data`;
}

/** Formats a range with its coverage: `Jul 27 – Oct 24, 2026 (30 of 90 days have data)`. */
export function rangeWithCoverage(range: DayRange, daysWithData: number): string {
  const coverage = coverageText(range, daysWithData);
  return coverage === undefined ? formatRange(range) : `${formatRange(range)} (${coverage})`;
}
