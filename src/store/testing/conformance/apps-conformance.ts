import { beforeAll, describe, expect, it } from "vitest";
import { LAST_DAY } from "../../../model/day.js";
import type { AppWithEntries } from "../../delivery-data-store.js";
import type { Store } from "../../store.js";
import { APPS, DAYS, FIRST } from "../entry-grid.js";
import { accepted, blocksOf, settle } from "../test-events.js";

/** Projects in these tests. */
const [PROJECT, OTHER_PROJECT, UNKNOWN_PROJECT, NEW_PROJECT] = ["3000001", "3000002", "3000003", "3000004"];

/** Tests {@link DeliveryDataStore.listApps} for any engine. Does not change other projects. */
export function describeApps(storeOf: () => Store): void {
  describe("listApps", () => {
    /** Returns the days with entries of an app, by app index. They differ between apps. */
    const daysOf = (app: number): number[] => [FIRST + (app % DAYS), FIRST + DAYS + app, FIRST + 2];
    const EXPECTED: AppWithEntries[] = APPS.map((appId, app) => ({
      appId,
      firstDay: Math.min(...daysOf(app)),
      lastDay: Math.max(...daysOf(app)),
    }));
    const noon = (day: number): string => new Date(day * 86_400_000 + 72_000_000).toISOString();

    beforeAll(async () => {
      // Also lists projects that are added later.
      await storeOf().projectsWithEntries();
      const events = APPS.flatMap((appId, app) =>
        daysOf(app).map((day) => accepted({ appId, messageId: `${day}`, eventTime: noon(day) })),
      );
      await storeOf().append(PROJECT, blocksOf(events.reverse()));
      await storeOf().append(OTHER_PROJECT, blocksOf([accepted({ appId: "another" })]));
      await settle(storeOf());
    });

    it("lists apps in byte order of their ids, each with its first and last day", async () => {
      expect(await storeOf().listApps({ project: PROJECT, until: LAST_DAY, limit: 100 })).toEqual(EXPECTED);
    });

    it("lists projects with entries", async () => {
      const projects = await storeOf().projectsWithEntries();
      expect(projects).toEqual(expect.arrayContaining([PROJECT, OTHER_PROJECT]));
      expect(projects).not.toContain(UNKNOWN_PROJECT);
    });

    it("lists only apps of the project", async () => {
      const apps = await storeOf().listApps({ project: OTHER_PROJECT, until: LAST_DAY, limit: 100 });
      expect(apps.map(({ appId }) => appId)).toEqual(["another"]);
      expect(await storeOf().listApps({ project: UNKNOWN_PROJECT, until: LAST_DAY, limit: 100 })).toEqual([]);
    });

    it("returns the same list in pages of any size", async () => {
      for (let limit = 1; limit <= APPS.length + 1; limit++) {
        const apps: AppWithEntries[] = [];
        for (;;) {
          const after = apps.at(-1)?.appId;
          const query = { project: PROJECT, until: LAST_DAY, limit, ...(after !== undefined && { after }) };
          const page = await storeOf().listApps(query);
          expect(page.length).toBeLessThanOrEqual(limit);
          if (page.length === 0) break;
          apps.push(...page);
        }
        expect(apps).toEqual(EXPECTED);
      }
    });

    it("ignores days after the requested one", async () => {
      for (const until of [FIRST - 1, FIRST, FIRST + 2, FIRST + DAYS, FIRST + DAYS + 3]) {
        const expected = APPS.flatMap((appId, app) => {
          const days = daysOf(app).filter((day) => day <= until);
          return days.length === 0
            ? []
            : [{ appId, firstDay: Math.min(...days), lastDay: Math.max(...days) }];
        });
        expect(await storeOf().listApps({ project: PROJECT, until, limit: 100 })).toEqual(expected);
      }
    });

    it("omits apps before their first rollup, and apps without an accepted message", async () => {
      const project = NEW_PROJECT;
      await storeOf().append(project, blocksOf([accepted({})]));
      expect(await storeOf().listApps({ project, until: LAST_DAY, limit: 100 })).toEqual([]);
      await storeOf().append(project, blocksOf([accepted({ appId: "lost", eventType: "DELIVERED" })]));
      await settle(storeOf());
      const apps = await storeOf().listApps({ project, until: LAST_DAY, limit: 100 });
      expect(apps.map(({ appId }) => appId)).toEqual(["app"]);
    });
  });
}
