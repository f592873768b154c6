import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { testDirectory } from "../../../test/support/test-directory.js";
import type { Control } from "../../control/control.js";
import { FILES_ENGINE } from "../../control/embedded/files-engine.js";
import { RECORD_KINDS } from "../../control/records.js";
import { changesOf } from "../../control/testing/changes-of.js";
import { systemClock } from "../../model/clock.js";
import type { RegisteredApp } from "../entries.js";
import { Registry } from "../registry.js";
import { RegistryChanges } from "../registry-changes.js";
import { RegistryPurge } from "./registry-purge.js";

const NOTE = { principal: "ada", issuer: "", network: "", method: "Test" };
const PURGE_AFTER = 86_400_000;
const VALUES = { displayName: "", namespace: "com.example", teamId: "", appStoreId: "", appUrls: [] };
const HOUR = 3_600_000;

let control: Control;
let now: number;
let registry: Registry;
let changes: RegistryChanges;
let purge: RegistryPurge;

beforeEach(async () => {
  control = await FILES_ENGINE.open(
    { engine: "files" },
    { directory: await testDirectory(), clock: systemClock },
  );
  now = systemClock.wall();
  registry = await Registry.open(control.records, { projects: [], access: [] });
  const clock = { ...systemClock, wall: () => now };
  changes = new RegistryChanges({ registry, clock, purgeAfter: PURGE_AFTER });
  purge = new RegistryPurge(registry);
});
afterEach(() => control.close());

const createProject = (id: string) =>
  changes.createProject({ id, displayName: "A project", owner: "user:ada" }, NOTE);

/** Keys of all registry records, and of the names that they reserve. */
const keys = async () =>
  (
    await Promise.all(
      [RECORD_KINDS.registry, RECORD_KINDS.registryName].map((kind) =>
        control.records.list(kind, { limit: 100 }),
      ),
    )
  )
    .flat()
    .map(({ key }) => key);

describe("RegistryPurge", () => {
  it("lists deleted projects once their purge time has passed on all clocks", async () => {
    const { number } = await createProject("project-a");
    await createProject("project-b");
    expect(await purge.dueForPurge(now + 10 * PURGE_AFTER)).toEqual([]);
    await changes.deleteProject(number, NOTE);
    expect(await purge.dueForPurge(now + PURGE_AFTER)).toEqual([]);
    expect(await purge.dueForPurge(now + PURGE_AFTER + HOUR)).toEqual([number]);
  });

  it("does not list a deleted project that the config file defines again", async () => {
    const { id, number } = await createProject("project-a");
    await changes.deleteProject(number, NOTE);
    registry.setFile({ projects: [{ id, number, apps: [] }], access: [] });
    expect(await purge.dueForPurge(now + 2 * PURGE_AFTER)).toEqual([]);
  });

  it("removes all records and names of a purged project, and no others", async () => {
    const { number } = await createProject("project-a");
    await createProject("project-b");
    const others = (await keys()).filter(
      (key) => !key.startsWith(`${number}/`) && key !== "projects/project-a",
    );
    await changes.createApp(number, "ios", VALUES, NOTE);
    await changes.deleteProject(number, NOTE);
    await purge.purged(number);
    expect(await keys()).toEqual(others);
    expect(registry.projectEvenDeleted(number)).toBeUndefined();
    const { records } = await changesOf(control.records, RECORD_KINDS.registry, 0);
    expect(records.filter(({ key }) => key.startsWith(number))).toEqual([]);
    await purge.purged(number);
    expect((await createProject("project-a")).number).not.toBe(number);
  });

  it("erases removed apps after their purge time, with their configurations", async () => {
    const { number } = await createProject("project-a");
    const app = await changes.createApp(number, "ios", VALUES, NOTE);
    const other = await changes.createApp(number, "web", { ...VALUES, namespace: "" }, NOTE);
    const kind = RECORD_KINDS.appAttestConfig;
    await control.records.change(
      [app, other].map(({ id }) => ({ kind, key: `${number}/${id}`, value: { config: {}, revision: 1 } })),
    );
    await changes.removeApp(app, false, NOTE, () => {});
    expect(await purge.purgeApps(now + PURGE_AFTER)).toEqual([]);
    expect(await purge.purgeApps(now + PURGE_AFTER + HOUR)).toMatchObject([{ id: app.id }]);
    await registry.refresh();
    expect(registry.apps(number).map(({ id }) => id)).toEqual([other.id]);
    expect((await control.records.list(kind, { limit: 9 })).map(({ key }) => key)).toEqual([
      `${number}/${other.id}`,
    ]);
    expect(await purge.purgeApps(now + 2 * PURGE_AFTER)).toEqual([]);
  });

  describe("of an app that is removed permanently", () => {
    const KEYS = RECORD_KINDS.attestedKey;
    const removed = async (keyCount: number): Promise<RegisteredApp> => {
      const { number } = await createProject("project-a");
      const app = await changes.createApp(number, "ios", VALUES, NOTE);
      const addKeys = (scope: string, count: number) =>
        control.records.change(
          Array.from({ length: count }, (_, index) => ({ kind: KEYS, key: `${scope}/${index}`, value: 1 })),
        );
      await addKeys(`${number}/${app.id}`, keyCount);
      await addKeys(`${number}/${app.id}0`, 1);
      for (const kind of [RECORD_KINDS.debugTokens, RECORD_KINDS.appAttestConfig])
        await control.records.change([{ kind, key: `${number}/${app.id}`, value: {} }]);
      await changes.removeApp(app, true, NOTE, () => {});
      return app;
    };
    const scopes = async () => {
      const kinds = [KEYS, RECORD_KINDS.debugTokens, RECORD_KINDS.appAttestConfig];
      const found = await Promise.all(kinds.map((kind) => control.records.list(kind, { limit: 100_000 })));
      return new Set(found.flat().map(({ key }) => key.split("/")[1]));
    };

    it("erases its records immediately", async () => {
      const { project, id } = await removed(300);
      expect(await scopes()).toEqual(new Set([`${id}0`]));
      expect(registry.appEvenRemoved(project, id)).toBeUndefined();
      expect(await purge.purgeApps(now + HOUR)).toEqual([]);
    });

    it("erases many records later", async () => {
      const { project, id } = await removed(15_000);
      expect(registry.app(project, id)).toBeUndefined();
      expect(registry.appEvenRemoved(project, id)).toMatchObject({ purgeTime: now });
      expect(await purge.purgeApps(now + HOUR)).toMatchObject([{ id }]);
      expect(await scopes()).toEqual(new Set([`${id}0`]));
    });
  });
});
