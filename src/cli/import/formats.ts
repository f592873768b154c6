import type { EventMap } from "./event-map.js";
import type { BigQueryColumn } from "./rows/bigquery-rows.js";

/**
 * Maps the table `firebase_messaging.data` in BigQuery, to which Firebase Cloud Messaging exports its events
 * (https://firebase.google.com/docs/cloud-messaging/understand-delivery).
 */
const FCM_BIGQUERY: EventMap = {
  appId: { column: "app_name" },
  // A message id may occur for several instances. The queries in FCM's documentation count pairs of message and
  // instance, too.
  messageId: { columns: ["message_id", "instance_id"], empty: "drop" },
  // BigQuery prints times in UTC, with or without an offset.
  eventTime: { column: "event_timestamp", format: "iso", offset: "Z" },
  // Other event names mean that FCM rejected the request. Then there is no message.
  eventType: {
    column: "event",
    values: { MESSAGE_ACCEPTED: "ACCEPTED", MESSAGE_DELIVERED: "DELIVERED" },
    others: "drop",
  },
  analyticsLabel: { column: "analytics_label" },
  notification: { column: "message_type", values: { DISPLAY_NOTIFICATION: true }, others: false },
  // The export does not contain whether a device shares usage and diagnostics.
  usageReportingOptIn: { value: true },
  only: { sdk_platform: ["ANDROID"] },
  // A row for a request to a topic. Its messages have separate rows.
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

/** Columns of the export's tables, in documented order. Newer tables have an additional column. */
const FCM_BIGQUERY_LAYOUTS: readonly (readonly BigQueryColumn[])[] = [
  [...BEFORE, ...AFTER],
  [...BEFORE, column("device_recently_active"), ...AFTER],
];

/**
 * Maps the reliability states of the push server autopush-rs, with one row per state of a message
 * (https://github.com/mozilla-services/autopush-rs/blob/HEAD/docs/src/reliability.md).
 */
const AUTOPUSH: EventMap = {
  messageId: { columns: ["reliability_id"], empty: "error" },
  eventTime: { column: "timestamp", format: "milliseconds" },
  eventType: {
    column: "state",
    values: {
      received: "ACCEPTED",
      stored: "STORED",
      delivered: "DELIVERED",
      expired: "DROPPED_TTL_EXPIRED",
      // States between acceptance and outcome.
      retrieved: "drop",
      int_transmitted: "drop",
      int_accepted: "drop",
      transmitted: "drop",
      accepted: "drop",
      // Final states that match no outcome.
      bridge_transmitted: "drop",
      decryption_error: "drop",
      not_delivered: "drop",
      errored: "drop",
    },
    others: "drop",
  },
  // The server only tracks messages of senders that have agreed to tracking.
  usageReportingOptIn: { value: true },
  only: {},
  except: {},
};

/** A log format other than events. */
export interface LogFormat {
  readonly map: EventMap;
  /** Column lists that the log's BigQuery table may have. Each list has a different length. */
  readonly layouts?: readonly (readonly BigQueryColumn[])[];
}

/** Formats by `--format` name. The format `events` is not included, because it needs no map. */
export const FORMATS = {
  "fcm-bigquery": { map: FCM_BIGQUERY, layouts: FCM_BIGQUERY_LAYOUTS },
  autopush: { map: AUTOPUSH },
} satisfies Record<string, LogFormat>;
