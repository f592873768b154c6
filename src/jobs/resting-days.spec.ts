import { expect, it, test } from "vitest";
import { RestingDays } from "./resting-days.js";

const DAY = 20_000;

test.each([
  [0, undefined],
  [100, 400],
  [400, 1_600],
  [5_000, 2_000],
])("RestingDays pauses a day after %i ms of work for %i ms", (took, rest) => {
  const days = new RestingDays();
  days.succeeded("1", [DAY], 50_000, took);
  expect(days.restUntil("1", DAY, 50_000)).toBe(rest && 50_000 + rest);
  expect(days.restUntil("1", DAY, 50_000 + (rest ?? 0))).toBeUndefined();
  expect(days.restUntil("1", DAY + 1, 50_000)).toBeUndefined();
  expect(days.restUntil("2", DAY, 50_000)).toBeUndefined();
});

test.each([
  [400, 1_600],
  [5_000, 20_000],
  [40_000, 60_000],
])("RestingDays with a maximum of one minute pauses a day after %i ms of work for %i ms", (took, rest) => {
  const days = new RestingDays(60_000);
  days.succeeded("1", [DAY], 50_000, took);
  expect(days.restUntil("1", DAY, 50_000)).toBe(50_000 + rest);
});

it("RestingDays doubles a failing day's pause, up to 30 s, until a success", () => {
  const days = new RestingDays();
  const rests = Array.from({ length: 8 }, () => {
    days.failed("1", DAY, 0);
    return days.restUntil("1", DAY, 0);
  });
  expect(rests).toEqual([1, 2, 4, 8, 16, 30, 30, 30].map((seconds) => seconds * 1_000));
  days.succeeded("1", [DAY], 0, 10);
  days.failed("1", DAY, 0);
  expect(days.restUntil("1", DAY, 0)).toBe(1_000);
});

it("RestingDays pauses a day for a second after each failure in an outage, without counting these failures", () => {
  const days = new RestingDays();
  let now = 0;
  const restAfterFailure = (isOutage: boolean): number => {
    days.failed("1", DAY, now, { isOutage });
    const until = days.restUntil("1", DAY, now) ?? now;
    const rest = until - now;
    now = until;
    return rest;
  };
  expect([true, true, true, false, false, true, false].map(restAfterFailure)).toEqual([
    1_000, 1_000, 1_000, 1_000, 2_000, 1_000, 4_000,
  ]);
});

it("RestingDays continues to double a day's pause if it fails again soon", () => {
  const days = new RestingDays();
  days.failed("1", DAY, 0);
  days.dropRested(1_000);
  days.failed("1", DAY, 1_000);
  expect(days.restUntil("1", DAY, 1_000)).toBe(3_000);
  days.dropRested(33_000);
  days.failed("1", DAY, 33_000);
  expect(days.restUntil("1", DAY, 33_000)).toBe(34_000);
});

it("RestingDays pauses a busy project's day nine times as long as all work on the project since the last slot", () => {
  const days = new RestingDays();
  const rest = (day: number, now: number) => (days.restUntil("1", day, now, true) ?? now) - now;
  days.succeeded("1", [DAY], 1_000, 100);
  expect(rest(DAY, 1_000)).toBe(900);
  days.succeeded("1", [DAY - 1], 1_300, 300);
  days.succeeded("2", [DAY], 1_300, 50_000);
  expect(rest(DAY - 1, 1_300)).toBe(2_700);
  days.dropRested(2_000);
  days.succeeded("1", [DAY], 2_100, 100);
  expect(rest(DAY, 2_100)).toBe(3_600);
  expect(days.restUntil("1", DAY, 2_100)).toBe(2_500);
  days.succeeded("1", [DAY - 1, DAY], 8_000, 13_000);
  expect([rest(DAY - 1, 8_000), rest(DAY, 8_000)]).toEqual([117_900, 117_000]);
  days.succeeded("1", [DAY - 1, DAY], 200_000, 14_000);
  expect([rest(DAY - 1, 200_000), rest(DAY, 200_000)]).toEqual([120_000, 120_000]);
});

it("RestingDays pauses a new day of a busy project like the day with the last slot", () => {
  const days = new RestingDays();
  days.succeeded("1", [DAY], 1_000, 100);
  expect(days.restUntil("1", DAY + 1, 1_000, true)).toBe(1_900);
  expect(days.restUntil("1", DAY + 1, 1_000)).toBeUndefined();
  expect(days.restUntil("2", DAY + 1, 1_000, true)).toBeUndefined();
  expect(days.restUntil("1", DAY + 1, 1_900, true)).toBeUndefined();
  days.succeeded("1", [DAY + 1], 2_100, 200);
  expect(days.restUntil("1", DAY + 2, 2_100, true)).toBe(3_900);
});

it("RestingDays does not extend a new day's pause after work on other days", () => {
  const days = new RestingDays();
  days.succeeded("1", [DAY], 1_000, 100);
  expect(days.restUntil("1", DAY + 1, 1_500, true)).toBe(1_900);
  days.succeeded("1", [DAY], 2_400, 500);
  expect(days.restUntil("1", DAY + 1, 2_400, true)).toBeUndefined();
});
