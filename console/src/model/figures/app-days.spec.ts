import { expect, test } from "vitest";
import { daysIn } from "../days/day-range.js";
import { dayChunks, daysByApp, trendRange } from "./app-days.js";

test.each([
  [
    { first: 100, last: 106 },
    { first: 100, last: 106 },
  ],
  [
    { first: 100, last: 127 },
    { first: 100, last: 127 },
  ],
  [
    { first: 100, last: 464 },
    { first: 437, last: 464 },
  ],
])("the small charts of %j have the days %j", (range, expected) => {
  expect(trendRange(range)).toEqual(expected);
});

test.each([
  { apps: 0, days: 28, requests: 1 },
  { apps: 3, days: 28, requests: 1 },
  { apps: 300, days: 28, requests: 4 },
  { apps: 1_000, days: 28, requests: 14 },
  { apps: 5_000, days: 3, requests: 3 },
])("$days days of $apps apps take $requests requests", ({ apps, days, requests }) => {
  const range = { first: 1_000, last: 1_000 + days - 1 };
  const chunks = dayChunks(range, apps);
  expect(chunks).toHaveLength(requests);
  expect(chunks.reduce((sum, chunk) => sum + daysIn(chunk), 0)).toBe(days);
  expect([chunks[0]?.first, chunks.at(-1)?.last]).toEqual([range.first, range.last]);
});

test("daysByApp gathers the days of each app, the first day first", () => {
  const counts = { delivered: 1 };
  const days = daysByApp([
    { app: "a", day: 2, counts },
    { app: "b", day: 2, counts },
    { app: "a", day: 1, counts },
  ]);
  expect([...days]).toEqual([
    ["a", [1, 2].map((day) => ({ day, counts }))],
    ["b", [{ day: 2, counts }]],
  ]);
});
