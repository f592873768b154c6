import { type DescField, type DescMessage, type JsonValue, ScalarType } from "@bufbuild/protobuf";
import { stringify } from "csv-stringify/sync";
import { type DateJson, DateSchema } from "../../gen/google/type/date_pb.js";
import {
  type AndroidDeliveryDataJson,
  AndroidDeliveryDataSchema,
  type DataJson,
  DataSchema,
  type MessageOutcomePercentsJson,
} from "../../gen/waybill/messagingdata/v1beta1/delivery_data_pb.js";
import { COUNT_NAMES, dateText, knownCount, labelText, numberOf } from "../../presentation/field-text.js";
import { json, ndjson, type Pages, type TableSpace, table } from "../support/page-formats.js";
import { type Column, percentText } from "../support/text-table.js";

type Outcome = keyof MessageOutcomePercentsJson;

/** Columns of the table format. The other formats have all figures. */
const TABLE_COLUMNS: readonly Column<AndroidDeliveryDataJson>[] = [
  { title: "date", leastWidth: 10, text: ({ date }) => dateText(date) },
  { title: "app", leastWidth: 16, text: ({ appId = "" }) => appId },
  // Parentheses cannot occur in labels, so that this string differs from any label.
  { title: "label", leastWidth: 12, text: ({ analyticsLabel }) => labelText(analyticsLabel) },
  { title: "accepted", text: ({ data }) => knownCount("countMessagesAccepted", data) ?? "-" },
  outcome("delivered %", "delivered"),
  outcome("pending %", "pending"),
  outcome(
    "dropped %",
    "droppedTooManyPendingMessages",
    "droppedAppForceStopped",
    "droppedDeviceInactive",
    "droppedTtlExpired",
  ),
  outcome("collapsed %", "collapsed"),
  {
    title: "no delay %",
    text: ({ data }) => {
      const group = data?.deliveryPerformancePercents;
      return group === undefined ? "-" : percentText(group.deliveredNoDelay);
    },
  },
  {
    title: "notifications",
    text: ({ data }) => knownCount("countNotificationsAccepted", data) ?? "-",
  },
];

/** Creates a column with the sum of some mutually exclusive outcomes, in percent. */
function outcome(title: string, ...outcomes: readonly Outcome[]): Column<AndroidDeliveryDataJson> {
  return {
    title,
    text: ({ data }) => {
      const group = data?.messageOutcomePercents;
      return group === undefined
        ? "-"
        : percentText(outcomes.reduce((sum, each) => sum + numberOf(group[each]), 0));
    },
  };
}

interface CsvColumn {
  readonly name: string;
  readonly text: (entry: AndroidDeliveryDataJson) => string;
}

type Fields = Readonly<Record<string, JsonValue | undefined>>;

/**
 * CSV columns: one for each figure, in contract order. Column names include the group, such as
 * `messageOutcomePercents.delivered`. Zero and empty values, which JSON omits, are written out. Unknown counts and
 * figures in an absent group are empty.
 */
const CSV_COLUMNS: readonly CsvColumn[] = columnsOf(AndroidDeliveryDataSchema, "", (entry) => entry);

function columnsOf(
  message: DescMessage,
  prefix: string,
  fieldsOf: (entry: AndroidDeliveryDataJson) => object | undefined,
): CsvColumn[] {
  return message.fields.flatMap((field) => {
    const jsonOf = (entry: AndroidDeliveryDataJson): JsonValue | undefined =>
      (fieldsOf(entry) as Fields | undefined)?.[field.jsonName];
    const name = prefix + field.jsonName;
    if (field.fieldKind === "message") {
      if (field.message.typeName === DateSchema.typeName)
        return [{ name, text: (entry) => dateText(jsonOf(entry) as DateJson | undefined) }];
      return columnsOf(
        field.message,
        field.message.typeName === DataSchema.typeName ? prefix : `${name}.`,
        (entry) => jsonOf(entry) as object | undefined,
      );
    }
    const count = COUNT_NAMES.find((each) => each === field.jsonName);
    if (count !== undefined)
      return [{ name, text: (entry) => knownCount(count, fieldsOf(entry) as DataJson | undefined) ?? "" }];
    const absent = textOfDefault(field);
    return [
      {
        name,
        text: (entry) => (fieldsOf(entry) === undefined ? "" : String(jsonOf(entry) ?? absent)),
      },
    ];
  });
}

function textOfDefault(field: DescField): string {
  if (field.fieldKind !== "scalar") throw new Error(`${field.toString()} cannot be a table column`);
  return field.scalar === ScalarType.STRING ? "" : "0";
}

type Entries = Pages<AndroidDeliveryDataJson>;

/** Width of the table, and the number of apps in the list. */
export interface EntrySpace extends TableSpace {
  /** True if the list may contain entries of several apps. */
  readonly manyApps: boolean;
}

/** Formats entries, page by page. */
export type Format = (pages: Entries, space: EntrySpace) => AsyncGenerator<string>;

/** Formats by `--format` name. */
export const FORMATS = {
  table: (pages, space) =>
    table(
      pages,
      TABLE_COLUMNS.filter(({ title }) => space.manyApps || title !== "app"),
      space,
    ),
  json,
  ndjson,
  csv,
} satisfies Record<string, Format>;

/** Formats entries as CSV (RFC 4180) with a header. */
async function* csv(pages: Entries): AsyncGenerator<string> {
  yield csvOf([CSV_COLUMNS.map(({ name }) => name)]);
  for await (const entries of pages)
    yield csvOf(entries.map((entry) => CSV_COLUMNS.map(({ text }) => text(entry))));
}

const csvOf = (records: readonly (readonly string[])[]): string =>
  stringify([...records], { record_delimiter: "\r\n" });
