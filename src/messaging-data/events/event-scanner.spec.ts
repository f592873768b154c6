import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { MessageEvent_EventTypeSchema as EventTypeSchema } from "../../gen/waybill/messagingdata/v1beta1/message_event_pb.js";
import { dayOfCivil } from "../../model/day.js";
import { type LineViolation, readEventLine } from "./event-line.js";
import { EventScanner, instantiate, type ScannedEvents } from "./event-scanner.js";
import { acceptedAt } from "./event-time.js";

/** Accepted days. They include only some days of the lines below. */
const DAYS = acceptedAt(Date.UTC(2026, 2, 8), { from: dayOfCivil(1970, 1, 1), ahead: 1000 });
const MAX_LINE = 8192;
const NEWLINE = 0x0a;
/** Lines that leave bytes in the scanner's memory, which would mislead a reader that reads past the end. */
const BEFORE = Buffer.from('true,"appId":"x","messageId":"y"}\n{"appId":"z" '.repeat(30));

const scanner = new EventScanner();

/** Scans lines. @returns `undefined` if the scanner leaves any of them to the full reader. */
function scanned(lines: Uint8Array): ScannedEvents | undefined {
  scanner.open([BEFORE], MAX_LINE, DAYS);
  scanner.scan(0);
  scanner.open([lines], MAX_LINE, DAYS);
  return scanner.scan(0) === lines.length ? scanner.take() : undefined;
}

/** Reads a line with the full reader. @returns `undefined` if it is invalid. */
function readFully(line: Uint8Array): ScannedEvents | undefined {
  const violations: LineViolation[] = [];
  const event = readEventLine(line, 1, DAYS, violations);
  scanner.open([line], MAX_LINE, DAYS);
  scanner.countLine();
  if (event !== undefined) scanner.add(event);
  return event && scanner.take();
}

/** Checks that the scanner agrees with the full reader; returns true if it read the line. */
function compare(line: Uint8Array): boolean {
  // A line break inside a line makes two lines.
  const events = line.length === 0 || line.includes(NEWLINE) ? undefined : scanned(line);
  if (events !== undefined) expect(events).toEqual(readFully(line));
  return events !== undefined;
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

describe("EventScanner", () => {
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
    const line = Buffer.from(JSON.stringify({ ...VALID, eventType: name }));
    expect(compare(line)).toBe(true);
    expect(scanned(line)?.block.seen).toEqual(Uint32Array.of(1 << number));
  });

  test.each(["", "yesterday", "2026-02-30T00:00:00Z", "0000-01-01T00:00:00Z"])(
    "does not accept a line with the time %j",
    (eventTime) => {
      expect(compare(Buffer.from(JSON.stringify({ ...VALID, eventTime })))).toBe(false);
      expect(compare(Buffer.from(JSON.stringify({ ...VALID, eventTime: 5 })))).toBe(false);
    },
  );

  test.each(["appId", "messageId", "eventType", "eventTime"])(
    "does not accept a line with an empty %s",
    (field) => {
      expect(compare(Buffer.from(JSON.stringify({ ...VALID, [field]: "" })))).toBe(false);
    },
  );

  it("reads lines up to one that the full reader must read, and after it", () => {
    const line = JSON.stringify(VALID);
    const lines = [line, `${line.replace("spring_sale", "sale")} \r`, line.replace("appId", "app_id"), line];
    const bytes = Buffer.from(lines.join("\n"));
    scanner.open([bytes], MAX_LINE, DAYS);
    const third = bytes.indexOf('{"app_id"');
    expect(scanner.scan(0)).toBe(third);
    expect(scanner.countLine()).toBe(3);
    expect(scanner.scan(bytes.indexOf("\n", third) + 1)).toBe(bytes.length);
    const { block, events, lines: count } = scanner.take();
    expect(Array.from(events.label, (label) => block.labels[label])).toEqual([
      "spring_sale",
      "sale",
      "spring_sale",
    ]);
    expect([...events.line, count]).toEqual([1, 2, 4, 4]);
  });

  it("returns names only of events that are stored", () => {
    const names = (over: object) => {
      const { block } = scanned(Buffer.from(JSON.stringify({ ...VALID, ...over }))) ?? {};
      return { apps: block?.apps, labels: block?.labels };
    };
    expect(names({})).toEqual({ apps: [VALID.appId], labels: ["", "spring_sale"] });
    expect(names({ usageReportingOptIn: false })).toEqual({ apps: [], labels: [""] });
    expect(names({ eventType: "DELIVERED" })).toEqual({ apps: [VALID.appId], labels: [""] });
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

/** Names that often share a slot of the cache: the same length and last eight bytes. */
const name = fc.oneof(
  fc.stringMatching(/^[a-c]{1,3}$/),
  fc.stringMatching(/^[a-c]{1,4}zzzzzzzz$/),
  fc.stringMatching(/^[a-zA-Z0-9_.~%-]{1,50}$/),
);

it("returns each name once, in line order", () => {
  fc.assert(
    fc.property(fc.array(name, { minLength: 1, maxLength: 60 }), (names) => {
      const lines = names.map((name) =>
        JSON.stringify({ ...VALID, appId: `1${name}`, analyticsLabel: name }),
      );
      const events = scanned(Buffer.from(lines.join("\n")));
      const { apps, labels } = events?.block ?? {};
      expect(labels).toEqual(["", ...new Set(names)]);
      expect(Array.from(events?.events.app ?? [], (app) => apps?.[app])).toEqual(
        names.map((name) => `1${name}`),
      );
      expect(Array.from(events?.events.label ?? [], (label) => labels?.[label])).toEqual(names);
    }),
  );
});

describe("HalfSipHash", () => {
  const { memory, hash, open } = instantiate(() => 0);
  const input = open(128, 1, 1, 1, 0, 0);
  const out = input + 64;

  /** Returns both digests of `length` bytes 00, 01, … in hexadecimal. */
  const digests = (length: number, ...keys: [k0: number, k1: number, l0: number, l1: number]) => {
    const bytes = Buffer.from(memory.buffer);
    for (let byte = 0; byte < 64; byte++) bytes[input + byte] = byte;
    hash(input, input + length, ...keys, out);
    return [bytes.subarray(out, out + 8).toString("hex"), bytes.subarray(out + 8, out + 16).toString("hex")];
  };

  // Key 00…07, input 00, 01, … of each length. The first two are test vectors of the reference implementation, the others
  // are from an earlier implementation. Stored states depend on them.
  test.each([
    [0, "218d1f59b9b83cc8"],
    [1, "be552412f8387315"],
    [4, "d5e78a175be52ea1"],
    [7, "ff202728b07bc684"],
    [8, "edfee820bce4858c"],
    [63, "2ea63c71bf326087"],
  ])("returns the same digest as other implementations for %i bytes", (length, expected) => {
    const key = [0x03020100, 0x07060504] as const;
    expect(digests(length, ...key, 1, 2)[0]).toBe(expected);
    expect(digests(length, 1, 2, ...key)[1]).toBe(expected);
  });
});
