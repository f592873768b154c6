import { deepStrictEqual, ok } from "node:assert/strict";
import { MessageEvent_EventTypeSchema as EventTypeSchema } from "../../src/gen/waybill/messagingdata/v1beta1/message_event_pb.js";
import {
  type LineViolation,
  type MessageEvent,
  readEventLine,
} from "../../src/messaging-data/events/event-line.js";
import { acceptedAt } from "../../src/messaging-data/events/event-time.js";
import { FastEventLine } from "../../src/messaging-data/events/fast-event-line.js";
import { ALL_DAYS } from "../../src/messaging-data/events/testing/all-days.js";
import { dayOfCivil } from "../../src/model/day.js";
import type { FuzzTarget } from "../engine/fuzz-target.js";
import { ExpectedEvents } from "../oracles/event-line.js";
import { EVENT_LINES, EVENT_WORDS } from "./event-seeds.js";

const TYPES = new Map(
  EventTypeSchema.values.filter(({ number }) => number !== 0).map(({ name, number }) => [name, number]),
);

/** The days that the decisions accept at a fixed time, and all days. */
const RANGES = [
  {
    days: acceptedAt(Date.UTC(2026, 2, 8, 12), { from: dayOfCivil(1970, 1, 1), ahead: 2 }),
    expected: new ExpectedEvents(TYPES, ["1970-01-01", "2026-03-10"]),
  },
  { days: ALL_DAYS, expected: new ExpectedEvents(TYPES, ["0001-01-01", "9999-12-31"]) },
].map((range) => ({ ...range, fast: new FastEventLine(range.days) }));

/**
 * The slow reader follows the decisions on message events; the fast one accepts only what the slow one
 * accepts, with the same result.
 */
export const eventLine: FuzzTarget = {
  name: "event-line",
  boundedInputs: 8_000,
  seeds: EVENT_LINES,
  words: EVENT_WORDS,
  run(input) {
    for (const { days, expected, fast } of RANGES) {
      const violations: LineViolation[] = [];
      const event = readEventLine(input, 17, days, violations);
      deepStrictEqual(event, expected.read(input), "not as the decisions say");
      ok(event === undefined ? violations.length > 0 : violations.length === 0, "an event, and violations");
      for (const { line, field, description } of violations) {
        ok(line === 17 && field.length < 200, field);
        ok(description.length < 300, description);
      }
      // The surrounding bytes would mislead a reader that reads past the end.
      const surrounded = Buffer.concat([Buffer.from('true}"'), input, Buffer.from('" :true}\n')]);
      const end = 6 + input.length;
      if (fast.read(surrounded, 6, end) && fast.lineEnd === end) {
        deepStrictEqual(eventOf(fast, surrounded), event, "the fast reader reads another event");
      }
    }
  },
};

/** The event that the fast reader has read. Only ACCEPTED has a label and notification. */
function eventOf(fast: FastEventLine, bytes: Buffer): MessageEvent {
  const { appStart, appEnd, messageStart, messageEnd, labelStart, labelEnd } = fast;
  const { eventTime, eventType, notification, usageReportingOptIn } = fast;
  const accepted = eventType === TYPES.get("ACCEPTED");
  return {
    appId: bytes.toString("utf8", appStart, appEnd),
    messageId: bytes.toString("utf8", messageStart, messageEnd),
    eventTime,
    eventType,
    analyticsLabel: accepted ? bytes.toString("utf8", labelStart, labelEnd) : "",
    notification: accepted && notification,
    usageReportingOptIn,
  };
}
