import { AndroidDeliveryDataSchema } from "../../gen/waybill/messagingdata/v1beta1/delivery_data_pb.js";
import { civilDate } from "../../model/day.js";
import { COUNTS, type EntryColumns } from "../../store/delivery-data-store.js";
import { DATA_FIELDS } from "../delivery-data/encode/figure-fields.js";
import { Draws } from "./draws.js";
import type { Imitation } from "./imitation.js";
import { sampledCounts } from "./sampled-counts.js";

const ENTRY = AndroidDeliveryDataSchema.field;
const ACCEPTED = COUNTS.indexOf("count_messages_accepted");

/** The habits of figures. */
type Figures = Pick<Imitation, "seed" | "rounding" | "minMessages" | "sampling">;

/** Tells whether figures differ from those that were counted. */
export const changesFigures = ({ rounding, minMessages, sampling }: Figures): boolean =>
  rounding !== undefined || minMessages > 0 || sampling < 1;

/**
 * Returns an entry as the original would give it: an `AndroidDeliveryData` in JSON, with rounded figures of a sample of
 * its messages, or without figures if it has too few.
 */
export function imitatedEntry(
  { days, appIds, labels, counts }: EntryColumns,
  row: number,
  figures: Figures,
): string {
  const [appId = "", day = 0, label = ""] = [appIds[row], days[row], labels[row]];
  const counted = counts.map((column) => column[row] ?? 0);
  const { seed, sampling } = figures;
  const drawn =
    sampling < 1 ? sampledCounts(counted, sampling, new Draws(seed, "entry", appId, day, label)) : counted;
  return JSON.stringify({
    [ENTRY.appId.jsonName]: appId,
    [ENTRY.date.jsonName]: civilDate(day),
    ...(label !== "" && { [ENTRY.analyticsLabel.jsonName]: label }),
    [ENTRY.data.jsonName]: imitatedData(drawn, figures),
  });
}

function imitatedData(drawn: readonly number[], { rounding, minMessages, sampling }: Figures): object {
  const of = (column: number): number => drawn[column] ?? 0;
  const estimate = (count: number): number => Math.round(count / sampling);
  const data: Record<string, unknown> = {};
  if (estimate(of(ACCEPTED)) < minMessages) return data;
  for (const figure of DATA_FIELDS) {
    const { jsonName } = figure.field;
    const count = of(figure.kind === "count" ? figure.column : figure.denominator);
    if (count === 0) continue;
    if (figure.kind === "count") {
      data[jsonName] = String(estimate(count));
      continue;
    }
    const present = figure.percents.filter(({ column }) => of(column) > 0);
    data[jsonName] = Object.fromEntries(
      present.map(({ field, column }) => [field.jsonName, rounded((100 * of(column)) / count, rounding)]),
    );
  }
  return data;
}

/** Rounds a percentage above 0 to decimals, but never to 0, which would read as absent. */
function rounded(percent: number, decimals: number | undefined): number {
  if (decimals === undefined) return percent;
  return Math.max(Number(percent.toFixed(decimals)), Number(`1e-${decimals}`));
}
