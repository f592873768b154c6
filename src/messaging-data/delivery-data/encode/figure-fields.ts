import { type DescField, type DescMessage, ScalarType } from "@bufbuild/protobuf";
import {
  DataSchema,
  DeliveryCountsSchema,
} from "../../../gen/waybill/messagingdata/v1beta1/delivery_data_pb.js";
import { denominatorOf } from "../../../model/event-types.js";
import { COUNTS, type CountName } from "../../../store/delivery-data-store.js";

export interface CountField {
  readonly kind: "count";
  readonly field: DescField;
  /** Index of the count in `EntryColumns.counts`. */
  readonly column: number;
}

/**
 * A group of percentages, with its counts' indexes in `EntryColumns.counts`. The group is omitted if its
 * denominator is 0.
 */
export interface GroupField {
  readonly kind: "group";
  readonly field: DescField;
  readonly denominator: number;
  readonly percents: readonly { readonly field: DescField; readonly column: number }[];
}

export type FigureField = CountField | GroupField;

/** Fields of `Data` in contract order, each with its counts' indexes. */
export const DATA_FIELDS: readonly FigureField[] = DataSchema.fields.map((field) =>
  field.fieldKind === "message" ? groupField(field, field.message) : countField(field),
);

/** Fields of `DeliveryCounts` in contract order. */
export const COUNT_FIELDS: readonly FigureField[] = DeliveryCountsSchema.fields.map(countField);

function countField(field: DescField): CountField {
  if (field.scalar === ScalarType.INT64) return { kind: "count", field, column: columnOf(field.name) };
  throw new Error(`${field} is neither a count nor a group`);
}

function groupField(field: DescField, message: DescMessage): GroupField {
  return {
    kind: "group",
    field,
    denominator: columnOf(denominatorOf(message).name),
    percents: message.fields.map((field) => ({ field, column: columnOf(field.name) })),
  };
}

/** Returns a count's index. Figures in the contract and counts in the store have the same names. */
function columnOf(name: string): number {
  const index = COUNTS.indexOf(name as CountName);
  if (index < 0) throw new Error(`no count is named ${name}`);
  return index;
}
