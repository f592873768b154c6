import { Readable } from "node:stream";
import fc from "fast-check";
import { expect, it } from "vitest";
import { acceptedAt } from "./event-time.js";
import { type ImportTerms, lineSegments, parseEvents, type SegmentParser } from "./parse-events.js";
import { parseSegment } from "./parse-segment.js";

const MAX_LINE = 6;

async function collect(chunks: readonly string[], segmentBytes: number): Promise<string[]> {
  async function* body(): AsyncGenerator<Buffer> {
    for (const chunk of chunks) yield Buffer.from(chunk);
  }
  const segments: string[] = [];
  for await (const segment of lineSegments(body(), MAX_LINE, segmentBytes)) {
    segments.push(Buffer.from(segment).toString());
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

const LINE =
  '{"appId":"app","messageId":"m","eventTime":"2026-03-05T12:00:00Z","eventType":"ACCEPTED","usageReportingOptIn":true}\n';
const LINES = Buffer.from(LINE.repeat(1_000));

const parser: SegmentParser = {
  maxLineBytes: 8192,
  capacity: 2,
  memoryFor: (size) => new Uint8Array(size),
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
