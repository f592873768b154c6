import type { Verdict } from "#src/presentation/difference.js";
import type { DayRange } from "../days/day-range.js";
import { formatRange } from "../days/format-day.js";
import { periodLength } from "../days/period.js";
import { formatCount } from "../numbers/format-number.js";
import { type ChartDay, deliveredShares, rowsByPeriod, totalOf } from "./chart-day.js";
import type { Band } from "./usual-band.js";

/** How an app is doing without incidents, in words. Agrees with the usual band and the key figures. */
export interface Standing {
  /** Follows the delivered share: `as usual`. Undefined for neither usual nor changed days. */
  readonly short: string | undefined;
  /** In one or two sentences. */
  readonly text: string;
}

/** Number of days or weeks outside of the usual band. */
export interface Outside {
  readonly outside: number;
  readonly of: number;
  readonly period: "day" | "week";
}

/** Counts the days or, in a long range, weeks outside of the usual band. */
export function outsideOf(rows: readonly ChartDay[], range: DayRange, { low, high }: Band): Outside {
  const shares = deliveredShares(rowsByPeriod(rows, range, totalOf)).flatMap(({ share }) => share ?? []);
  return {
    outside: shares.filter((share) => share < low || share > high).length,
    of: shares.length,
    period: periodLength(range) === 1 ? "day" : "week",
  };
}

/**
 * Describes an evaluated range without incidents.
 *
 * @param verdict of the delivered share
 * @param earlier the range that the verdict compares with
 * @param band days outside of the usual band; undefined without a band
 */
export function standingOf(
  verdict: Verdict | undefined,
  earlier: DayRange,
  band: Outside | undefined,
): Standing {
  const outside = band === undefined || band.outside === 0 ? "" : ` ${outsideText(band)}`;
  if (verdict !== undefined) {
    const [short, change] =
      verdict === "worse" ? ["less than before", "lower"] : ["more than before", "higher"];
    return {
      short,
      text: `No incident. The share is ${change} than on ${formatRange(earlier)}, beyond what chance explains.${outside}`,
    };
  }
  if (band !== undefined && !isExpected(band)) return { short: undefined, text: `No incident.${outside}` };
  return {
    short: "as usual",
    text:
      outside === ""
        ? "The app and all its labels stayed within their usual range."
        : `No incident.${outside} One in twenty is expected.`,
  };
}

/** Returns true if this many days outside of the band are likely by chance. */
const isExpected = ({ outside, of }: Outside): boolean => outside === 0 || (of > 4 && outside <= 1 + of / 10);

const outsideText = ({ outside, of, period }: Outside): string =>
  of === 1
    ? `The ${period} is outside of the usual band.`
    : `${formatCount(outside)} of ${formatCount(of)} ${period}s ${outside === 1 ? "is" : "are"} outside of the usual band.`;
