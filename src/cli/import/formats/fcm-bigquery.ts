import type { EventMap } from "../event-map.js";
import type { BigQueryColumn } from "../rows/bigquery-rows.js";

/**
 * Rows of the table `firebase_messaging.data`, to which Firebase Cloud Messaging exports its events
 * (https://firebase.google.com/docs/cloud-messaging/understand-delivery).
 */
export const FCM_BIGQUERY: EventMap = {
  appId: { column: "app_name" },
  // Message ids may repeat; the export's own queries count pairs of message and instance.
  messageId: { columns: ["message_id", "instance_id"], empty: "drop" },
  // BigQuery prints times in UTC, with or without saying so.
  eventTime: { column: "event_timestamp", format: "iso", offset: "Z" },
  // Every other event is the rejection of a request: no message was accepted.
  eventType: {
    column: "event",
    values: { MESSAGE_ACCEPTED: "ACCEPTED", MESSAGE_DELIVERED: "DELIVERED" },
    others: "drop",
  },
  analyticsLabel: { column: "analytics_label" },
  notification: { column: "message_type", values: { DISPLAY_NOTIFICATION: true }, others: false },
  // The export does not say which devices share usage and diagnostics.
  usageReportingOptIn: { value: true },
  only: { sdk_platform: ["ANDROID"] },
  // The request to send to a topic; its messages have rows of their own.
  except: { message_type: ["TOPIC"] },
};

const column = (name: string): BigQueryColumn => ({
  name,
  type: name === "event_timestamp" ? "TIMESTAMP" : "STRING",
});
const BEFORE = [
  ...["event_timestamp", "project_number", "message_id", "instance_id", "message_type", "sdk_platform"],
  ...["app_name", "collapse_key", "priority", "ttl", "topic", "bulk_id"],
].map(column);
const AFTER = ["event", "analytics_label"].map(column);

/** The columns of the table in their documented order, without and with the one that newer tables have. */
export const FCM_BIGQUERY_LAYOUTS: readonly (readonly BigQueryColumn[])[] = [
  [...BEFORE, ...AFTER],
  [...BEFORE, column("device_recently_active"), ...AFTER],
];
