import type { DataJson } from "../gen/waybill/messagingdata/v1beta1/delivery_data_pb.js";

/** The names of the counts of an entry. */
export const COUNT_NAMES = ["countMessagesAccepted", "countNotificationsAccepted"] as const;

/**
 * Returns a count of an entry in ProtoJSON, which omits zeros; `undefined` if it is not known. Computed entries have accepted
 * messages: in an entry without their number, the original of a mirror left it out, and absent is not zero. Percentages of
 * notifications without their number say the same of it.
 */
export function knownCount(name: (typeof COUNT_NAMES)[number], data: DataJson = {}): string | undefined {
  const { countMessagesAccepted, countNotificationsAccepted, proxyNotificationInsightPercents } = data;
  if (name === "countMessagesAccepted") return countMessagesAccepted;
  const isZero = countMessagesAccepted !== undefined && proxyNotificationInsightPercents === undefined;
  return countNotificationsAccepted ?? (isZero ? "0" : undefined);
}
