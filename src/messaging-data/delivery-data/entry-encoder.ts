import { type DescField, type DescMessage, ScalarType } from "@bufbuild/protobuf";
import { DateSchema } from "../../gen/google/type/date_pb.js";
import {
  AndroidDeliveryDataSchema,
  DataSchema,
  ProxyNotificationInsightPercentsSchema,
} from "../../gen/waybill/messagingdata/v1beta1/delivery_data_pb.js";
import { civilDate } from "../../store/day.js";
import { COUNTS, type CountName, type EntryColumns } from "../../store/delivery-data-store.js";

/** Writes the JSON of one field of `Data` for a row; nothing if the field is left out. */
type FieldWriter = (counts: readonly Float64Array[], row: number) => string;

const ENTRY = AndroidDeliveryDataSchema.field;
const DATE = DateSchema.field;

/** The fields of `Data`, as the contract has them. */
const DATA_WRITERS: readonly FieldWriter[] = DataSchema.fields.map((field) =>
  field.fieldKind === "message" ? groupWriter(field.jsonName, field.message) : countWriter(field),
);

/**
 * Encodes entries as the ProtoJSON of `AndroidDeliveryData`, straight from the columns of counts: what the generic
 * encoder would make of the messages (fields at their default are left out, a group without denominator too).
 *
 * @returns the entries from `start` up to `end`, separated by commas.
 */
export function encodeEntries(appId: string, entries: EntryColumns, start: number, end: number): string {
  const head = `{"${ENTRY.appId.jsonName}":${JSON.stringify(appId)},"${ENTRY.date.jsonName}":{`;
  const label = `,"${ENTRY.analyticsLabel.jsonName}":`;
  const data = `,"${ENTRY.data.jsonName}":{`;
  let json = "";
  let lastDay: number | undefined;
  let date = "";
  for (let row = start; row < end; row++) {
    const day = entries.days[row] ?? 0;
    if (day !== lastDay) {
      const civil = civilDate(day);
      date = `"${DATE.year.jsonName}":${civil.year},"${DATE.month.jsonName}":${civil.month},"${DATE.day.jsonName}":${civil.day}}`;
      lastDay = day;
    }
    const name = entries.labels[row] ?? "";
    json += `${row > start ? "," : ""}${head}${date}${name === "" ? "" : label + JSON.stringify(name)}${data}`;
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

function countWriter(field: DescField): FieldWriter {
  if (field.scalar !== ScalarType.INT64) throw new Error(`Data.${field.name} is neither a count nor a group`);
  const column = columnOf(field.name);
  const prefix = `"${field.jsonName}":"`;
  return (counts, row) => {
    const count = counts[column]?.[row] ?? 0;
    return count === 0 ? "" : `${prefix}${count}"`;
  };
}

function groupWriter(jsonName: string, message: DescMessage): FieldWriter {
  const denominatorColumn = columnOf(
    message.typeName === ProxyNotificationInsightPercentsSchema.typeName
      ? "count_notifications_accepted"
      : "count_messages_accepted",
  );
  const percents = message.fields.map((field) => ({
    prefix: `"${field.jsonName}":`,
    column: columnOf(field.name),
  }));
  return (counts, row) => {
    const denominator = counts[denominatorColumn]?.[row] ?? 0;
    if (denominator === 0) return "";
    let json = `"${jsonName}":{`;
    let separator = "";
    for (const { prefix, column } of percents) {
      const count = counts[column]?.[row] ?? 0;
      if (count === 0) continue;
      json += separator + prefix + (100 * count) / denominator;
      separator = ",";
    }
    return `${json}}`;
  };
}

/** Every figure of the contract stands on a count of the store that has its name. */
function columnOf(name: string): number {
  const index = COUNTS.indexOf(name as CountName);
  if (index < 0) throw new Error(`no count is named ${name}`);
  return index;
}
