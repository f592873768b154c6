import { deepStrictEqual } from "node:assert/strict";
import type { Segment } from "../../src/messaging-data/events/event-scanner.js";
import { lineSegments, parseEvents } from "../../src/messaging-data/events/parse-events.js";
import { parseSegment } from "../../src/messaging-data/events/parse-segment.js";
import { ALL_DAYS } from "../../src/messaging-data/events/testing/all-days.js";
import { joined } from "../../src/messaging-data/events/testing/joined-segments.js";
import type { FuzzTarget } from "../engine/fuzz-target.js";
import { EVENT_LINES, EVENT_WORDS } from "./event-seeds.js";

const MAX_LINE_BYTES = 256;
/** Leading bytes of an input, which define where the rest is cut. */
const CUTS = 8;

const cuts = "\x05\x40\x00\xff\x13\x01\x80\x07";

/** An import has the same result wherever its body is cut into chunks, and its lines into segments. */
export const ndjsonFraming: FuzzTarget = {
  name: "ndjson-framing",
  boundedInputs: 1_500,
  seeds: [
    `${cuts}${EVENT_LINES.join("\n")}`,
    `${cuts}${EVENT_LINES.slice(0, 2).join("\r\n")}\r\n\r\n`,
    `${cuts}${"x".repeat(300)}\n\n${EVENT_LINES[0]}`,
    `${cuts}${`${EVENT_LINES[1]}\n`.repeat(5)}`,
    `${cuts}${"{}\n".repeat(150)}`,
  ],
  words: ["\n", "\r\n", "\r", "\n\n", " \n", "x".repeat(MAX_LINE_BYTES), ...EVENT_WORDS],
  async run(input) {
    const body = input.subarray(CUTS);
    const whole = parse([body]);
    const segments: Segment[] = [];
    const segmentBytes = 1 + (input[0] ?? 0) * 4;
    for await (const segment of lineSegments(chunksOf(input), MAX_LINE_BYTES, segmentBytes)) {
      segments.push(segment);
    }
    deepStrictEqual(parse(...segments), whole);
    const inParts = await parseEvents(chunksOf(input), pool, TERMS, new AbortController().signal);
    const { parts, days, ...counts } = inParts;
    const { block, events, ...expected } = parseSegment([body], MAX_LINE_BYTES, ALL_DAYS);
    deepStrictEqual(counts, expected);
    deepStrictEqual(days, block.days.size);
    deepStrictEqual(parts, body.length === 0 ? [] : [{ block, events, lines: expected.lines }]);
  },
};

const parse = (...segments: readonly Segment[]) =>
  joined(segments.map((segment) => parseSegment(segment, MAX_LINE_BYTES, ALL_DAYS)));

const TERMS = { project: "p", days: ALL_DAYS, admit: () => {} };

const pool = {
  maxLineBytes: MAX_LINE_BYTES,
  capacity: 2,
  parse: async (_project: string, segment: Segment) => parseSegment(segment, MAX_LINE_BYTES, ALL_DAYS),
};

/** The body in chunks. Their sizes cycle through the leading bytes. */
async function* chunksOf(input: Buffer): AsyncGenerator<Buffer> {
  for (let at = CUTS, index = 0; at < input.length; index++) {
    const size = 1 + (input[index % CUTS] ?? 0);
    yield input.subarray(at, at + size);
    at += size;
  }
}
