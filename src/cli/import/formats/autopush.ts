import type { EventMap } from "../event-map.js";

/**
 * Reliability states of the push server autopush-rs, a row for each state that a message entered
 * (https://github.com/mozilla-services/autopush-rs/blob/HEAD/docs/src/reliability.md).
 */
export const AUTOPUSH: EventMap = {
  messageId: { columns: ["reliability_id"], empty: "error" },
  eventTime: { column: "timestamp", format: "milliseconds" },
  eventType: {
    column: "state",
    values: {
      received: "ACCEPTED",
      stored: "STORED",
      delivered: "DELIVERED",
      expired: "DROPPED_TTL_EXPIRED",
      // Steps on the way.
      retrieved: "drop",
      int_transmitted: "drop",
      int_accepted: "drop",
      transmitted: "drop",
      accepted: "drop",
      // Ends that no outcome stands for.
      bridge_transmitted: "drop",
      decryption_error: "drop",
      not_delivered: "drop",
      errored: "drop",
    },
    others: "drop",
  },
  // The server tracks only messages of senders that agreed to it.
  usageReportingOptIn: { value: true },
  only: {},
  except: {},
};
