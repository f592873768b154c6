import { Readable } from "node:stream";
import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import {
  MessageEvent_EventType as EventType,
  MessageEvent_EventTypeSchema as EventTypeSchema,
} from "../../gen/waybill/messagingdata/v1beta1/message_event_pb.js";
import { MAX_VIOLATIONS } from "../../limits/request-limits.js";
import { dayOfCivil } from "../../model/day.js";
import { NONE, type StateBlock } from "../../store/state-block.js";
import { mergedStates, statesOf } from "../../store/testing/partial-state.js";
import { blockOf, history } from "../../store/testing/test-events.js";
import { lineSegments } from "./parse-events.js";
import { type ParsedSegment, parseSegment } from "./parse-segment.js";
import { ALL_DAYS } from "./testing/all-days.js";
import { joined } from "./testing/joined-segments.js";

const MAX_LINE = 8192;

const EVENT = {
  appId: "app",
  messageId: "m",
  eventTime: "2026-03-05T12:00:00Z",
  eventType: "ACCEPTED",
  usageReportingOptIn: true,
};
const lineWith = (over: object = {}): string => JSON.stringify({ ...EVENT, ...over });
/** Returns a valid line of exactly `bytes` bytes. */
const lineOf = (bytes: number): string => lineWith().padEnd(bytes, " ");

const parse = (lines: string | Uint8Array, maxLineBytes = MAX_LINE): ParsedSegment =>
  parseSegment([Buffer.from(lines)], maxLineBytes, ALL_DAYS);

/** Parses a body that arrives in chunks, split into as many segments as possible. */
async function parseChunks(chunks: readonly (string | Uint8Array)[], maxLineBytes = MAX_LINE) {
  const body = Readable.from(chunks.map((chunk) => Buffer.from(chunk)));
  const segments: ParsedSegment[] = [];
  for await (const segment of lineSegments(body, maxLineBytes, 1))
    segments.push(parseSegment(segment, maxLineBytes, ALL_DAYS));
  return joined(segments);
}

const ONLY_ACCEPTED = { outcome: NONE, seen: 1 << EventType.ACCEPTED };

const rowsOf = ({ block }: ParsedSegment) =>
  Array.from({ length: block.length }, (_, i) => ({
    app: block.apps[block.app[i] ?? -1],
    label: block.labels[block.label[i] ?? -1],
    day: block.day[i],
    acceptedAt: block.acceptedAt[i],
    outcome: block.outcome[i],
    seen: block.seen[i],
    notification: block.notification[i],
  }));
const keysOf = ({ block }: ParsedSegment) =>
  Array.from({ length: block.length }, (_, i) =>
    [...block.keyHigh.subarray(2 * i, 2 * i + 2), ...block.keyLow.subarray(2 * i, 2 * i + 2)].join("/"),
  );

describe("import lines", () => {
  test.each([
    ["nothing", "", 0, 0],
    ["one line", `${lineWith()}\n`, 1, 1],
    ["a last line without a line break", `${lineWith()}\n${lineWith()}`, 2, 2],
    ["lines that end with CRLF", `${lineWith()}\r\n${lineWith({ messageId: "é" })}\r\n`, 2, 2],
    ["a last line with a carriage return only", `${lineWith()}\r`, 1, 1],
    ["blank lines", `\n\r\n \t \n${lineWith()}\n\n`, 5, 1],
    ["a long blank line", `${" ".repeat(200)}\n${lineWith()}`, 2, 1],
  ])("are counted correctly: %s", (_, text, lines, events) => {
    const parsed = parse(text);
    expect(parsed).toMatchObject({ lines, invalidLines: 0, violations: [], optedOut: 0 });
    expect(parsed.block.length).toBe(events);
  });

  const anyLine = fc.oneof(
    fc
      .record({
        messageId: fc.constantFrom("a", "é😀", '"\\', "m".repeat(60)),
        eventType: fc.constantFrom(...EventTypeSchema.values.map(({ name }) => name)),
        usageReportingOptIn: fc.boolean(),
        analyticsLabel: fc.constantFrom("", "a", "b c"),
      })
      .map(lineWith),
    fc.constantFrom("", " ", "{", "\r", lineOf(300), lineOf(301), lineOf(2000)),
  );

  it("have the same result for any division into chunks", () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(anyLine, { maxLength: 12 }),
        fc.constantFrom("\n", "\r\n"),
        fc.boolean(),
        fc.array(fc.nat()),
        async (lines, lineEnd, complete, cuts) => {
          const body = Buffer.from(lines.join(lineEnd) + (complete ? lineEnd : ""));
          const places = [
            0,
            ...cuts.map((cut) => cut % (body.length + 1)).sort((a, b) => a - b),
            body.length,
          ];
          const chunks = places.slice(1).map((place, i) => body.subarray(places[i], place));
          expect(await parseChunks(chunks, 300)).toEqual(joined([parse(body, 300)]));
        },
      ),
      { numRuns: 500 },
    ));
});

describe("maximum line size", () => {
  const inPieces = (text: string, size: number) => text.match(new RegExp(`[^]{1,${size}}`, "g")) ?? [];

  test.each([1, 7, 100, MAX_LINE, 3 * MAX_LINE])(
    "is exact to the byte if chunks have %i bytes",
    async (size) => {
      for (const lineEnd of ["\n", "\r\n", ""]) {
        const fits = await parseChunks(inPieces(lineOf(MAX_LINE) + lineEnd, size));
        expect(fits).toMatchObject({ lines: 1, violations: [] });
        expect(fits.eventLines).toEqual([1]);
        for (const tail of [" ", "\r ", "\r\r", " ".repeat(MAX_LINE)]) {
          const text = `${lineWith()}\n${lineOf(MAX_LINE)}${tail}${lineEnd}`;
          expect(await parseChunks(inPieces(text, size))).toMatchObject({
            lines: 2,
            invalidLines: 1,
            violations: [{ line: 2, field: "", description: "is longer than 8192 bytes" }],
          });
        }
      }
    },
  );
});

describe("a violation in a line", () => {
  test.each(["2025-06-03", "", "yesterday", "2026-02-30T00:00:00Z", "0001-01-01T00:00:00Z"])(
    "is reported for the invalid time %j",
    (eventTime) => {
      expect(parse(lineWith({ eventTime, eventType: "DELIVERED" }))).toMatchObject({
        invalidLines: 1,
        violations: [{ line: 1, field: "eventTime" }],
      });
    },
  );

  it("is reported only for the first hundred errors, although all invalid lines are counted", () => {
    const lines = Array.from({ length: 130 }, (_, i) => (i % 2 === 0 ? "{}" : lineWith()));
    const parsed = parse(lines.join("\n"));
    expect(parsed).toMatchObject({ lines: 130, invalidLines: 65 });
    expect(parsed.violations).toHaveLength(MAX_VIOLATIONS);
    expect(parsed.violations[0]).toEqual({ line: 1, field: "appId", description: "is required" });
    expect(parsed.violations.at(-1)).toEqual({ line: 49, field: "eventType", description: "is required" });
  });

  it("is not counted for blank or very short lines after a flood of invalid lines", () => {
    const shortest = '{"appId":"a","messageId":"m","eventTime":"2025-01-01T00:00:00Z","eventType":2}';
    const parsed = parse(["x\n".repeat(200), shortest, "", " ", shortest.slice(1), "x"].join("\n"));
    expect(parsed).toMatchObject({ invalidLines: 202, block: { length: 1 } });
  });

  it("is reported with the line number that an editor would show", () => {
    expect(parse(`\n${lineWith()}\r\n\r\n${lineWith({ eventType: "X" })}`).violations).toEqual([
      { line: 4, field: "eventType", description: "is not a type of event: X" },
    ]);
  });
});

describe("parsed events of an import", () => {
  it("omit and count only ACCEPTED events of devices that have not opted in", () => {
    const out = { usageReportingOptIn: false };
    const parsed = parse(
      [
        lineWith(out),
        lineWith(),
        lineWith({ ...out, messageId: "é" }),
        lineWith({ ...out, eventType: "DELIVERED" }),
      ].join("\n"),
    );
    expect(parsed.optedOut).toBe(2);
    expect(parsed.events.line).toEqual(Uint32Array.of(2, 4));
    expect(rowsOf(parsed)).toMatchObject([{ seen: (1 << EventType.ACCEPTED) | (1 << EventType.DELIVERED) }]);
  });

  it("are counted by day, even if they were merged", () => {
    const { block } = parse(
      [
        lineWith(),
        lineWith({ eventType: "STORED" }),
        lineWith({ eventTime: "2026-03-06T12:00:00Z" }),
        lineWith({ eventType: "DELIVERED" }),
        lineWith({ usageReportingOptIn: false }),
      ].join("\n"),
    );
    const day = dayOfCivil(2026, 3, 5);
    expect(block.days).toEqual(
      new Map([
        [day, 3],
        [day + 1, 1],
      ]),
    );
  });

  it("are returned in columns", () => {
    const lines = [
      { analyticsLabel: "sale", notification: true },
      { appId: "прил", analyticsLabel: "news", eventTime: "2026-03-08T07:59:59.999Z" },
      { analyticsLabel: "sale", eventTime: "2026-03-08T00:00:00.0015-08:00" },
      {
        eventTime: "2026-11-01T23:59:59.999-08:00",
        eventType: "DELIVERED",
        analyticsLabel: "x",
        notification: true,
      },
    ];
    const parsed = parse(lines.map(lineWith).join("\n"));
    expect(parsed.block.labels[0]).toBe("");
    expect(rowsOf(parsed)).toEqual([
      {
        app: "app",
        label: "sale",
        day: dayOfCivil(2026, 3, 5),
        acceptedAt: 4 * 3_600_000,
        ...ONLY_ACCEPTED,
        notification: 1,
      },
      {
        app: "прил",
        label: "news",
        day: dayOfCivil(2026, 3, 7),
        acceptedAt: 86_399_999,
        ...ONLY_ACCEPTED,
        notification: 0,
      },
      {
        app: "app",
        label: "sale",
        day: dayOfCivil(2026, 3, 8),
        acceptedAt: 1,
        ...ONLY_ACCEPTED,
        notification: 0,
      },
      {
        app: "app",
        label: "",
        day: dayOfCivil(2026, 11, 1),
        acceptedAt: NONE,
        outcome: 32 * 89_999_999 + EventType.DELIVERED,
        seen: 1 << EventType.DELIVERED,
        notification: 0,
      },
    ]);
  });

  it("have a key that depends only on their app id and message id", () => {
    const [first, ...others] = keysOf(
      parse(
        [
          lineWith(),
          lineWith({ eventType: "DELIVERED", eventTime: "2026-03-06T12:00:00Z" }),
          lineWith().replace('"m"', '"\\u006d"'),
          lineWith({ messageId: "n" }),
          lineWith({ appId: "app2" }),
          lineWith({ appId: "ap", messageId: "pm" }),
        ].join("\n"),
      ),
    );
    expect(others.slice(0, 2)).toEqual([first, first]);
    expect(new Set([first, ...others]).size).toBe(4);
  });

  it("are merged into the same states as in TypeScript", () => {
    // Keys differ, because helpers of specs have their own.
    const statesWithoutKeys = (block: StateBlock) =>
      [...mergedStates(statesOf(block)).values()].map(({ message, ...state }) => ({
        ...state,
        appAndDay: message.split(" ").slice(0, 2),
      }));
    fc.assert(
      fc.property(history, (events) => {
        const { block } = parse(events.map((event) => JSON.stringify(event)).join("\n"));
        const expected = blockOf(events);
        expect(statesWithoutKeys(block)).toEqual(statesWithoutKeys(expected));
        expect(block.days).toEqual(expected.days);
      }),
    );
  });

  it("have a key that depends on every byte and the length of both ids", () => {
    const ids = [
      ...Array.from({ length: 40 }, (_, length) => "a".repeat(length + 1)),
      ...Array.from({ length: 40 }, (_, at) => `${"a".repeat(at)}b${"a".repeat(39 - at)}`),
    ];
    const messages = ids.flatMap((id) => [
      { messageId: id },
      { appId: id },
      { appId: `${id}é`, messageId: id },
    ]);
    expect(new Set(keysOf(parse(messages.map(lineWith).join("\n")))).size).toBe(messages.length);
  });

  // Stored states have these keys.
  test.each([
    ["app", "m", "1761793647/1369159204/4099023590/74623899"],
    [
      "1:123456789012:android:0a1b2c3d4e5f",
      "0:1772712000%31bd1c9131bd1c91",
      "1539358068/3904094760/472590323/1595267770",
    ],
  ])("have the same key in every version: %s, %s", (appId, messageId, key) => {
    expect(keysOf(parse(lineWith({ appId, messageId })))).toEqual([key]);
  });

  it("have the same key in every request", () => {
    const other = parse([lineWith({ appId: "other" }), lineWith()].join("\n"));
    expect(keysOf(other)[1]).toBe(keysOf(parse(lineWith()))[0]);
  });

  it("have a key that does not depend on preceding events", () => {
    const message = fc.record({
      appId: fc.constantFrom("app", "ap", "é"),
      messageId: fc.constantFrom("m", "mm", "pm", "é", "a-longer-id-1", "a-longer-id-2"),
    });
    fc.assert(
      fc.property(fc.array(message, { minLength: 1, maxLength: 20 }), (messages) => {
        const keys = keysOf(parse(messages.map(lineWith).join("\n")));
        expect(keys).toEqual(messages.map((message) => keysOf(parse(lineWith(message)))[0]));
      }),
    );
  });

  it("fit into the columns even if their lines are very short", () => {
    const count = 5000;
    const short = { appId: "a", eventType: "STORED", usageReportingOptIn: undefined };
    const parsed = parse(
      Array.from({ length: count }, (_, i) => lineWith({ ...short, messageId: `${i}` })).join("\n"),
    );
    expect(parsed.block.length).toBe(count);
    expect(new Set(keysOf(parsed)).size).toBe(count);
    expect(parsed.block.keyHigh).toHaveLength(2 * count);
    expect(new Set(rowsOf(parsed).map((row) => JSON.stringify(row))).size).toBe(1);
  });
});
