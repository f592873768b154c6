import type { DeliveryCountsJson } from "#src/gen/waybill/messagingdata/v1beta1/delivery_data_pb.js";

export { FEW, type Interval, percentOf, wilsonInterval } from "#src/presentation/shares.js";

export type CountName = keyof DeliveryCountsJson;

/** Counts by name. Omitted counts are 0. */
export type Counts = { readonly [N in CountName]?: number };

/** Returns a count by name. Absence means 0. */
export const countIn = (counts: Counts, name: CountName): number => counts[name] ?? 0;

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
