import { deepStrictEqual, ok } from "node:assert/strict";
import { MessageEvent_EventTypeSchema as EventTypeSchema } from "../../src/gen/waybill/messagingdata/v1beta1/message_event_pb.js";
import { type LineViolation, readEventLine } from "../../src/messaging-data/events/event-line.js";
import { EventScanner } from "../../src/messaging-data/events/event-scanner.js";
import { acceptedAt } from "../../src/messaging-data/events/event-time.js";
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
];

const scanner = new EventScanner();
const MAX_LINE = 65_536;
const NEWLINE = 0x0a;
const BEFORE = Buffer.from('true,"appId":"x","messageId":"y"}\n{"appId":"z" '.repeat(30));

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
    for (const { days, expected } of RANGES) {
      const violations: LineViolation[] = [];
      const event = readEventLine(input, 17, days, violations);
      deepStrictEqual(event, expected.read(input), "not as the decisions say");
      ok(event === undefined ? violations.length > 0 : violations.length === 0, "an event, and violations");
      for (const { line, field, description } of violations) {
        ok(line === 17 && field.length < 200, field);
        ok(description.length < 300, description);
      }
      if (input.length === 0 || input.length > MAX_LINE || input.includes(NEWLINE)) continue;
      // The previous bytes in its memory would mislead a reader that reads past the end.
      scanner.open([BEFORE], MAX_LINE, days);
      scanner.scan(0);
      scanner.open([input], MAX_LINE, days);
      if (scanner.scan(0) === input.length) {
        const fast = scanner.take();
        ok(event !== undefined, "the scanner reads an invalid line");
        scanner.open([input], MAX_LINE, days);
        scanner.countLine();
        scanner.add(event);
        deepStrictEqual(fast, scanner.take(), "the scanner reads another event");
      }
    }
  },
};
