import type { DescField, DescMessage, JsonValue } from "@bufbuild/protobuf";
import {
  type AndroidDeliveryDataJson,
  type DataJson,
  DataSchema,
  ProxyNotificationInsightPercentsSchema,
} from "../../gen/waybill/messagingdata/v1beta1/delivery_data_pb.js";
import { dayOf } from "./csv-columns.js";

/** A column of the Parquet output: its name, its type in SQL, and the value of an entry. */
export interface ParquetColumn {
  readonly name: string;
  readonly type: "VARCHAR" | "DATE" | "BIGINT" | "DOUBLE";
  /** `null` for the figures of a group without a denominator. */
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
  { name: "date", type: "DATE", value: ({ date }) => dayOf(date) },
  { name: "analytics_label", type: "VARCHAR", value: ({ analyticsLabel = "" }) => analyticsLabel },
  countColumn("count_messages_accepted", acceptedOf),
  countColumn("count_notifications_accepted", notificationsOf),
  ...DataSchema.fields.flatMap((field) =>
    field.fieldKind === "message" ? groupColumns(field, field.message) : [],
  ),
];

function acceptedOf({ countMessagesAccepted = "0" }: DataJson): bigint {
  return BigInt(countMessagesAccepted);
}

function notificationsOf({ countNotificationsAccepted = "0" }: DataJson): bigint {
  return BigInt(countNotificationsAccepted);
}

function countColumn(name: string, countOf: (data: DataJson) => bigint): ParquetColumn {
  return { name, type: "BIGINT", value: ({ data = {} }) => countOf(data) };
}

function groupColumns(group: DescField, message: DescMessage): ParquetColumn[] {
  const ofNotifications = message.typeName === ProxyNotificationInsightPercentsSchema.typeName;
  const denominatorOf = ofNotifications ? notificationsOf : acceptedOf;
  return message.fields.flatMap((field): ParquetColumn[] => {
    const percentOf = ({ data = {} }: AndroidDeliveryDataJson): number | null => {
      const figures = (data as Fields)[group.jsonName] as Fields | undefined;
      return figures === undefined ? null : Number(figures[field.jsonName] ?? 0);
    };
    const countOf = (entry: AndroidDeliveryDataJson): bigint | null => {
      const percent = percentOf(entry);
      return percent === null ? null : countBehind(percent, denominatorOf(entry.data ?? {}));
    };
    return [
      { name: field.name, type: "BIGINT", value: countOf },
      { name: `${field.name}_percent`, type: "DOUBLE", value: percentOf },
    ];
  });
}

/**
 * Returns the count of a percentage, which is `100 * count / denominator` as an IEEE 754 double: exact for
 * denominators up to 2⁴⁸.
 */
const countBehind = (percent: number, denominator: bigint): bigint =>
  BigInt(Math.round((percent * Number(denominator)) / 100));
