import { DateSchema } from "../../gen/google/type/date_pb.js";
import { AndroidDeliveryDataSchema } from "../../gen/waybill/messagingdata/v1beta1/delivery_data_pb.js";
import { ListAndroidDeliveryDataResponseSchema } from "../../gen/waybill/messagingdata/v1beta1/messaging_data_pb.js";
import { civilDate, type Day } from "../../store/day.js";
import type { EntryColumns } from "../../store/delivery-data-store.js";
import { EncodedJson } from "../../transcoding/encoded-json.js";
import { type CountField, DATA_FIELDS, type GroupField } from "./data-fields.js";
import type { PageEncoder } from "./page-encoder.js";

/** Writes one field of `Data` for a row; nothing if the field is left out. */
type FieldWriter = (counts: readonly Float64Array[], row: number) => string;

const PAGE = ListAndroidDeliveryDataResponseSchema.field;
const ENTRY = AndroidDeliveryDataSchema.field;
const DATE = DateSchema.field;

const DATA_WRITERS: readonly FieldWriter[] = DATA_FIELDS.map((field) =>
  field.kind === "count" ? countWriter(field) : groupWriter(field),
);

/** Encodes a page as ProtoJSON: what the generic encoder would make of the messages, to the byte. */
export class JsonPageEncoder implements PageEncoder {
  readonly #parts: string[] = [];

  add(entries: EntryColumns, count: number): void {
    if (count > 0) this.#parts.push(encodeEntries(entries, count));
  }

  finish(nextPageToken: string): EncodedJson {
    const fields: string[] = [];
    if (this.#parts.length > 0)
      fields.push(`"${PAGE.androidDeliveryData.jsonName}":[${this.#parts.join(",")}]`);
    if (nextPageToken !== "")
      fields.push(`"${PAGE.nextPageToken.jsonName}":${JSON.stringify(nextPageToken)}`);
    return new EncodedJson(Buffer.from(`{${fields.join(",")}}`));
  }
}

/** The first `count` entries, separated by commas. Fields at their default are left out. */
function encodeEntries(entries: EntryColumns, count: number): string {
  const appIdPrefix = `{"${ENTRY.appId.jsonName}":`;
  const labelPrefix = `,"${ENTRY.analyticsLabel.jsonName}":`;
  const dataPrefix = `,"${ENTRY.data.jsonName}":{`;
  let json = "";
  let lastDay: Day | undefined;
  let lastAppId: string | undefined;
  let date = "";
  let head = "";
  for (let row = 0; row < count; row++) {
    const day = entries.days[row] ?? 0;
    const appId = entries.appIds[row] ?? "";
    if (day !== lastDay || appId !== lastAppId) {
      if (day !== lastDay) date = encodeDate(day);
      head = `${appIdPrefix}${JSON.stringify(appId)}${date}`;
      lastDay = day;
      lastAppId = appId;
    }
    const label = entries.labels[row] ?? "";
    json += `${row > 0 ? "," : ""}${head}${label === "" ? "" : labelPrefix + JSON.stringify(label)}${dataPrefix}`;
    let separator = "";
    for (const write of DATA_WRITERS) {
      const text = write(entries.counts, row);
      if (text === "") continue;
      json += separator + text;
      separator = ",";
    }
    json += "}}";
  }
  return json;
}

function encodeDate(day: Day): string {
  const { year, month, day: dayOfMonth } = civilDate(day);
  const parts = `"${DATE.year.jsonName}":${year},"${DATE.month.jsonName}":${month},"${DATE.day.jsonName}":${dayOfMonth}`;
  return `,"${ENTRY.date.jsonName}":{${parts}}`;
}

function countWriter({ field, column }: CountField): FieldWriter {
  const prefix = `"${field.jsonName}":"`;
  return (counts, row) => {
    const count = counts[column]?.[row] ?? 0;
    return count === 0 ? "" : `${prefix}${count}"`;
  };
}

function groupWriter({ field, denominator: denominatorColumn, percents }: GroupField): FieldWriter {
  const start = `"${field.jsonName}":{`;
  const named = percents.map(({ field, column }) => ({ prefix: `"${field.jsonName}":`, column }));
  return (counts, row) => {
    const denominator = counts[denominatorColumn]?.[row] ?? 0;
    if (denominator === 0) return "";
    let json = start;
    let separator = "";
    for (const { prefix, column } of named) {
      const count = counts[column]?.[row] ?? 0;
      if (count === 0) continue;
      json += separator + prefix + (100 * count) / denominator;
      separator = ",";
    }
    return `${json}}`;
  };
}
