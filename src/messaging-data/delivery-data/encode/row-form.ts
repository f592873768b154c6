import type { DescField, DescMessage } from "@bufbuild/protobuf";
import { AndroidDeliveryDataSchema } from "../../../gen/waybill/messagingdata/v1beta1/delivery_data_pb.js";
import {
  AggregateAndroidDeliveryDataResponseSchema,
  DeliveryDataGroupSchema,
  ListAndroidDeliveryDataResponseSchema,
} from "../../../gen/waybill/messagingdata/v1beta1/messaging_data_pb.js";
import { COUNT_FIELDS, DATA_FIELDS, type FigureField } from "./figure-fields.js";

/** Maps the columns of the store to the fields of the contract. */
export interface RowForm {
  readonly row: DescMessage;
  /** The answer's field with the rows. */
  readonly rows: DescField;
  readonly nextPageToken?: DescField;
  /** The fields of a row; omitted if there is no such column. */
  readonly appId?: DescField;
  readonly date: DescField;
  readonly label: DescField;
  /** The row's field with the figures: always present; only those of {@link ofOriginals} follow it. */
  readonly figures: DescField;
  /** The fields of the figures. */
  readonly figureFields: readonly FigureField[];
  /** The fields of sums of rows with originals, in the order of their numbers. */
  readonly ofOriginals?: {
    /** True in each of them. */
    readonly fromPercentages: DescField;
    /** The `withoutCounts` of the row. */
    readonly withoutCounts: DescField;
  };
}

const PAGE = ListAndroidDeliveryDataResponseSchema.field;
const ENTRY = AndroidDeliveryDataSchema.field;
const GROUP = DeliveryDataGroupSchema.field;

/** The rows of a `ListAndroidDeliveryDataResponse`. */
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

/** The rows of an `AggregateAndroidDeliveryDataResponse`. */
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
