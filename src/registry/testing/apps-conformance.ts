import { describe, expect, it } from "vitest";
import { RECORD_KINDS } from "../../control/records.js";
import {
  AUTHOR,
  any,
  NEW,
  type Process,
  PURGE_AFTER,
  type RegistryFixture,
  reasonOf,
  reasonsOf,
  valuesOf,
} from "./registry-fixture.js";

export function describeApps(fixture: RegistryFixture): void {
  const { processes, restarted } = fixture;

  describe("an app", () => {
    it("gets an id that contains its project and platform, even if the config file defines the project", async () => {
      const { number } = await fixture.one.changes.createProject(NEW, AUTHOR);
      for (const project of [number, "7"]) {
        const app = await fixture.one.changes.createApp(
          project,
          "android",
          valuesOf("com.example.a", "A"),
          AUTHOR,
        );
        expect(app.id).toMatch(new RegExp(`^1:${project}:android:[0-9a-f]{16}$`));
        expect(app).toMatchObject({ project, platform: "android", displayName: "A", isOfFile: false });
        const registry = await restarted();
        expect(registry.app(project, app.id)).toEqual(app);
        expect(registry.projectOfApp(app.id)?.number).toBe(project);
      }
      expect((await restarted()).apps("7").map(({ id }) => id)).toEqual([
        expect.stringContaining("1:7:"),
        "app",
      ]);
    });

    it("changes only in the values that are passed, and not at all if a check fails", async () => {
      const { number } = await fixture.one.changes.createProject(NEW, AUTHOR);
      const app = await fixture.one.changes.createApp(number, "ios", valuesOf("com.example.a", "A"), AUTHOR);
      const changed = await fixture.one.changes.updateApp(app, { teamId: "A1B2C3D4E5" }, AUTHOR, any);
      expect(changed).toEqual({ ...app, teamId: "A1B2C3D4E5", revision: expect.any(Number) });
      expect(changed.etag).not.toBe(app.etag);
      const rejected = fixture.one.changes.updateApp(app, { teamId: "" }, AUTHOR, ({ etag }) => {
        if (etag !== app.etag) throw new Error("stale");
      });
      await expect(rejected).rejects.toThrow("stale");
      expect((await restarted()).app(number, app.id)).toEqual(changed);
    });

    it("cannot have the bundle id of another app with the same project and platform", async () => {
      const { number } = await fixture.one.changes.createProject(NEW, AUTHOR);
      const values = valuesOf("com.example.a");
      const app = await fixture.one.changes.createApp(number, "ios", values, AUTHOR);
      const create = (project: string, platform: "ios" | "android", namespace = values.namespace) =>
        reasonOf(fixture.one.changes.createApp(project, platform, valuesOf(namespace), AUTHOR));
      expect(await create(number, "ios")).toBe("NAME_IN_USE");
      expect(await create(number, "android")).toBeUndefined();
      expect(await create("8", "ios")).toBeUndefined();
      expect(await create("7", "ios", "com.example.file")).toBe("NAME_IN_USE");
      await fixture.one.changes.removeApp(app, false, AUTHOR, any);
      expect(await create(number, "ios")).toBeUndefined();
      expect(await reasonOf(fixture.one.changes.undeleteApp(app, AUTHOR, any))).toBe("NAME_IN_USE");
      // The removed app no longer owns the bundle id, so purging it must not release the id.
      await fixture.one.changes.removeApp(app, true, AUTHOR, any);
      const name = `${number}/ios/${values.namespace}`;
      expect(await fixture.one.records.get(RECORD_KINDS.registryName, name)).toBeDefined();
      expect(await create(number, "ios")).toBe("NAME_IN_USE");
    });

    it("is created by exactly one process if several choose the same bundle id", async () => {
      const all = await processes(4);
      const create = ({ changes }: Process) =>
        changes.createApp("8", "ios", valuesOf("com.example.a"), AUTHOR);
      const reasons = await reasonsOf(all.map(create));
      expect(reasons.toSorted()).toEqual(["NAME_IN_USE", "NAME_IN_USE", "NAME_IN_USE", undefined]);
      expect((await restarted()).apps("8")).toHaveLength(1);
    });

    it("does not conflict with another app if both have no bundle id", async () => {
      for (let index = 0; index < 2; index++)
        await fixture.one.changes.createApp("8", "web", valuesOf(""), AUTHOR);
      expect((await restarted()).apps("8")).toHaveLength(2);
    });

    it("disappears when it is removed, and has the same values after it is restored", async () => {
      const app = await fixture.one.changes.createApp("8", "ios", valuesOf("com.example.a"), AUTHOR);
      const removed = await fixture.one.changes.removeApp(app, false, AUTHOR, any);
      expect(removed).toMatchObject({ deleteTime: fixture.now, purgeTime: fixture.now + PURGE_AFTER });
      expect((await restarted()).app("8", app.id)).toBeUndefined();
      expect((await restarted()).appEvenRemoved("8", app.id)).toEqual(removed);
      const restored = await fixture.one.changes.undeleteApp(app, AUTHOR, any);
      expect(restored).toEqual({ ...app, revision: expect.any(Number) });
      expect((await restarted()).app("8", app.id)).toEqual(restored);
      await fixture.one.changes.removeApp(app, true, AUTHOR, any);
      expect((await restarted()).appEvenRemoved("8", app.id)).toBeUndefined();
    });

    it("cannot be changed if the config file defines it", async () => {
      const app = fixture.one.registry.app("7", "app");
      if (app === undefined) throw new Error("the file's app is missing");
      const { changes } = fixture.one;
      const reasons = await reasonsOf([
        changes.updateApp(app, { displayName: "A" }, AUTHOR, any),
        changes.removeApp(app, true, AUTHOR, any),
        changes.undeleteApp(app, AUTHOR, any),
      ]);
      expect(reasons).toEqual(Array(3).fill("PROVISIONED_BY_FILE"));
    });
  });
}
