import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import {
  MessageEvent_EventType as EventType,
  MessageEvent_EventTypeSchema as EventTypeSchema,
} from "../../gen/waybill/messagingdata/v1beta1/message_event_pb.js";
import { dayOfCivil } from "../../model/day.js";
import { type LineViolation, type MessageEvent, readEventLine } from "./event-line.js";
import { acceptedAt } from "./event-time.js";
import { FastEventLine } from "./fast-event-line.js";

/** Accepted days. They include only some days of the lines below. */
const DAYS = acceptedAt(Date.UTC(2026, 2, 8), { from: dayOfCivil(1970, 1, 1), ahead: 1000 });

const fast = new FastEventLine(DAYS);

/** Reads a line amid other bytes with the fast reader. @returns `undefined` if the reader declines it. */
function readFast(line: Uint8Array): MessageEvent | undefined {
  const bytes = Buffer.concat([Buffer.from('}"\n'), line, Buffer.from('\n{"appId":"')]);
  const end = 3 + line.length;
  // A line break inside a line makes two lines.
  if (!fast.read(bytes, 3, end) || fast.lineEnd !== end) return undefined;
  const text = (start: number, end: number) => bytes.toString("utf8", start, end);
  const accepted = fast.eventType === EventType.ACCEPTED;
  return {
    appId: text(fast.appStart, fast.appEnd),
    messageId: text(fast.messageStart, fast.messageEnd),
    eventTime: fast.eventTime,
    eventType: fast.eventType,
    analyticsLabel: accepted ? text(fast.labelStart, fast.labelEnd) : "",
    notification: accepted && fast.notification,
    usageReportingOptIn: fast.usageReportingOptIn,
  };
}

function readFully(line: Uint8Array): MessageEvent | undefined {
  const violations: LineViolation[] = [];
  return readEventLine(line, 1, DAYS, violations);
}

/** Checks that the fast reader agrees with the full one; returns true if it accepted the line. */
function compare(line: Uint8Array): boolean {
  const event = readFast(line);
  if (event !== undefined) expect(event).toEqual(readFully(line));
  return event !== undefined;
}

const id = fc.oneof(
  fc.stringMatching(/^[a-zA-Z0-9:._-]{1,40}$/),
  fc.string({ minLength: 0, maxLength: 12, unit: "binary" }),
  fc.constantFrom("-", ".", "..", "-a", "x".repeat(256), "x".repeat(257), "a/b", '"', "\\", "\u007f"),
);
const event = fc.record(
  {
    appId: id,
    messageId: id,
    eventTime: fc.oneof(
      fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
      fc.constantFrom(
        "2026-03-08T01:59:59.999-08:00",
        "0001-01-01T00:00:00Z",
        "1969-12-31T23:59:59.999-08:00",
        "1970-01-01T00:00:00-08:00",
        "9999-12-31T23:59:59-12:00",
        "2026-02-30T00:00:00Z",
        "",
      ),
    ),
    eventType: fc.constantFrom(...EventTypeSchema.values.map(({ name }) => name), "OPENED"),
    analyticsLabel: fc.oneof(
      fc.stringMatching(/^[a-zA-Z0-9_.~%-]{0,50}$/),
      fc.constantFrom("a b", "é", "l".repeat(51)),
    ),
    notification: fc.boolean(),
    usageReportingOptIn: fc.boolean(),
  },
  { requiredKeys: ["appId", "messageId", "eventTime", "eventType"] },
);

/** Generates an event as any JSON writer might format it. */
const line = fc
  .record({
    event,
    order: fc.array(fc.nat(), { minLength: 7, maxLength: 7 }),
    spaces: fc.infiniteStream(fc.constantFrom("", "", "", " ", "  ", "\t", "\r")),
    escaped: fc.constantFrom(false, false, false, true),
    repeat: fc.constantFrom(false, false, false, true),
  })
  .map(({ event, order, spaces, escaped, repeat }) => {
    const space = () => spaces.next().value;
    const fields = Object.entries(event)
      .map((field, index) => ({ field, at: order[index] ?? 0 }))
      .sort((a, b) => a.at - b.at)
      .map(({ field }) => field);
    const [first] = fields;
    if (repeat && first !== undefined) fields.push(first);
    const body = fields
      .map(([key, value]) => `${space()}"${key}"${space()}:${space()}${JSON.stringify(value)}${space()}`)
      .join(",");
    const text = `{${body}}${space()}`;
    return Buffer.from(escaped ? text.replace(/[a-z]/, (c) => `\\u00${c.charCodeAt(0).toString(16)}`) : text);
  });

const VALID = {
  appId: "1:123456789012:android:0a1b2c3d4e5f",
  messageId: "0:1772712000%31bd1c9131bd1c91",
  eventTime: "2026-03-05T12:00:00.123Z",
  eventType: "ACCEPTED",
  analyticsLabel: "spring_sale",
  notification: true,
  usageReportingOptIn: true,
};

describe("FastEventLine", () => {
  test.each([
    ["JSON.stringify", JSON.stringify(VALID)],
    ["json.dumps", JSON.stringify(VALID).replaceAll(/(?<=")([:,])|(?<=true),/g, "$& ")],
    ["a writer that ends lines with CRLF", `${JSON.stringify(VALID)}\r`],
    [
      "a writer that omits false values",
      JSON.stringify({ ...VALID, analyticsLabel: undefined, notification: undefined }),
    ],
  ])("accepts lines as written by %s", (_, text) => {
    expect(compare(Buffer.from(text))).toBe(true);
  });

  test.each(EventTypeSchema.values.slice(1))("accepts the event type $name", ({ name, number }) => {
    expect(compare(Buffer.from(JSON.stringify({ ...VALID, eventType: name })))).toBe(true);
    expect(fast.eventType).toBe(number);
  });

  test.each(["", "yesterday", "2026-02-30T00:00:00Z", "0000-01-01T00:00:00Z"])(
    "does not accept a line with the time %j",
    (eventTime) => {
      expect(compare(Buffer.from(JSON.stringify({ ...VALID, eventTime })))).toBe(false);
      expect(compare(Buffer.from(JSON.stringify({ ...VALID, eventTime: 5 })))).toBe(false);
    },
  );

  it("reads one of several lines, and returns its end", () => {
    const line = JSON.stringify(VALID);
    const bytes = Buffer.from(`${line}\n${line.replace("spring_sale", "sale")} \r\n${line}`);
    const read: [string, number][] = [];
    for (let start = 0; start < bytes.length; start = fast.lineEnd + 1) {
      expect(fast.read(bytes, start, bytes.length)).toBe(true);
      read.push([bytes.toString("latin1", fast.labelStart, fast.labelEnd), fast.lineEnd]);
    }
    expect(read).toEqual([
      ["spring_sale", line.length],
      ["sale", 2 * line.length - 4],
      ["spring_sale", bytes.length],
    ]);
  });

  it("accepts only lines that the full reader accepts, with the same values", () => {
    fc.assert(
      fc.property(line, (bytes) => void compare(bytes)),
      { numRuns: 3000 },
    );
  });

  it("accepts a damaged line only if the full reader accepts it, with the same values", () => {
    fc.assert(
      fc.property(
        fc.nat(),
        fc.nat(255),
        fc.constantFrom("set", "insert", "remove", "cut"),
        (at, byte, how) => {
          const valid = Buffer.from(JSON.stringify(VALID));
          const index = at % valid.length;
          const before = valid.subarray(0, index);
          const middle = how === "set" || how === "insert" ? Buffer.of(byte) : Buffer.alloc(0);
          const after =
            how === "cut" ? Buffer.alloc(0) : valid.subarray(how === "insert" ? index : index + 1);
          compare(Buffer.concat([before, middle, after]));
        },
      ),
      { numRuns: 5000 },
    );
  });
});
