import type { EventMap } from "./event-map.js";
import type { BigQueryColumn } from "./rows/bigquery-rows.js";

/**
 * Rows of the table `firebase_messaging.data`, to which Firebase Cloud Messaging exports its events
 * (https://firebase.google.com/docs/cloud-messaging/understand-delivery).
 */
const FCM_BIGQUERY: EventMap = {
  appId: { column: "app_name" },
  // Message ids may repeat; the export's own queries count pairs of message and instance.
  messageId: { columns: ["message_id", "instance_id"], empty: "drop" },
  // BigQuery prints times in UTC, with or without an offset.
  eventTime: { column: "event_timestamp", format: "iso", offset: "Z" },
  // Every other event is a rejected request: no message was accepted.
  eventType: {
    column: "event",
    values: { MESSAGE_ACCEPTED: "ACCEPTED", MESSAGE_DELIVERED: "DELIVERED" },
    others: "drop",
  },
  analyticsLabel: { column: "analytics_label" },
  notification: { column: "message_type", values: { DISPLAY_NOTIFICATION: true }, others: false },
  // The export does not show which devices share usage and diagnostics.
  usageReportingOptIn: { value: true },
  only: { sdk_platform: ["ANDROID"] },
  // A request to a topic. Its messages have separate rows.
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

/** Columns of the export's tables in their documented order. Newer tables have one more. */
const FCM_BIGQUERY_LAYOUTS: readonly (readonly BigQueryColumn[])[] = [
  [...BEFORE, ...AFTER],
  [...BEFORE, column("device_recently_active"), ...AFTER],
];

/**
 * Reliability states of the push server autopush-rs, one row per state of a message
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
      // Intermediate states.
      retrieved: "drop",
      int_transmitted: "drop",
      int_accepted: "drop",
      transmitted: "drop",
      accepted: "drop",
      // Final states without a matching outcome.
      bridge_transmitted: "drop",
      decryption_error: "drop",
      not_delivered: "drop",
      errored: "drop",
    },
    others: "drop",
  },
  // The server tracks only messages of senders that have agreed to it.
  usageReportingOptIn: { value: true },
  only: {},
  except: {},
};

/** A log in another format. */
export interface LogFormat {
  readonly map: EventMap;
  /** Possible column lists of the log's BigQuery table, each with a different length. */
  readonly layouts?: readonly (readonly BigQueryColumn[])[];
}

/** Formats by `--format` name, except `events`, which needs no map. */
export const FORMATS = {
  "fcm-bigquery": { map: FCM_BIGQUERY, layouts: FCM_BIGQUERY_LAYOUTS },
  autopush: { map: AUTOPUSH },
} satisfies Record<string, LogFormat>;
