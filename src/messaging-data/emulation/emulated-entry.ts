import { AndroidDeliveryDataSchema } from "../../gen/waybill/messagingdata/v1beta1/delivery_data_pb.js";
import { at } from "../../model/collections.js";
import { civilDate } from "../../model/day.js";
import { COUNTS, type CountName, type EntryColumns } from "../../store/delivery-data-store.js";
import { DATA_FIELDS, type GroupField } from "../delivery-data/encode/figure-fields.js";
import { valueAt } from "../delivery-data/entry-columns.js";
import { binomial, Draws } from "../draws.js";
import type { Emulation } from "./emulation.js";

const ENTRY = AndroidDeliveryDataSchema.field;

/** The emulation settings for figures. */
type Figures = Pick<Emulation, "seed" | "rounding" | "minMessages" | "minCount" | "sampling">;

/** Returns true if the emulation settings change any figures. */
export const changesFigures = ({ rounding, minMessages, minCount, sampling }: Figures): boolean =>
  rounding !== undefined || minMessages > 0 || minCount > 0 || sampling < 1;

/**
 * Returns an entry in the form that FCM would return: an `AndroidDeliveryData` in JSON. Figures are rounded, and
 * computed from a sample of the messages. Figures of too few messages are omitted.
 */
export function emulatedEntry(
  { days, appIds, labels, counts }: EntryColumns,
  row: number,
  figures: Figures,
): string {
  const [appId, day, label] = [at(appIds, row), at(days, row), at(labels, row)];
  const counted = counts.map((column) => valueAt(column, row));
  const { seed, sampling } = figures;
  const drawn =
    sampling < 1 ? sampledCounts(counted, sampling, new Draws(seed, "entry", appId, day, label)) : counted;
  return JSON.stringify({
    [ENTRY.appId.jsonName]: appId,
    [ENTRY.date.jsonName]: civilDate(day),
    ...(label !== "" && { [ENTRY.analyticsLabel.jsonName]: label }),
    [ENTRY.data.jsonName]: emulatedData(drawn, figures),
  });
}

function emulatedData(drawn: readonly number[], figures: Figures): object {
  const { rounding, minMessages, minCount, sampling } = figures;
  const of = (column: number): number => at(drawn, column);
  const estimate = (column: number): number => Math.round(of(column) / sampling);
  const isShown = (column: number): boolean => of(column) > 0 && estimate(column) >= minCount;
  const data: Record<string, unknown> = {};
  if (estimate(ACCEPTED) < minMessages) return data;
  for (const figure of DATA_FIELDS) {
    const { jsonName } = figure.field;
    if (figure.kind === "count") {
      if (isShown(figure.column)) data[jsonName] = String(estimate(figure.column));
      continue;
    }
    const whole = of(figure.denominator);
    const shown = figure.percents.filter(({ column }) => isShown(column));
    if (whole === 0 || (minCount > 0 && shown.length === 0)) continue;
    data[jsonName] = Object.fromEntries(
      shown.map(({ field, column }) => [field.jsonName, rounded((100 * of(column)) / whole, rounding)]),
    );
  }
  return data;
}

/** Rounds a percentage. A percentage above 0 never becomes 0, because ProtoJSON omits zeros. */
function rounded(percent: number, decimals: number | undefined): number {
  if (decimals === undefined) return percent;
  return Math.max(Number(percent.toFixed(decimals)), Number(`1e-${decimals}`));
}

const columnOf = (name: CountName): number => COUNTS.indexOf(name);
const ACCEPTED = columnOf("count_messages_accepted");
const NOTIFICATIONS = columnOf("count_notifications_accepted");
const DELIVERED = columnOf("delivered");
const DELIVERED_NO_DELAY = columnOf("delivered_no_delay");

const GROUPS = new Map(
  DATA_FIELDS.filter((field) => field.kind === "group").map((group) => [group.field.name, group]),
);
const OUTCOMES = columnsOf(GROUPS.get("message_outcome_percents"));
const DELAYS = columnsOf(GROUPS.get("delivery_performance_percents")).filter(
  (column) => column !== DELIVERED_NO_DELAY,
);
const INSIGHTS = columnsOf(GROUPS.get("message_insight_percents"));
const PROXY_RESULTS = columnsOf(GROUPS.get("proxy_notification_insight_percents"));

/**
 * Draws a sample of an entry's messages, and counts the sampled messages. Counts in the sample have the same relations:
 * outcomes exclude each other, and only delivered messages have a delay.
 *
 * @param counts counts of all messages, in the order of `COUNTS`.
 * @param share share of messages to sample, above 0 and up to 1.
 * @returns counts of the sampled messages, in the same order.
 */
function sampledCounts(counts: ArrayLike<number>, share: number, draws: Draws): number[] {
  const sampled = new Array<number>(COUNTS.length).fill(0);
  const of = (column: number): number => at(counts, column);
  const drawn = (column: number): number => at(sampled, column);
  /** Draws how many of `trials` messages belong to a part, if `part` of `whole` messages do. */
  const draw = (trials: number, part: number, whole: number): number =>
    whole <= 0 ? 0 : binomial(draws, trials, part / whole);
  /** Distributes sampled messages over counts that exclude each other. */
  const split = (columns: readonly number[], whole: number): void => {
    let [trials, rest] = [drawn(whole), of(whole)];
    for (const column of columns) {
      const count = draw(trials, of(column), rest);
      sampled[column] = count;
      trials -= count;
      rest -= of(column);
    }
  };

  sampled[ACCEPTED] = binomial(draws, of(ACCEPTED), share);
  sampled[NOTIFICATIONS] = draw(drawn(ACCEPTED), of(NOTIFICATIONS), of(ACCEPTED));
  split(OUTCOMES, ACCEPTED);
  split([DELIVERED_NO_DELAY], DELIVERED);
  const delayed = of(DELIVERED) - of(DELIVERED_NO_DELAY);
  for (const column of DELAYS) {
    sampled[column] = draw(drawn(DELIVERED) - drawn(DELIVERED_NO_DELAY), of(column), delayed);
  }
  for (const column of INSIGHTS) sampled[column] = draw(drawn(ACCEPTED), of(column), of(ACCEPTED));
  split(PROXY_RESULTS, NOTIFICATIONS);
  return sampled;
}

function columnsOf(group: GroupField | undefined): readonly number[] {
  if (group === undefined) throw new Error("the contract lacks a group of percentages");
  return group.percents.map(({ column }) => column);
}
