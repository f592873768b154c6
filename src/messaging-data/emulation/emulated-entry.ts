import { AndroidDeliveryDataSchema } from "../../gen/waybill/messagingdata/v1beta1/delivery_data_pb.js";
import { civilDate } from "../../model/day.js";
import { COUNTS, type EntryColumns } from "../../store/delivery-data-store.js";
import { DATA_FIELDS } from "../delivery-data/encode/figure-fields.js";
import { Draws } from "../draws.js";
import type { Emulation } from "./emulation.js";
import { sampledCounts } from "./sampled-counts.js";

const ENTRY = AndroidDeliveryDataSchema.field;
const ACCEPTED = COUNTS.indexOf("count_messages_accepted");

/** The habits of figures. */
type Figures = Pick<Emulation, "seed" | "rounding" | "minMessages" | "minCount" | "sampling">;

/** Tells whether figures differ from those that were counted. */
export const changesFigures = ({ rounding, minMessages, minCount, sampling }: Figures): boolean =>
  rounding !== undefined || minMessages > 0 || minCount > 0 || sampling < 1;

/**
 * Returns an entry as the original would give it: an `AndroidDeliveryData` in JSON, with rounded figures of a sample of
 * its messages, without those of too few messages.
 */
export function emulatedEntry(
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
    [ENTRY.data.jsonName]: emulatedData(drawn, figures),
  });
}

function emulatedData(drawn: readonly number[], figures: Figures): object {
  const { rounding, minMessages, minCount, sampling } = figures;
  const of = (column: number): number => drawn[column] ?? 0;
  const estimate = (column: number): number => Math.round(of(column) / sampling);
  const isGiven = (column: number): boolean => of(column) > 0 && estimate(column) >= minCount;
  const data: Record<string, unknown> = {};
  if (estimate(ACCEPTED) < minMessages) return data;
  for (const figure of DATA_FIELDS) {
    const { jsonName } = figure.field;
    if (figure.kind === "count") {
      if (isGiven(figure.column)) data[jsonName] = String(estimate(figure.column));
      continue;
    }
    const whole = of(figure.denominator);
    const given = figure.percents.filter(({ column }) => isGiven(column));
    if (whole === 0 || (minCount > 0 && given.length === 0)) continue;
    data[jsonName] = Object.fromEntries(
      given.map(({ field, column }) => [field.jsonName, rounded((100 * of(column)) / whole, rounding)]),
    );
  }
  return data;
}

/** Rounds a percentage above 0 to decimals, but never to 0, which would read as absent. */
function rounded(percent: number, decimals: number | undefined): number {
  if (decimals === undefined) return percent;
  return Math.max(Number(percent.toFixed(decimals)), Number(`1e-${decimals}`));
}
