import fc from "fast-check";
import { expect, test } from "vitest";
import { systemClock } from "../../model/clock.js";
import { isoTimes, loggerTo } from "./logger.js";

test.each([
  ["debug", true],
  ["info", true],
  ["warn", false],
  ["silent", false],
])("at level %s, writeInfo writes a line: %s", (level, isWritten) => {
  const lines: unknown[] = [];
  const logger = loggerTo(
    { write: (line) => void lines.push(JSON.parse(line)) },
    level,
    systemClock,
    () => `,"a":1`,
  );
  logger.writeInfo('"msg":"request"');
  expect(lines).toEqual(isWritten ? [{ level: "info", time: expect.any(String), a: 1, msg: "request" }] : []);
});

test("isoTimes formats times like toISOString, in any order", () => {
  const anyMs = fc.oneof(
    fc.date({ min: new Date(0), max: new Date("9999-12-31"), noInvalidDate: true }).map(Number),
    fc.integer({ min: 1_795_000_000_000, max: 1_795_000_002_000 }),
  );
  fc.assert(
    fc.property(fc.array(anyMs), (times) => {
      const isoTime = isoTimes();
      expect(times.map(isoTime)).toEqual(times.map((ms) => new Date(ms).toISOString()));
    }),
  );
});
