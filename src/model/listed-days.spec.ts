import { expect, test } from "vitest";
import { civilDate } from "./day.js";
import { lastListedDay } from "./listed-days.js";

const HOUR = 3_600_000;

test.each([
  ["before midnight", "2026-03-05T07:59:59.999Z", 0, [2026, 3, 3]],
  ["at midnight", "2026-03-05T08:00:00.000Z", 0, [2026, 3, 4]],
  ["at midnight, before the delay is over", "2026-03-05T08:00:00.000Z", 1, [2026, 3, 3]],
  ["when the delay is over", "2026-03-05T10:00:00.000Z", 2 * HOUR, [2026, 3, 4]],
  ["before the end of the day of 23 hours", "2026-03-09T06:59:59.999Z", 0, [2026, 3, 7]],
  ["at the end of the day of 23 hours", "2026-03-09T07:00:00.000Z", 0, [2026, 3, 8]],
  ["before the end of the day of 25 hours", "2026-11-02T07:59:59.999Z", 0, [2026, 10, 31]],
  ["at the end of the day of 25 hours", "2026-11-02T08:00:00.000Z", 0, [2026, 11, 1]],
  ["with a delay over the change of the clocks", "2026-03-08T13:00:00.000Z", 5 * HOUR, [2026, 3, 7]],
  ["with a delay of days", "2026-03-05T08:00:00.000Z", 48 * HOUR, [2026, 3, 2]],
])("the last day listed %s", (_, now, settleDelay, [year, month, day]) => {
  expect(civilDate(lastListedDay(Date.parse(now), settleDelay))).toEqual({ year, month, day });
});
