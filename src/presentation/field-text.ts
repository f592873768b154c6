import type { DateJson } from "../gen/google/type/date_pb.js";
import type { DataJson } from "../gen/waybill/messagingdata/v1beta1/delivery_data_pb.js";

/** Formats a date as `YYYY-MM-DD`, `YYYY-MM` or `YYYY`; only mirrored entries have dates in part. */
export function dateText({ year = 0, month = 0, day = 0 }: DateJson = {}): string {
  const parts = [month, day].filter((part) => part > 0).map((part) => String(part).padStart(2, "0"));
  return [String(year).padStart(4, "0"), ...parts].join("-");
}

/** Text for a label. That of messages without one cannot be confused with a label: labels have no parentheses. */
export const labelText = (label: string | undefined): string => label || "(no label)";

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

/** Returns a number of ProtoJSON, which omits zeros. */
export const numberOf = (value: number | string | undefined): number => Number(value ?? 0);
