import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { type Day, LAST_DAY } from "../../../model/day.js";
import type { NameLimits } from "../../../model/names.js";
import type { Store } from "../../store.js";
import { accepted, blocksOf, OTHER_PROJECT, PROJECT, settle } from "../test-events.js";
import { mirroredEntries, mirroredRow, mirroredRows } from "./mirror/mirrored-rows.js";
import { readTexts, responseOf } from "./mirror/responses-conformance.js";
import { readVersions, versionOf } from "./mirror/versions-conformance.js";

const DAY: Day = Date.UTC(2026, 2, 5) / 86_400_000;
const MIRRORED_DAYS = [DAY - 40, DAY - 41];
const DAYS = [DAY, DAY - 1, DAY - 2];
/** Maximum number of steps that an erasure of a test's data may need. */
const MAX_STEPS = 100;

/** Names of a project in tests. They do not occur elsewhere. */
const namesOf = (project: string) => ({
  appId: `1:${project}:android:5f1e77aa`,
  label: `label-${project.split("").reverse().join("")}`,
});

const messages = (project: string, days: readonly Day[], messageId = "m") => {
  const { appId, label } = namesOf(project);
  return blocksOf(
    days.map((day) =>
      accepted({
        appId,
        analyticsLabel: label,
        messageId,
        eventTime: new Date(day * 86_400_000 + 72_000_000).toISOString(),
      }),
    ),
  );
};

/** Stores all kinds of data: events that are rolled up, others that are not, and mirrored entries. */
export async function fill(store: Store, project: string): Promise<void> {
  const of = namesOf(project);
  await store.append(project, messages(project, DAYS));
  await settle(store);
  await store.append(project, messages(project, DAYS.slice(1), "late"));
  for (const day of MIRRORED_DAYS) {
    await store.publish(project, [{ day, entries: [mirroredEntries([mirroredRow({ ...of, day })])] }]);
    await store.keepVersions(project, [versionOf({ ...of, day })]);
  }
  await store.storeResponse(project, responseOf({ ...of, url: `/${of.appId}`, text: of.label }));
}

/** Reads everything about a project. */
export async function contentOf(store: Store, project: string) {
  const { appId } = namesOf(project);
  const all = { project, until: LAST_DAY, limit: 100 };
  return {
    entries: mirroredRows(await store.readEntries({ ...all, originals: true })),
    apps: await store.listApps(all),
    stale: await store.staleDays({ project, limit: 100 }),
    expired: await store.expiredDays({ project, entriesUntil: LAST_DAY, limit: 100 }),
    versions: await readVersions(store, { project }),
    responses: await readTexts(store, { project, appId }),
  };
}

/** Content of a project without data. */
export const NOTHING = { entries: [], apps: [], stale: [], expired: [], versions: [], responses: [] };

/** Erases a project. @returns the number of steps. */
async function erase(store: Store, project = PROJECT): Promise<number> {
  for (let steps = 1; steps < MAX_STEPS; steps++) if (await store.erase(project)) return steps;
  throw new Error(`${MAX_STEPS} steps have not erased the project`);
}

/**
 * Tests erasures for any engine.
 *
 * @param reopen closes the store and opens it, possibly with other limits.
 * @param compactFiles compacts the store or makes a backup, and returns the files.
 */
export function describeErasure(
  storeOf: () => Store,
  reopen: (nameLimits?: NameLimits) => Promise<unknown>,
  compactFiles: () => Promise<readonly string[]>,
): void {
  describe("an erased project", () => {
    it("has nothing left, and other projects keep everything", async () => {
      for (const project of [PROJECT, OTHER_PROJECT]) await fill(storeOf(), project);
      await storeOf().seal(DAY - 2);
      const other = await contentOf(storeOf(), OTHER_PROJECT);
      expect(other.entries).toHaveLength(DAYS.length + MIRRORED_DAYS.length);
      expect(Object.values(other).every(({ length }) => length > 0)).toBe(true);
      const version = await storeOf().version(PROJECT, DAY - 100);
      expect(await erase(storeOf())).toBeGreaterThan(1);
      expect(await contentOf(storeOf(), PROJECT)).toEqual(NOTHING);
      expect(await storeOf().version(PROJECT, DAY - 100)).not.toBe(version);
      expect(await contentOf(storeOf(), OTHER_PROJECT)).toEqual(other);
      await reopen();
      expect(await contentOf(storeOf(), PROJECT)).toEqual(NOTHING);
      expect(await contentOf(storeOf(), OTHER_PROJECT)).toEqual(other);
      expect(await storeOf().erase(PROJECT)).toBe(true);
      await settle(storeOf());
      expect(await contentOf(storeOf(), PROJECT)).toEqual(NOTHING);
    });

    it("is erased completely if the process stops after each step", async () => {
      await fill(storeOf(), PROJECT);
      let steps = 1;
      while (!(await storeOf().erase(PROJECT))) {
        expect(++steps).toBeLessThan(MAX_STEPS);
        await reopen();
      }
      expect(await contentOf(storeOf(), PROJECT)).toEqual(NOTHING);
    });

    it("can be a project that never had data", async () => {
      await fill(storeOf(), OTHER_PROJECT);
      expect(await storeOf().erase(PROJECT)).toBe(true);
    });

    it("can be erased during imports and lists of other projects, and again after its own unfinished work", async () => {
      for (const project of [PROJECT, OTHER_PROJECT]) await fill(storeOf(), project);
      const ofOther = ["x", "y", "z"].map((id) =>
        storeOf().append(OTHER_PROJECT, messages(OTHER_PROJECT, [DAY], id)),
      );
      const inProgress = [
        ...["a", "b", "c"].map((id) => storeOf().append(PROJECT, messages(PROJECT, DAYS, id))),
        storeOf().rollUp(PROJECT, DAYS),
        storeOf().publish(PROJECT, [
          { day: DAY - 40, entries: [mirroredEntries([mirroredRow(namesOf(PROJECT))])] },
        ]),
        storeOf().keepVersions(PROJECT, [versionOf(namesOf(PROJECT))]),
        storeOf().storeResponse(PROJECT, responseOf(namesOf(PROJECT))),
      ];
      await erase(storeOf());
      await Promise.all(ofOther);
      await Promise.all(inProgress);
      await erase(storeOf());
      await settle(storeOf());
      expect(await contentOf(storeOf(), PROJECT)).toEqual(NOTHING);
      const { entries } = await contentOf(storeOf(), OTHER_PROJECT);
      expect(entries.map(({ day }) => day)).toEqual([...DAYS, ...MIRRORED_DAYS]);
    });

    it("has no labels or app ids in files after compaction or in a backup", async () => {
      for (const project of [PROJECT, OTHER_PROJECT]) await fill(storeOf(), project);
      await settle(storeOf());
      await erase(storeOf());
      const names = [PROJECT, OTHER_PROJECT].flatMap((project) => Object.values(namesOf(project)));
      const found = async () => {
        const contents = await Promise.all((await compactFiles()).map((file) => readFile(file)));
        return names.filter((name) => contents.some((bytes) => bytes.includes(name)));
      };
      await expect.poll(found).toEqual(Object.values(namesOf(OTHER_PROJECT)));
    });

    it("can have new data, with as many names as before", async () => {
      await reopen({ maxApps: 1, maxLabels: 1 });
      await storeOf().append(PROJECT, messages(PROJECT, [DAY]));
      await settle(storeOf());
      await erase(storeOf());
      const event = accepted({ appId: "new", analyticsLabel: "new" });
      await storeOf().append(PROJECT, blocksOf([event]));
      await settle(storeOf());
      expect((await contentOf(storeOf(), PROJECT)).entries).toMatchObject([{ appId: "new", label: "new" }]);
    });
  });
}
