import { type DescField, type DescMessage, type JsonValue, ScalarType } from "@bufbuild/protobuf";
import { type DateJson, DateSchema } from "../../gen/google/type/date_pb.js";
import {
  type AndroidDeliveryDataJson,
  AndroidDeliveryDataSchema,
  type DataJson,
  DataSchema,
} from "../../gen/waybill/messagingdata/v1beta1/delivery_data_pb.js";
import { dateText } from "../../presentation/date-text.js";
import { COUNT_NAMES, knownCount } from "../../presentation/known-count.js";

/** A column of the CSV output. */
export interface CsvColumn {
  readonly name: string;
  readonly text: (entry: AndroidDeliveryDataJson) => string;
}

type Fields = Readonly<Record<string, JsonValue | undefined>>;

/**
 * One column for each figure of an entry, in the order of the contract. A figure's name is prefixed with its
 * group, such as `messageOutcomePercents.delivered`; the date is one column. Values that JSON omits because
 * they are 0 or empty are written out. The figures of a missing group, which has no denominator, are left empty, as are
 * counts that are not known.
 */
export const CSV_COLUMNS: readonly CsvColumn[] = columnsOf(AndroidDeliveryDataSchema, "", (entry) => entry);

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
  if (field.fieldKind !== "scalar") throw new Error(`${field.toString()} has no place in a table`);
  return field.scalar === ScalarType.STRING ? "" : "0";
}
