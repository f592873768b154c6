import { type Counts, countsOf } from "#console/model/numbers/counts.js";
import type { DeliveryDataGroupJson } from "#src/gen/waybill/messagingdata/v1beta1/messaging_data_pb.js";
import { type Day, dayOfJson } from "#src/model/day.js";

/** Sums of delivery-data entries. */
export interface DeliveryGroup {
  /** Undefined unless the sums are grouped by date. */
  readonly day: Day | undefined;
  /** Undefined unless the sums are grouped by app. */
  readonly app: string | undefined;
  /** Empty for messages without a label, and unless the sums are grouped by label. */
  readonly label: string;
  readonly counts: Counts;
}

/** Reads a group from the service's JSON. */
export function groupOf({
  appId,
  date,
  analyticsLabel = "",
  counts = {},
}: DeliveryDataGroupJson): DeliveryGroup {
  return { day: date && dayOfJson(date), app: appId, label: analyticsLabel, counts: countsOf(counts) };
}
