import type { DateJson } from "../gen/google/type/date_pb.js";
import type { AnnotationJson } from "../gen/waybill/messagingdata/v1beta1/annotation_pb.js";
import type { DataJson } from "../gen/waybill/messagingdata/v1beta1/delivery_data_pb.js";

/** Formats a date as `YYYY-MM-DD`, or as `YYYY-MM` or `YYYY` for the partial dates of mirrored entries. */
export function dateText({ year = 0, month = 0, day = 0 }: DateJson = {}): string {
  const parts = [month, day].filter((part) => part > 0).map((part) => String(part).padStart(2, "0"));
  return [String(year).padStart(4, "0"), ...parts].join("-");
}

/** Returns an annotation's text and date; an empty string for no annotation. */
export const annotationText = (annotation: Pick<AnnotationJson, "text" | "date"> | undefined): string =>
  annotation === undefined ? "" : `${annotation.text} (${dateText(annotation.date)})`;

/** Returns the text for a label. The text for "no label" has parentheses, which a label cannot contain. */
export const labelText = (label: string | undefined): string => label || "(no label)";

export const COUNT_NAMES = ["countMessagesAccepted", "countNotificationsAccepted"] as const;

/**
 * Returns a count of an entry in ProtoJSON, in which zeros are omitted. Returns `undefined` if the count is unknown. An
 * entry from events always has accepted messages. If an entry has no number of accepted messages, upstream has omitted
 * it, so that an absent count does not mean zero. The same applies to the number of notifications if the entry has
 * percentages of notifications.
 */
export function knownCount(name: (typeof COUNT_NAMES)[number], data: DataJson = {}): string | undefined {
  const { countMessagesAccepted, countNotificationsAccepted, proxyNotificationInsightPercents } = data;
  if (name === "countMessagesAccepted") return countMessagesAccepted;
  const isZero = countMessagesAccepted !== undefined && proxyNotificationInsightPercents === undefined;
  return countNotificationsAccepted ?? (isZero ? "0" : undefined);
}

/** Converts a number from ProtoJSON, in which zeros are omitted. */
export const numberOf = (value: number | string | undefined): number => Number(value ?? 0);
