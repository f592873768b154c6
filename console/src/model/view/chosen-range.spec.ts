import { expect, test } from "vitest";
import { formatDay, parseDay } from "#src/model/day.js";
import { type ChosenRange, type Preset, resolveRange } from "#src/presentation/chosen-range.js";
import { chartRange } from "../days/day-range.js";
import { type Earlier, earlierRange } from "./chosen-range.js";

const day = (text: string): number => parseDay(text) ?? Number.NaN;
const text = ({ first, last }: { first: number; last: number }): string[] => [
  formatDay(first),
  formatDay(last),
];

test.each<[preset: Preset, listed: string, first: string, last: string]>([
  ["yesterday", "2025-11-21", "2025-11-21", "2025-11-21"],
  ["this-month", "2025-11-21", "2025-11-01", "2025-11-21"],
  ["this-month", "2025-11-01", "2025-11-01", "2025-11-01"],
  ["this-month", "2025-11-30", "2025-11-01", "2025-11-30"],
  ["last-month", "2025-11-21", "2025-10-01", "2025-10-31"],
  ["last-month", "2025-01-01", "2024-12-01", "2024-12-31"],
  ["last-month", "2024-03-31", "2024-02-01", "2024-02-29"],
  ["12-months", "2025-11-21", "2024-11-22", "2025-11-21"],
  ["12-months", "2024-02-29", "2023-03-01", "2024-02-29"],
  ["12-months", "2025-02-28", "2024-02-29", "2025-02-28"],
])("resolveRange resolves %s, with last listed day %s, to %s – %s", (preset, listed, first, last) => {
  expect(text(resolveRange({ kind: "preset", preset }, day(listed)))).toEqual([first, last]);
});

test.each<[chosen: ChosenRange, first: string, last: string]>([
  [{ kind: "recent", days: 7 }, "2025-11-15", "2025-11-21"],
  [{ kind: "own", range: { first: day("2025-11-10"), last: day("2025-12-31") } }, "2025-11-10", "2025-11-21"],
])("resolveRange ends %j with the last listed day", (chosen, first, last) => {
  expect(text(resolveRange(chosen, day("2025-11-21")))).toEqual([first, last]);
});

test.each<[earlier: Earlier, first: string, last: string]>([
  ["before", "2025-10-25", "2025-10-31"],
  ["year", "2024-11-01", "2024-11-07"],
])("earlierRange returns the right range for %s", (earlier, first, last) => {
  const week = { first: day("2025-11-01"), last: day("2025-11-07") };
  expect(text(earlierRange(week, earlier))).toEqual([first, last]);
});

test("earlierRange of a single day is the same weekday of the week before, or the date a year before", () => {
  const friday = { first: day("2025-11-21"), last: day("2025-11-21") };
  expect(text(earlierRange(friday, "before"))).toEqual(["2025-11-14", "2025-11-14"]);
  expect(text(earlierRange(friday, "year"))).toEqual(["2024-11-21", "2024-11-21"]);
});

test("chartRange shows a single day among the 28 days up to it", () => {
  const week = { first: day("2025-11-15"), last: day("2025-11-21") };
  expect(chartRange(week)).toBe(week);
  expect(text(chartRange({ first: week.last, last: week.last }))).toEqual(["2025-10-25", "2025-11-21"]);
});

test("resolveRange of a first day ends with the last listed day, and moves on", () => {
  const since: ChosenRange = { kind: "since", first: day("2025-11-10") };
  expect(text(resolveRange(since, day("2025-11-21")))).toEqual(["2025-11-10", "2025-11-21"]);
  expect(text(resolveRange(since, day("2025-11-22")))).toEqual(["2025-11-10", "2025-11-22"]);
});
