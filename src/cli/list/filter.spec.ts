import { expect, test } from "vitest";
import { ENTRY_FILTERS, matches } from "../../messaging-data/delivery-data/filter/entry-filters.js";
import { readFilter } from "../../messaging-data/delivery-data/filter/read-filter.js";
import { type Day, parseDay } from "../../model/day.js";
import type { EntryFilter } from "../../store/delivery-data-store.js";
import { type FilterFlags, filterOf, isDay } from "./filter.js";

test.each<[FilterFlags, string | undefined]>([
  [{}, undefined],
  [{ filter: "" }, undefined],
  [{ from: "2025-03-04" }, 'date >= "2025-03-04"'],
  [{ from: "2024-02-29", to: "2024-02-29" }, 'date >= "2024-02-29" AND date <= "2024-02-29"'],
  [{ label: ["a"] }, 'analyticsLabel = "a"'],
  [{ label: [""] }, 'analyticsLabel = ""'],
  [
    { to: "2025-03-05", label: ["a-b_.~%", ""] },
    'date <= "2025-03-05" AND (analyticsLabel = "a-b_.~%" OR analyticsLabel = "")',
  ],
  [{ filter: 'analyticsLabel = "a*"' }, 'analyticsLabel = "a*"'],
  [{ filter: "x OR y", from: "2025-03-04" }, 'x OR y AND date >= "2025-03-04"'],
])("filterOf(%j) returns the expected filter", (flags, filter) => {
  expect(filterOf(flags)).toBe(filter);
});

function conditionOf(filter: string | undefined): EntryFilter {
  const parsed = readFilter(filter ?? "", ENTRY_FILTERS);
  if (parsed === undefined) throw new Error("the filter is blank");
  return parsed.condition;
}

const parsedDay = (text: string): Day => parseDay(text) ?? Number.NaN;

test.each(["nope = 1", 'date = "today"', "(date", "date = 1) OR (date = 2"])(
  "the server reports an error's position in the user's filter: %s",
  (filter) => {
    const problemOf = (flags: FilterFlags): unknown => {
      try {
        return conditionOf(filterOf(flags));
      } catch (error) {
        return error;
      }
    };
    const problem = problemOf({ filter });
    expect(problem).toBeInstanceOf(Error);
    expect(problemOf({ filter, from: "2025-03-04" })).toEqual(problem);
  },
);

test.each(['date = "2025-03-03" OR date = "2025-03-05"', 'date = "2025-03-05" NOT analyticsLabel = "a"'])(
  "further conditions apply to the user's whole filter: %s",
  (filter) => {
    const days = ["2025-03-03", "2025-03-04", "2025-03-05"];
    const entries = days.flatMap((day) => ["a", ""].map((label) => ({ day: parsedDay(day), label })));
    const listed = (text: string | undefined) => entries.filter((entry) => matches(conditionOf(text), entry));
    expect(listed(filterOf({ filter, from: "2025-03-04" }))).toEqual(
      listed(`(${filter}) AND (date >= "2025-03-04")`),
    );
  },
);

test.each([
  ["2025-03-04", true],
  ["2024-02-29", true],
  ["0001-01-01", true],
  ["9999-12-31", true],
  ["2025-02-29", false],
  ["2025-04-31", false],
  ["2025-3-4", false],
  ["2025-13-01", false],
  ["+010000-01-01", false],
  ["0000-01-01", false],
  ["2025-03-04T00:00:00Z", false],
  ['2025-03-04"', false],
  ["", false],
])("isDay(%j) is %s", (text, expected) => {
  expect(isDay(text)).toBe(expected);
});
