import { describe, expect, it, test } from "vitest";
import { dayOfCivil } from "../model/day.js";
import { type EntryChoice, entryFilter } from "./entry-filter.js";

const SELECTION: EntryChoice = {
  range: { first: dayOfCivil(2025, 3, 1), last: dayOfCivil(2025, 3, 7) },
  labels: undefined,
};
const DATES = 'date >= "2025-03-01" AND date <= "2025-03-07"';

describe("entryFilter", () => {
  test.each<[labels: readonly string[] | undefined, filter: string]>([
    [undefined, DATES],
    [["spring"], `${DATES} AND analyticsLabel = "spring"`],
    [[""], `${DATES} AND analyticsLabel = ""`],
    [["", "a", "b"], `${DATES} AND analyticsLabel = ("" OR "a" OR "b")`],
  ])("selects labels %j", (labels, filter) => {
    expect(entryFilter({ ...SELECTION, labels })).toBe(filter);
  });

  test.each<[label: string]>([['x" OR analyticsLabel != "x'], ["*"], ["a\\"]])(
    "skips the invalid label %j",
    (label) => {
      expect(entryFilter({ ...SELECTION, labels: ["a", label] })).toBe(`${DATES} AND analyticsLabel = "a"`);
    },
  );

  it("leaves out a label, and skips an invalid one", () => {
    expect(entryFilter({ ...SELECTION, exceptLabel: "spring" })).toBe(
      `${DATES} AND NOT analyticsLabel = "spring"`,
    );
    expect(entryFilter({ ...SELECTION, exceptLabel: '"' })).toBe(DATES);
  });

  it("selects nothing if all labels are invalid", () => {
    expect(entryFilter({ ...SELECTION, labels: ['"'] })).toBe(
      `${DATES} AND analyticsLabel = "" AND analyticsLabel:*`,
    );
  });
});
