import { COUNTS, type CountName } from "../../store/delivery-data-store.js";
import { DATA_FIELDS, type GroupField } from "../delivery-data/encode/figure-fields.js";
import type { Draws } from "../draws.js";
import { binomial } from "./binomial.js";

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
 * Draws messages of an entry, and counts them. What holds between counts still holds: outcomes exclude each other, and
 * delays are of delivered messages.
 *
 * @param counts those of all messages, in the order of `COUNTS`.
 * @param share of messages that are drawn, above 0 and up to 1.
 * @returns the counts of the drawn messages, in the same order.
 */
export function sampledCounts(counts: ArrayLike<number>, share: number, draws: Draws): number[] {
  const sampled = new Array<number>(COUNTS.length).fill(0);
  const of = (column: number): number => counts[column] ?? 0;
  const drawn = (column: number): number => sampled[column] ?? 0;
  /** Draws how many of `trials` messages are among `part` of `whole`. */
  const draw = (trials: number, part: number, whole: number): number =>
    whole <= 0 ? 0 : binomial(draws, trials, part / whole);
  /** Splits drawn messages between counts that exclude each other. */
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
  if (group === undefined) throw new Error("the contract has no such group of percentages");
  return group.percents.map(({ column }) => column);
}
