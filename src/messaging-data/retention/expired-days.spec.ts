import { expect, it, test } from "vitest";
import { dayOfCivil, FIRST_DAY } from "../../model/day.js";
import { expiredAt, expiredSince } from "./expired-days.js";

const DAY = dayOfCivil(2026, 3, 5);
/** The end of the day in Los Angeles. */
const END = Date.parse("2026-03-06T08:00:00Z");
const DAYS = 86_400_000;

test.each([
  ["nothing", {}, undefined],
  ["messages", { messages: 5 * DAYS }, { sealedUntil: DAY - 5 }],
  ["delivery data", { deliveryData: 5 * DAYS }, { sealedUntil: DAY - 5, entriesUntil: DAY - 5 }],
  [
    "messages before delivery data",
    { messages: 5 * DAYS, deliveryData: 9 * DAYS },
    { sealedUntil: DAY - 5, entriesUntil: DAY - 9 },
  ],
  [
    "delivery data before messages",
    { messages: 9 * DAYS, deliveryData: 5 * DAYS },
    { sealedUntil: DAY - 5, entriesUntil: DAY - 5 },
  ],
])("of a retention, %s expires", (_, retention, expected) => {
  expect(expiredAt(END, retention)).toEqual(expected);
});

it("a day expires when it has ended for as long as the retention, to the millisecond", () => {
  const retention = { messages: 2 * DAYS };
  const since = expiredSince(DAY, END + 9 * DAYS, retention);
  expect(since).toBe(END + 2 * DAYS);
  expect(expiredAt(since - 1, retention)).toEqual({ sealedUntil: DAY - 1 });
  expect(expiredAt(since, retention)).toEqual({ sealedUntil: DAY });
});

test.each([
  ["its messages", { messages: 2 * DAYS }, 9, 2],
  ["its messages, then its delivery data", { messages: 2 * DAYS, deliveryData: 5 * DAYS }, 4, 2],
  ["its delivery data", { messages: 2 * DAYS, deliveryData: 5 * DAYS }, 5, 5],
  ["its delivery data before its messages", { messages: 5 * DAYS, deliveryData: 2 * DAYS }, 9, 2],
])("what is left of a day that loses %s is due since then", (_, retention, daysLater, expected) => {
  expect(expiredSince(DAY, END + daysLater * DAYS, retention)).toBe(END + expected * DAYS);
});

it("the longest duration expires no day", () => {
  const expired = expiredAt(END, { messages: 315_576_000_000_000 });
  expect(expired?.sealedUntil).toBeLessThan(FIRST_DAY);
});
