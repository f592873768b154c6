import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { FIRST_DAY, LAST_DAY } from "#src/model/day.js";
import { PRESETS, RECENT_DAYS } from "#src/presentation/chosen-range.js";
import type { DayRange } from "../days/day-range.js";
import { INCIDENT_STATES } from "../figures/inbox-incident.js";
import { EARLIER } from "./chosen-range.js";
import { changedView, TABS, type View } from "./view.js";
import { queryOf, viewOf } from "./view-address.js";

const DEFAULT_VIEW: View = {
  project: undefined,
  app: undefined,
  attestedApp: undefined,
  tab: "project",
  range: { kind: "recent", days: 28 },
  earlier: "before",
  labels: undefined,
  comparison: { kind: "labels", left: undefined, right: undefined },
  sorting: undefined,
  category: undefined,
  isUndelivered: true,
  incidentState: "OPEN",
  asCounts: false,
  page: 1,
};

const name = fc.string({ unit: "grapheme", minLength: 1 });
const optional = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> =>
  fc.option(arbitrary, { nil: undefined });
const range: fc.Arbitrary<DayRange> = fc
  .tuple(fc.integer({ min: FIRST_DAY, max: LAST_DAY }), fc.integer({ min: FIRST_DAY, max: LAST_DAY }))
  .map(([a, b]) => ({ first: Math.min(a, b), last: Math.max(a, b) }));

const view: fc.Arbitrary<View> = fc.record({
  project: optional(name),
  app: optional(name),
  attestedApp: optional(name),
  tab: fc.constantFrom(...TABS),
  range: fc.oneof(
    fc.record({ kind: fc.constant("recent" as const), days: fc.constantFrom(...RECENT_DAYS) }),
    fc.record({ kind: fc.constant("preset" as const), preset: fc.constantFrom(...PRESETS) }),
    fc.record({ kind: fc.constant("since" as const), first: fc.integer({ min: FIRST_DAY, max: LAST_DAY }) }),
    fc.record({ kind: fc.constant("own" as const), range }),
  ),
  earlier: fc.constantFrom(...EARLIER),
  labels: optional(fc.uniqueArray(fc.string({ maxLength: 50 }), { minLength: 1 })),
  comparison: fc.oneof(
    fc.record({
      kind: fc.constant("labels" as const),
      left: optional(fc.string()),
      right: optional(fc.string()),
    }),
    fc.record({ kind: fc.constant("ranges" as const), other: optional(range) }),
  ),
  sorting: optional(fc.record({ column: fc.stringMatching(/^\w+$/), descending: fc.boolean() })),
  category: optional(name),
  isUndelivered: fc.boolean(),
  incidentState: fc.constantFrom(...INCIDENT_STATES),
  asCounts: fc.boolean(),
  page: fc.integer({ min: 1, max: 999_999 }),
});

describe("a view's URL query", () => {
  it("restores every view", () => {
    fc.assert(
      fc.property(view, (view) => {
        expect(viewOf(queryOf(view))).toEqual(view);
      }),
    );
  });

  it("omits defaults", () => {
    expect(viewOf("")).toEqual(DEFAULT_VIEW);
    expect(queryOf(DEFAULT_VIEW)).toBe("");
  });

  it("shows an app's overview, or all apps of a project, if it names no tab", () => {
    expect(viewOf("?project=shop&app=a").tab).toBe("overview");
    expect(viewOf("?project=shop").tab).toBe("project");
    expect(queryOf({ ...DEFAULT_VIEW, app: "a", tab: "project" })).toBe("?app=a&tab=project");
  });

  it("names a relative range and the earlier range", () => {
    const view: View = { ...DEFAULT_VIEW, range: { kind: "preset", preset: "last-month" }, earlier: "year" };
    expect(queryOf(view)).toBe("?range=last-month&earlier=year");
  });

  it("is readable", () => {
    const view: View = { ...DEFAULT_VIEW, project: "shop", tab: "labels", labels: ["", "spring-sale"] };
    expect(queryOf({ ...view, range: { kind: "own", range: { first: 20_000, last: 20_001 } } })).toBe(
      "?project=shop&tab=labels&from=2024-10-04&to=2024-10-05&label=&label=spring-sale",
    );
  });

  test.each([
    "tab=nothing",
    "days=8",
    "range=next-month",
    "earlier=never",
    "days=",
    "from=2025-02-30",
    "from=2025-03-02&to=2025-03-01",
    "from=2025-02-30&to=2025-03-01",
    "compare=ranges2",
    "sort=a b",
    "sort=",
    "category=",
    "outcomes=delivered",
    "as=percent",
    "page=0",
    "page=-1",
    "page=1e3",
    "page=1000000",
    "project=&app=",
    "%zz&=&&&",
  ])("ignores %s", (query) => {
    expect(viewOf(`?${query}`)).toEqual(DEFAULT_VIEW);
  });
});

test.each<[change: Partial<View>, page: number]>([
  [{ range: { kind: "recent", days: 7 } }, 1],
  [{ labels: undefined }, 1],
  [{ app: "other" }, 1],
  [{ page: 4 }, 4],
  [{ labels: ["a"], page: 2 }, 2],
  [{ tab: "overview" }, 3],
])("changedView with %j on page 3 shows page %d", (change, page) => {
  expect(changedView({ ...DEFAULT_VIEW, page: 3 }, change)).toEqual({ ...DEFAULT_VIEW, ...change, page });
});
