import type { DeliveryDataGroupJson } from "../../../src/gen/waybill/messagingdata/v1beta1/messaging_data_pb.js";
import type { Day } from "../../../src/model/day.js";
import { dayOfJson } from "../days/day-json.js";
import { type Counts, countsOf } from "../numbers/counts.js";

/** The sums of some entries. */
export interface DeliveryGroup {
  /** Undefined unless they were grouped by date. */
  readonly day: Day | undefined;
  /** Empty for messages without a label, and unless they were grouped by label. */
  readonly label: string;
  readonly counts: Counts;
}

/** Reads a group as the service sends it. */
export function groupOf({ date, analyticsLabel = "", counts = {} }: DeliveryDataGroupJson): DeliveryGroup {
  return { day: date && dayOfJson(date), label: analyticsLabel, counts: countsOf(counts) };
}
