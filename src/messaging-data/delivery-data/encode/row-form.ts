import type { DescField, DescMessage } from "@bufbuild/protobuf";
import type { EncodedBinary, EncodedJson } from "../../../api/encoded-response.js";
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

/** Columns of entries, or of sums of entries. */
export type Rows = GroupColumns & OriginalColumns;

/** Encodes one response directly from columns of counts. A row with an original is encoded as its original. */
export interface RowEncoder {
  /** Adds the rows with indexes from `from` to `to` (exclusive). */
  add(rows: Rows, from: number, to: number): void;
  /** Completes the response. @param nextPageToken token of the next page; empty on the last page. */
  finish(nextPageToken?: string): EncodedRows;
}

/** Maps the store's columns to fields of the contract. */
export interface RowForm {
  readonly row: DescMessage;
  /** Response field with the rows. */
  readonly rows: DescField;
  readonly nextPageToken?: DescField;
  /** Field for the app id. Omitted if rows have no such field. */
  readonly appId?: DescField;
  readonly date: DescField;
  readonly label: DescField;
  /** Row field with the figures. Every row has it, and only the fields in {@link ofOriginals} may follow it. */
  readonly figures: DescField;
  readonly figureFields: readonly FigureField[];
  /** Fields that a sum has if it includes mirrored entries, sorted by field number. */
  readonly ofOriginals?: {
    /** Field that is true in each such sum. */
    readonly fromPercentages: DescField;
    /** Field with the number of entries that the sum omits because they have no counts. */
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
