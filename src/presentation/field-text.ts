import type { DateJson } from "../gen/google/type/date_pb.js";
import type { DataJson } from "../gen/waybill/messagingdata/v1beta1/delivery_data_pb.js";

/** Formats a date as `YYYY-MM-DD`, or as `YYYY-MM` or `YYYY` for the partial dates of mirrored entries. */
export function dateText({ year = 0, month = 0, day = 0 }: DateJson = {}): string {
  const parts = [month, day].filter((part) => part > 0).map((part) => String(part).padStart(2, "0"));
  return [String(year).padStart(4, "0"), ...parts].join("-");
}

/** Returns the text for a label. Labels have no parentheses, so the text for no label is unambiguous. */
export const labelText = (label: string | undefined): string => label || "(no label)";

/** Names of an entry's counts. */
export const COUNT_NAMES = ["countMessagesAccepted", "countNotificationsAccepted"] as const;

/**
 * Returns a count of an entry in ProtoJSON, which omits zeros; `undefined` if the count is unknown. Every computed entry has
 * accepted messages. In an entry without their number, the upstream service omitted it, so absent does not mean zero. The same
 * applies to the number of notifications if there are percentages of notifications.
 */
export function knownCount(name: (typeof COUNT_NAMES)[number], data: DataJson = {}): string | undefined {
  const { countMessagesAccepted, countNotificationsAccepted, proxyNotificationInsightPercents } = data;
  if (name === "countMessagesAccepted") return countMessagesAccepted;
  const isZero = countMessagesAccepted !== undefined && proxyNotificationInsightPercents === undefined;
  return countNotificationsAccepted ?? (isZero ? "0" : undefined);
}

/** Converts a number from ProtoJSON, which omits zeros. */
export const numberOf = (value: number | string | undefined): number => Number(value ?? 0);
