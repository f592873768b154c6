import type { EventMap } from "./event-map.js";

/** The names of the columns that a map reads. */
export function columnsOf(map: EventMap): readonly string[] {
  const { appId, messageId, eventTime, eventType, analyticsLabel, notification, usageReportingOptIn } = map;
  const fields = [appId, eventTime, eventType, analyticsLabel, notification, usageReportingOptIn];
  const single = fields.flatMap((field) => field?.column ?? []);
  return [
    ...new Set([...single, ...messageId.columns, ...Object.keys(map.only), ...Object.keys(map.except)]),
  ];
}
