import { COUNTS } from "../../../../store/delivery-data-store.js";
import { DATA_FIELDS } from "../../../delivery-data/encode/figure-fields.js";
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
  const counts = COUNTS.map(() => 0);
  for (const figure of DATA_FIELDS) {
    if (figure.kind === "count") counts[figure.column] = Number(data[figure.field.jsonName] ?? 0);
  }
  for (const figure of DATA_FIELDS) {
    if (figure.kind === "count") continue;
    const group = data[figure.field.jsonName];
    if (typeof group !== "object") continue;
    const denominator = counts[figure.denominator] ?? 0;
    for (const { field, column } of figure.percents) {
      counts[column] = Math.round((Number(group[field.jsonName] ?? 0) * denominator) / 100);
    }
  }
  return counts;
}
