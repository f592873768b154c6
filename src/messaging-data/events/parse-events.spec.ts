import { Readable } from "node:stream";
import fc from "fast-check";
import { expect, it } from "vitest";
import { acceptedAt } from "./event-time.js";
import { type ImportTerms, lineSegments, parseEvents, type SegmentParser } from "./parse-events.js";
import { parseSegment } from "./parse-segment.js";

const MAX_LINE = 6;

/** Returns a body's segments as text. Transfers their memory, like the worker pool does. */
async function collect(
  chunks: readonly string[],
  segmentBytes: number,
  maxLineBytes = MAX_LINE,
): Promise<string[]> {
  async function* body(): AsyncGenerator<Buffer> {
    for (const chunk of chunks) yield Buffer.from(chunk);
  }
  const segments: string[] = [];
  for await (const segment of lineSegments(body(), maxLineBytes, segmentBytes)) {
    const transferred = structuredClone(segment, { transfer: segment.map(({ buffer }) => buffer) });
    segments.push(Buffer.concat(transferred).toString());
  }
  return segments;
}

const chunks = fc.array(fc.string({ unit: fc.constantFrom("a", "b", "\n"), maxLength: 9, minLength: 1 }), {
  maxLength: 20,
});

it("lineSegments yields complete lines: short lines unchanged, and long lines cut but still too long", () =>
  fc.assert(
    fc.asyncProperty(chunks, fc.integer({ min: 1, max: 30 }), async (parts, segmentBytes) => {
      const segments = await collect(parts, segmentBytes);
      for (const segment of segments.slice(0, -1)) {
        expect(segment.endsWith("\n")).toBe(true);
        expect(segment.length).toBeGreaterThanOrEqual(segmentBytes);
      }
      const given = parts.join("").split("\n");
      const kept = segments.join("").split("\n");
      expect(kept.length).toBe(given.length);
      for (const [index, line] of given.entries()) {
        if (line.length <= MAX_LINE) expect(kept[index]).toBe(line);
        else expect(kept[index]?.length).toBeGreaterThan(MAX_LINE);
      }
    }),
  ));

it("lineSegments does not buffer a line that never ends", async () => {
  const segments = await collect(
    Array.from({ length: 1000 }, () => "x".repeat(1000)),
    100,
  );
  expect(segments.map(({ length }) => length)).toEqual([MAX_LINE + 2]);
});

const NUMBERS = Array.from({ length: 200_000 }, (_, number) => `${number}\n`).join("");

it("lineSegments keeps the order of small and large chunks", () =>
  fc.assert(
    fc.asyncProperty(
      fc.array(fc.constantFrom(1, 100, 16_383, 16_384, 65_536), { maxLength: 12 }),
      fc.integer({ min: 1, max: 100_000 }),
      async (sizes, segmentBytes) => {
        let start = 0;
        const chunks = sizes.map((size) => {
          start += size;
          return NUMBERS.slice(start - size, start);
        });
        expect((await collect(chunks, segmentBytes, 10)).join("")).toBe(chunks.join(""));
      },
    ),
  ));

it.each([
  ["takes", "a large chunk", () => Buffer.from(new ArrayBuffer(65_536))],
  ["copies", "a small chunk", () => Buffer.from(new ArrayBuffer(1_000))],
  ["copies", "a part of a large chunk", () => Buffer.from(new ArrayBuffer(65_536)).subarray(9)],
  ["copies", "a chunk in shared memory", () => Buffer.from(new SharedArrayBuffer(65_536))],
])("lineSegments %s the memory of %s", async (what, _, make) => {
  const chunk = make().fill("\n");
  for await (const segment of lineSegments(Readable.from([chunk]), MAX_LINE, 1)) {
    expect(segment.map(({ buffer }) => buffer === chunk.buffer)).toEqual([what === "takes"]);
    expect(Buffer.concat(segment).equals(chunk)).toBe(true);
  }
  expect.assertions(2);
});

const LINE =
  '{"appId":"app","messageId":"m","eventTime":"2026-03-05T12:00:00Z","eventType":"ACCEPTED","usageReportingOptIn":true}\n';
const LINES = Buffer.from(LINE.repeat(1_000));

const parser: SegmentParser = {
  maxLineBytes: 8192,
  capacity: 2,
  parse: async (_, segment, days) => parseSegment(segment, 8192, days),
};

const parse = (admit: ImportTerms["admit"]) =>
  parseEvents(
    Readable.from([LINES]),
    parser,
    { project: "1", days: acceptedAt(Date.UTC(2026, 2, 6), { from: 0, ahead: 2 }), admit },
    new AbortController().signal,
  );

it("parseEvents counts the memory of lines, and of 16 bytes per event", async () => {
  let admitted = 0;
  const { lines } = await parse((bytes) => {
    admitted += bytes;
  });
  expect(lines).toBe(1_000);
  expect(admitted).toBe(LINES.length + 16 * lines);
});

it("parseEvents fails if the events need too much memory", async () => {
  let left = LINES.length;
  const parsing = parse((bytes) => {
    left -= bytes;
    if (left < 0) throw new Error("no memory");
  });
  await expect(parsing).rejects.toThrow("no memory");
});
