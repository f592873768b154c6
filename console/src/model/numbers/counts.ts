import type { DeliveryCountsJson } from "#src/gen/waybill/messagingdata/v1beta1/delivery_data_pb.js";

/** The name of a count in the contract. */
export type CountName = keyof DeliveryCountsJson;

/** Counts by name; missing ones are 0. */
export type Counts = { readonly [N in CountName]?: number };

/** Reads the counts that the service sends as text. Exact up to 2⁵³. */
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

/** A count in percent of the denominator; undefined if that is 0. */
export function percentOf(count: number, denominator: number): number | undefined {
  return denominator === 0 ? undefined : (100 * count) / denominator;
}

/**
 * The difference of two percentages in points, computed from their values as shown, with one decimal: readers
 * who subtract the two get the same.
 */
export const pointsBetween = (from: number, to: number): number => (tenthsOf(to) - tenthsOf(from)) / 10;

/** Rounds as the formats of percentages do: arithmetic rounds 45.55, which no number equals, to the other side. */
const ROUNDED = new Intl.NumberFormat("en", {
  style: "percent",
  maximumFractionDigits: 1,
  useGrouping: false,
});

const tenthsOf = (percent: number): number =>
  Math.round(10 * Number.parseFloat(ROUNDED.format(percent / 100)));

/** The bounds of a share in percent. */
export interface Interval {
  readonly low: number;
  readonly high: number;
}

/** Standard errors on each side of a 95 % interval. */
const Z_95 = 1.96;

/**
 * Wilson's score interval of a share (Wilson 1927): where the true share lies with 95 % confidence, if `count` of
 * `of` messages had an outcome by chance. Unlike the share plus or minus its error, it stays within 0 and 100 %, and
 * is not empty for 0 of 5.
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

/** Fewer messages than this make a share uncertain: chance alone moves a half by 10 points and more. */
export const FEW = 100;
