import { Readable } from "node:stream";
import { expect, it } from "vitest";
import { acceptedAt } from "./accepted-days.js";
import { type ImportTerms, parseEvents, type SegmentParser } from "./parse-events.js";
import { parseSegment } from "./parse-segment.js";

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

it("admits lines, and the 16 bytes that are kept of each of their events", async () => {
  let admitted = 0;
  const { lines } = await parse((bytes) => {
    admitted += bytes;
  });
  expect(lines).toBe(1_000);
  expect(admitted).toBe(LINES.length + 16 * lines);
});

it("ends once the events need more memory than there is", async () => {
  let left = LINES.length;
  const parsing = parse((bytes) => {
    left -= bytes;
    if (left < 0) throw new Error("no memory");
  });
  await expect(parsing).rejects.toThrow("no memory");
});
