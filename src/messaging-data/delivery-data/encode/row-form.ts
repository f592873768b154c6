import type { DescField, DescMessage } from "@bufbuild/protobuf";
import type { EncodedBinary, EncodedJson } from "../../../api/encoded-answer.js";
import { AndroidDeliveryDataSchema } from "../../../gen/waybill/messagingdata/v1beta1/delivery_data_pb.js";
import {
  AggregateAndroidDeliveryDataResponseSchema,
  DeliveryDataGroupSchema,
  ListAndroidDeliveryDataResponseSchema,
} from "../../../gen/waybill/messagingdata/v1beta1/messaging_data_pb.js";
import type { GroupColumns, OriginalColumns } from "../../../store/delivery-data-store.js";
import { COUNT_FIELDS, DATA_FIELDS, type FigureField } from "./figure-fields.js";

/** An encoded response, ready to send. */
export type EncodedRows = EncodedJson | EncodedBinary;

/** Rows of entries or sums. */
export type Rows = GroupColumns & OriginalColumns;

/**
 * Encodes one response directly from columns of counts. Rows with originals are encoded as their originals.
 */
export interface RowEncoder {
  /** Adds the rows from index `from` up to, but not including, `to`. */
  add(rows: Rows, from: number, to: number): void;
  /** Completes the response. @param nextPageToken empty on the last page. */
  finish(nextPageToken?: string): EncodedRows;
}

/** Maps columns of the store to fields of the contract. */
export interface RowForm {
  readonly row: DescMessage;
  /** The response field that contains the rows. */
  readonly rows: DescField;
  readonly nextPageToken?: DescField;
  /** Fields of a row; omitted if there is no such column. */
  readonly appId?: DescField;
  readonly date: DescField;
  readonly label: DescField;
  /** The row field that contains the figures. It is always present, and only {@link ofOriginals} may follow it. */
  readonly figures: DescField;
  /** Fields of the figures. */
  readonly figureFields: readonly FigureField[];
  /** Fields of sums over rows with originals, by ascending field number. */
  readonly ofOriginals?: {
    /** True in each such sum. */
    readonly fromPercentages: DescField;
    /** Field for the number of entries that the sum omits because they have no counts. */
    readonly withoutCounts: DescField;
  };
}

const PAGE = ListAndroidDeliveryDataResponseSchema.field;
const ENTRY = AndroidDeliveryDataSchema.field;
const GROUP = DeliveryDataGroupSchema.field;

/** Rows of a `ListAndroidDeliveryDataResponse`. */
export const ENTRY_FORM: RowForm = {
  row: AndroidDeliveryDataSchema,
  rows: PAGE.androidDeliveryData,
  nextPageToken: PAGE.nextPageToken,
  appId: ENTRY.appId,
  date: ENTRY.date,
  label: ENTRY.analyticsLabel,
  figures: ENTRY.data,
  figureFields: DATA_FIELDS,
};

/** Rows of an `AggregateAndroidDeliveryDataResponse`. */
export const GROUP_FORM: RowForm = {
  row: DeliveryDataGroupSchema,
  rows: AggregateAndroidDeliveryDataResponseSchema.field.groups,
  appId: GROUP.appId,
  date: GROUP.date,
  label: GROUP.analyticsLabel,
  figures: GROUP.counts,
  figureFields: COUNT_FIELDS,
  ofOriginals: { fromPercentages: GROUP.fromPercentages, withoutCounts: GROUP.excludedEntryCount },
};
