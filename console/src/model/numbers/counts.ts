import type { DeliveryCountsJson } from "#src/gen/waybill/messagingdata/v1beta1/delivery_data_pb.js";

/** A count's name in the contract. */
export type CountName = keyof DeliveryCountsJson;

/** Counts by name. Omitted counts are 0. */
export type Counts = { readonly [N in CountName]?: number };

/** Returns a count by name. Absence means 0. */
export const countIn = (counts: Counts, name: CountName): number => counts[name] ?? 0;

/** Returns the number of accepted messages. */
export const acceptedOf = (counts: Counts): number => countIn(counts, "countMessagesAccepted");

/** Returns 0 for an omitted count. */
export const notificationsOf = (counts: Counts): number => countIn(counts, "countNotificationsAccepted");

/** Parses counts, which JSON has as strings. Exact up to 2⁵³. */
export function countsOf(json: DeliveryCountsJson): Counts {
  const counts: Record<string, number> = {};
  for (const [name, text] of Object.entries(json)) counts[name] = Number(text);
  return counts;
}

/** Adds up counts, name by name. */
export function sumOf(many: Iterable<Counts>): Counts {
  const sum: Record<string, number> = {};
  for (const counts of many) {
    for (const [name, count] of Object.entries(counts)) sum[name] = (sum[name] ?? 0) + count;
  }
  return sum;
}

/** Returns a count in percent. Returns undefined if the denominator is 0. */
export function percentOf(count: number, denominator: number): number | undefined {
  return denominator === 0 ? undefined : (100 * count) / denominator;
}

/**
 * Returns the difference between two percentages in points. Rounds both to one decimal first, as shown on the page, so
 * that the figures add up.
 */
export const pointsBetween = (from: number, to: number): number => (tenthsOf(to) - tenthsOf(from)) / 10;

/** Rounds like `formatPercent`. `Math.round` would round 45.55, which has no exact binary form, differently. */
const ROUNDED = new Intl.NumberFormat("en", {
  style: "percent",
  maximumFractionDigits: 1,
  useGrouping: false,
});

const tenthsOf = (percent: number): number =>
  Math.round(10 * Number.parseFloat(ROUNDED.format(percent / 100)));

/** A confidence interval for a share, in percent. */
export interface Interval {
  readonly low: number;
  readonly high: number;
}

/** Standard errors on each side of a 95 % interval. */
const Z_95 = 1.96;

/**
 * Returns Wilson's score interval (Wilson 1927) for `count` of `of` messages, by default with 95 % confidence. Unlike
 * the normal approximation, it stays within 0 and 100 %, and is not empty for 0 of 5.
 *
 * @param of at least 0; may be fractional
 * @param z standard errors on each side
 */
export function wilsonInterval(count: number, of: number, z = Z_95): Interval {
  if (of <= 0) return { low: 0, high: 100 };
  const share = count / of;
  const spread = (z * z) / of;
  const center = (share + spread / 2) / (1 + spread);
  const half = (z / (1 + spread)) * Math.sqrt((share * (1 - share)) / of + spread / (4 * of));
  return { low: 100 * Math.max(0, center - half), high: 100 * Math.min(1, center + half) };
}

/** Shares of fewer messages are uncertain: a share near 50 % has an error of 10 points or more. */
export const FEW = 100;
