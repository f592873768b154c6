import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { LAST_DAY } from "../../../model/day.js";
import type { EntryFilter, EntryQuery } from "../../delivery-data-store.js";
import type { Store } from "../../store.js";
import { APPS, DAYS, FIRST, filter, GRID, gridOf, type Place } from "../entry-grid.js";
import { list, placesOf, toJson } from "../list-entries.js";
import type { StoreUnderTest } from "../store-under-test.js";
import { accepted, blocksOf, OTHER_PROJECT, PROJECT, settle } from "../test-events.js";
import { describeApps } from "./apps-conformance.js";
import { describeSums } from "./sums-conformance.js";

/** Reads all pages of a list, up to the first incomplete one. */
async function readPages(store: Store, query: EntryQuery): Promise<Place[]> {
  const places: Place[] = [];
  for (;;) {
    const last = places.at(-1);
    const after = last && (query.appId === undefined ? last : { day: last.day, label: last.label });
    const page = placesOf(await store.readEntries({ ...query, ...(after && { after }) }));
    expect(page.length).toBeLessThanOrEqual(query.limit);
    places.push(...page);
    if (page.length < query.limit) return places;
  }
}

/** Tests reads for any engine, on one store. Does not change entries of other projects. */
export function describeReads(
  name: string,
  setUp: () => Promise<StoreUnderTest>,
  runs: (all: number) => number,
): void {
  describe(`${name} with many apps, days and labels`, () => {
    let subject: StoreUnderTest;
    let store: Store;

    beforeAll(async () => {
      subject = await setUp();
      store = await subject.open();
      await store.append(PROJECT, blocksOf(GRID.map(({ event }) => event)));
      await store.append(OTHER_PROJECT, blocksOf([accepted({ appId: "another" })]));
      await settle(store);
    });
    afterAll(async () => {
      await store.close();
      await subject.dispose();
    });

    describe("lists", () => {
      it("lists all apps by day, then app id and label in byte order, in pages of any size", async () => {
        const all = { project: PROJECT, until: LAST_DAY };
        expect(placesOf(await store.readEntries({ ...all, limit: 10_000 }))).toEqual(gridOf());
        const ofOneDay = gridOf().filter(({ day }) => day === FIRST + DAYS - 1).length;
        for (const limit of [3, 50, ofOneDay, ofOneDay + 1, GRID.length - 1, GRID.length]) {
          expect(await readPages(store, { ...all, limit })).toEqual(gridOf());
        }
        for (const until of [FIRST - 1, FIRST, FIRST + 3]) {
          const upTo = gridOf().filter(({ day }) => day <= until);
          expect(await readPages(store, { project: PROJECT, until, limit: 50 })).toEqual(upTo);
        }
        const others = await store.readEntries({ project: OTHER_PROJECT, until: LAST_DAY, limit: 10 });
        expect(placesOf(others).map(({ appId }) => appId)).toEqual(["another"]);
      });

      it("returns the same figures in the list of all apps as in lists of one app", async () => {
        const whole = toJson(await store.readEntries({ project: PROJECT, until: LAST_DAY, limit: 10_000 }));
        for (const app of APPS) {
          const own = whole.filter((entry) => (entry as { appId: string }).appId === app);
          expect(await list(store, app)).toEqual(own);
        }
      });

      it.each([
        [["a", "a"]],
        [["a", "b"]],
        [["ab", "bab"]],
        [["", "a", ""]],
        [["", "%", ""]],
        [["a", "", ""]],
        [["", "a", "a", ""]],
        [["", "b", "a", "b"]],
        [["", "aba", "bab", ""]],
        [["", "ab", "ab", ""]],
        [["a", "a", "b", ""]],
        [["a", "", "a", "b"]],
        [["", "b", "a", "b", "a", ""]],
      ])("matches pattern pieces in order: %j", async (pieces) => {
        const filter: EntryFilter = { kind: "pattern", pieces };
        const found = placesOf(
          await store.readEntries({ project: PROJECT, until: LAST_DAY, filter, limit: 10_000 }),
        );
        expect(found).toEqual(gridOf(undefined, filter));
      });

      it("lists the entries that match a filter, for one app and for all apps, in pages of any size", async () => {
        const appId = fc.option(fc.constantFrom<string[]>(...APPS), { nil: undefined });
        const limit = fc.oneof(fc.integer({ min: 8, max: 200 }), fc.constant(10_000));
        await fc.assert(
          fc.asyncProperty(filter, appId, limit, async (filter, appId, limit) => {
            const query = {
              project: PROJECT,
              until: LAST_DAY,
              filter,
              limit,
              ...(appId !== undefined && { appId }),
            };
            expect(await readPages(store, query)).toEqual(gridOf(appId, filter));
          }),
          { numRuns: runs(200) },
        );
      });
    });

    describeApps(() => store);
    describeSums(() => store, runs);
  });
}
