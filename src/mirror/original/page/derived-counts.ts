import { DATA_FIELDS } from "../../../messaging-data/delivery-data/encode/figure-fields.js";
import { COUNTS } from "../../../store/delivery-data-store.js";
import type { KnownFields } from "./known-fields.js";

/**
 * Derives the counts behind the figures of an entry. A count that was given as a percentage of another is rounded; it is
 * exact if the percentage was not rounded.
 *
 * @param data the JSON form of `Data`.
 * @returns the counts in the order of `COUNTS`; `undefined` if the figures do not say how messages fared: without the
 *   number of accepted messages, or without outcomes of them.
 */
export function derivedCounts(data: KnownFields | undefined): readonly number[] | undefined {
  const { countMessagesAccepted, messageOutcomePercents } = data ?? {};
  if (data === undefined || countMessagesAccepted === undefined) return undefined;
  if (Number(countMessagesAccepted) > 0 && messageOutcomePercents === undefined) return undefined;
  const counts = new Array<number>(COUNTS.length).fill(0);
  for (const { name, column } of NUMBERS) counts[column] = Number(data[name] ?? 0);
  for (const { name, denominator, columns } of GROUPS) {
    const percentages = data[name];
    if (typeof percentages !== "object") continue;
    const whole = counts[denominator] ?? 0;
    for (const [figure, percentage] of Object.entries(percentages)) {
      const column = columns.get(figure);
      if (column !== undefined) counts[column] = Math.round((Number(percentage) * whole) / 100);
    }
  }
  return counts;
}

/** The counts that entries give as such, by their names in JSON. */
const NUMBERS = DATA_FIELDS.flatMap((figure) =>
  figure.kind === "count" ? [{ name: figure.field.jsonName, column: figure.column }] : [],
);

/** The groups of percentages, with the columns of their figures. */
const GROUPS = DATA_FIELDS.flatMap((figure) => {
  if (figure.kind === "count") return [];
  const columns = new Map(figure.percents.map(({ field, column }) => [field.jsonName, column]));
  return [{ name: figure.field.jsonName, denominator: figure.denominator, columns }];
});
