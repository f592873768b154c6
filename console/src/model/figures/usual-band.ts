import type { Day } from "#src/model/day.js";
import type { DayRange } from "../days/day-range.js";
import { type ChartDay, deliveredShares } from "./chart-day.js";
import { type Incident, isOfShare, lasts } from "./incident.js";

/** A band of shares, in percent. */
export interface Band {
  readonly low: number;
  readonly high: number;
}

/** A usual band for consecutive days. */
export interface BandOfDays extends Band {
  readonly range: DayRange;
}

/** Minimum number of days without incidents for a band, the same as the server's minimum for incident detection. */
export const MIN_BASIS = 14;

/** Number of days before a range from which its usual band is computed. */
export const EARLIER_DAYS = 28;

/** Ratio of the standard deviation to the median absolute deviation in a normal distribution. */
const MAD_TO_DEVIATION = 1.4826;
/** Standard deviations from the mean that include 95 % of a normal distribution. */
const REACH = 1.96;

/**
 * Returns the band that contains the delivered share on 19 of 20 usual days. Its center is the median of days without
 * incidents, and its width comes from their median absolute deviation. Returns undefined if fewer than {@link
 * MIN_BASIS} such days have messages.
 */
export function usualBandOf(days: readonly ChartDay[], incidents: readonly Incident[]): Band | undefined {
  const shares = deliveredShares(days).flatMap(({ day, share }) =>
    share === undefined || incidents.some((incident) => isOfShare(incident) && lasts(incident, day))
      ? []
      : [share],
  );
  if (shares.length < MIN_BASIS) return undefined;
  const usual = medianOf(shares);
  const reach = REACH * MAD_TO_DEVIATION * medianOf(shares.map((share) => Math.abs(share - usual)));
  return { low: Math.max(0, usual - reach), high: Math.min(100, usual + reach) };
}

/**
 * Returns the usual bands in a range: the server's band on days with an incident, and `usual` on other days.
 *
 * @param falls incidents of the same messages
 */
export function bandsOf(
  range: DayRange,
  usual: Band | undefined,
  falls: readonly Incident[],
): readonly BandOfDays[] {
  const bands: BandOfDays[] = [];
  for (let day = range.first; day <= range.last; day++) {
    const fall = falls.find((each) => each.outcome === "DELIVERED" && lasts(each, day));
    const band = fall === undefined ? usual : { low: fall.usualLow, high: fall.usualHigh };
    if (band === undefined) continue;
    const last = bands.at(-1);
    if (last !== undefined && continues(last, band, day)) bands[bands.length - 1] = upTo(last, day);
    else bands.push({ range: { first: day, last: day }, ...band });
  }
  return bands;
}

const continues = ({ range, low, high }: BandOfDays, band: Band, day: Day): boolean =>
  range.last === day - 1 && low === band.low && high === band.high;

const upTo = (band: BandOfDays, last: Day): BandOfDays => ({ ...band, range: { ...band.range, last } });

function medianOf(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? upper) + upper) / 2;
}
