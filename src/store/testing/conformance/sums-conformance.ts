import { protoCamelCase } from "@bufbuild/protobuf/reflect";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { byBytes } from "../../../model/collections.js";
import { type Day, LAST_DAY } from "../../../model/day.js";
import { TooManyGroupsError } from "../../../model/store-error.js";
import { COUNTS, type Dimension, type EntryFilter, type GroupColumns } from "../../delivery-data-store.js";
import type { Store } from "../../store.js";
import { APPS, DAYS, FIRST, filter, GRID } from "../entry-grid.js";
import { naiveMatches } from "../naive-filter.js";
import { type NaiveEntry, naiveRollup } from "../naive-rollup.js";
import { blocksOf, history, PROJECT, settle } from "../test-events.js";

/** An expected group, with counts by name. */
interface Group {
  readonly day: Day | undefined;
  readonly appId: string | undefined;
  readonly label: string | undefined;
  readonly counts: Record<string, number>;
}

const GROUPINGS = [
  [],
  ["day"],
  ["label"],
  ["day", "label"],
  ["app"],
  ["app", "day"],
  ["label", "app"],
  ["day", "app", "label"],
] as const satisfies Dimension[][];

/** Returns all counts of an entry by their camel-case contract names. */
const countsOf = ({ countMessagesAccepted, countNotificationsAccepted, counts }: NaiveEntry) => ({
  countMessagesAccepted,
  countNotificationsAccepted,
  ...Object.assign({}, ...Object.values(counts)),
});

/** Sums individual entries, for comparison. */
function naiveSums(
  entries: readonly NaiveEntry[],
  groupBy: ReadonlySet<Dimension>,
  appId?: string,
  matches: EntryFilter = { kind: "and", operands: [] },
): Group[] {
  const groups = new Map<string, Group>();
  for (const entry of entries) {
    const [day, label] = [Date.parse(entry.date) / 86_400_000, entry.analyticsLabel];
    if (appId !== undefined && entry.appId !== appId) continue;
    if (!naiveMatches(matches, { day, label })) continue;
    const of = {
      day: groupBy.has("day") ? day : undefined,
      appId: groupBy.has("app") ? entry.appId : undefined,
      label: groupBy.has("label") ? label : undefined,
    };
    const key = JSON.stringify([of.day, of.appId, of.label]);
    const group = groups.get(key) ?? { ...of, counts: {} };
    groups.set(key, group);
    for (const [name, count] of Object.entries<number>(countsOf(entry))) {
      group.counts[name] = (group.counts[name] ?? 0) + count;
    }
  }
  return [...groups.values()].sort(
    (a, b) =>
      (b.day ?? 0) - (a.day ?? 0) ||
      byBytes(a.appId ?? "", b.appId ?? "") ||
      byBytes(a.label ?? "", b.label ?? ""),
  );
}

const groupsOf = (batches: readonly GroupColumns[]): Group[] =>
  batches.flatMap(({ length, days, appIds, labels, counts }) =>
    Array.from({ length }, (_, row) => ({
      day: days?.[row],
      appId: appIds?.[row],
      label: labels?.[row],
      counts: Object.fromEntries(
        COUNTS.map((name, i) => [protoCamelCase(name), counts[i]?.[row] ?? Number.NaN]),
      ),
    })),
  );

/** Tests sums for any engine, on a store with the grid. Does not change other projects. */
export function describeSums(storeOf: () => Store, runs: (all: number) => number): void {
  describe("sumEntries", () => {
    const all = { until: LAST_DAY, limit: 10_000 };
    const grid = naiveRollup(GRID.map(({ event }) => event));

    it("returns the same sums as the naive rollup, for any history", async () => {
      let project = 2_000_000;
      await fc.assert(
        fc.asyncProperty(history, async (events) => {
          const number = String(project++);
          await storeOf().append(number, blocksOf(events as Parameters<typeof blocksOf>[0]));
          await settle(storeOf());
          const entries = naiveRollup(events as Parameters<typeof naiveRollup>[0]);
          for (const dimensions of GROUPINGS) {
            const groupBy = new Set<Dimension>(dimensions);
            for (const appId of ["app", "app-2", undefined]) {
              const query = { project: number, ...all, groupBy, ...(appId !== undefined && { appId }) };
              const expected = naiveSums(entries, groupBy, appId);
              expect(groupsOf(await storeOf().sumEntries(query))).toEqual(expected);
            }
          }
        }),
        { numRuns: runs(30) },
      );
    });

    describe("sums of the grid", () => {
      it("sums the entries that match a filter, for one app and for all apps", async () => {
        const groupings = fc.constantFrom<readonly Dimension[]>(...GROUPINGS);
        const appIds = fc.option(fc.constantFrom<string[]>(...APPS), { nil: undefined });
        await fc.assert(
          fc.asyncProperty(filter, appIds, groupings, async (filter, appId, dimensions) => {
            const groupBy = new Set(dimensions);
            const query = {
              project: PROJECT,
              ...all,
              groupBy,
              filter,
              ...(appId !== undefined && { appId }),
            };
            const expected = naiveSums(grid, groupBy, appId, filter);
            expect(groupsOf(await storeOf().sumEntries(query))).toEqual(expected);
          }),
          { numRuns: runs(200) },
        );
      });

      it("sums up to the requested day, and rejects more groups than the limit", async () => {
        for (const dimensions of GROUPINGS) {
          const groupBy = new Set<Dimension>(dimensions);
          for (const until of [FIRST - 1, FIRST, FIRST + 3, FIRST + DAYS]) {
            const upTo: EntryFilter = { kind: "day", comparison: "<=", day: until };
            const expected = naiveSums(grid, groupBy, undefined, upTo);
            for (const limit of [
              1,
              3,
              Math.max(1, expected.length - 1),
              Math.max(1, expected.length),
              10_000,
            ]) {
              const summing = storeOf().sumEntries({ project: PROJECT, until, groupBy, limit });
              if (expected.length > limit) await expect(summing).rejects.toThrow(TooManyGroupsError);
              else expect(groupsOf(await summing)).toEqual(expected);
            }
          }
        }
      });

      it("returns no groups for an unknown app or project", async () => {
        for (const dimensions of GROUPINGS) {
          const groupBy = new Set<Dimension>(dimensions);
          expect(
            groupsOf(await storeOf().sumEntries({ project: PROJECT, appId: "none", ...all, groupBy })),
          ).toEqual([]);
          expect(groupsOf(await storeOf().sumEntries({ project: "1", ...all, groupBy }))).toEqual([]);
        }
      });
    });
  });
}
