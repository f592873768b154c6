import type { DescField, DescMessage, JsonValue } from "@bufbuild/protobuf";
import {
  type AndroidDeliveryDataJson,
  type DataJson,
  DataSchema,
} from "../../gen/waybill/messagingdata/v1beta1/delivery_data_pb.js";
import { denominatorOf } from "../../model/event-types.js";
import { dateText } from "../../presentation/date-text.js";
import { knownCount } from "../../presentation/known-count.js";

/** A column of the Parquet output: its name, its type in SQL, and the value of an entry. */
export interface ParquetColumn {
  readonly name: string;
  readonly type: "VARCHAR" | "DATE" | "BIGINT" | "DOUBLE";
  /** `null` for the figures of a group without a denominator, and for what is not known. */
  readonly value: (entry: AndroidDeliveryDataJson) => string | number | bigint | null;
}

/** Fields of a message in ProtoJSON; those with the value 0 are missing. */
type Fields = Readonly<Record<string, JsonValue | undefined>>;

/**
 * The columns of an entry: app, date and label, the two counts of accepted messages, and two columns for each
 * percentage, such as `delivered`, the count, and `delivered_percent`.
 */
export const PARQUET_COLUMNS: readonly ParquetColumn[] = [
  { name: "app_id", type: "VARCHAR", value: ({ appId = "" }) => appId },
  // Of a date in part, its first day.
  { name: "date", type: "DATE", value: ({ date }) => dateText(date) },
  { name: "analytics_label", type: "VARCHAR", value: ({ analyticsLabel = "" }) => analyticsLabel },
  countColumn("count_messages_accepted", "countMessagesAccepted"),
  countColumn("count_notifications_accepted", "countNotificationsAccepted"),
  ...DataSchema.fields.flatMap((field) =>
    field.fieldKind === "message" ? groupColumns(field, field.message) : [],
  ),
];

type CountOfData = Parameters<typeof knownCount>[0];

function countOfData(count: CountOfData, data: DataJson | undefined): bigint | null {
  const known = knownCount(count, data);
  return known === undefined ? null : BigInt(known);
}

function countColumn(name: string, count: CountOfData): ParquetColumn {
  return { name, type: "BIGINT", value: ({ data }) => countOfData(count, data) };
}

function groupColumns(group: DescField, message: DescMessage): ParquetColumn[] {
  const denominator = denominatorOf(message).jsonName as CountOfData;
  return message.fields.flatMap((field): ParquetColumn[] => {
    const percentOf = ({ data = {} }: AndroidDeliveryDataJson): number | null => {
      const figures = (data as Fields)[group.jsonName] as Fields | undefined;
      return figures === undefined ? null : Number(figures[field.jsonName] ?? 0);
    };
    const countOf = (entry: AndroidDeliveryDataJson): bigint | null => {
      const percent = percentOf(entry);
      const accepted = countOfData(denominator, entry.data);
      return percent === null || accepted === null ? null : countBehind(percent, accepted);
    };
    return [
      { name: field.name, type: "BIGINT", value: countOf },
      { name: `${field.name}_percent`, type: "DOUBLE", value: percentOf },
    ];
  });
}

/**
 * Returns the count of a percentage, which is `100 * count / denominator` as an IEEE 754 double: exact for
 * denominators up to 2⁴⁸, unless the original of a mirror rounded it.
 */
const countBehind = (percent: number, denominator: bigint): bigint =>
  BigInt(Math.round((percent * Number(denominator)) / 100));
