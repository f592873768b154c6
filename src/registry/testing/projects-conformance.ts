import { describe, expect, it } from "vitest";
import { Role } from "../../gen/waybill/auth/v1/authorization_pb.js";
import {
  AUTHOR,
  any,
  NEW,
  OWNER,
  owners,
  PURGE_AFTER,
  person,
  type RegistryFixture,
  reasonOf,
  reasonsOf,
  valuesOf,
} from "./registry-fixture.js";

/** Tests of projects, and of their lists. */
export function describeProjects(fixture: RegistryFixture): void {
  const { processes, restarted } = fixture;

  describe("a project", () => {
    it("is created with an owner, and can be found by id and number after a restart", async () => {
      const created = await fixture.one.changes.createProject(NEW, AUTHOR);
      expect(created).toMatchObject({
        id: NEW.id,
        displayName: "New",
        createTime: fixture.now,
        isOfFile: false,
      });
      expect(created.number).toMatch(/^[1-9]\d{11}$/);
      for (const registry of [fixture.one.registry, await restarted()]) {
        expect(registry.project(NEW.id)).toEqual(created);
        expect(registry.project(created.number)).toEqual(created);
        expect(registry.roleOn(person("ada@example.com"), created.number)).toBe(Role.OWNER);
        expect(registry.roleOn(person("other@example.com"), created.number)).toBe(Role.ROLE_UNSPECIFIED);
      }
    });

    it("cannot have the id of another project, even if that project is deleted or in the config file", async () => {
      const { number } = await fixture.one.changes.createProject(NEW, AUTHOR);
      await fixture.one.changes.deleteProject(number, AUTHOR);
      for (const id of [NEW.id, "of-file"])
        expect(await reasonOf(fixture.one.changes.createProject({ ...NEW, id }, AUTHOR))).toBe("NAME_IN_USE");
    });

    it("is created by exactly one process if several choose the same id", async () => {
      const all = await processes(4);
      const reasons = await reasonsOf(all.map(({ changes }) => changes.createProject(NEW, AUTHOR)));
      expect(reasons.toSorted()).toEqual(["NAME_IN_USE", "NAME_IN_USE", "NAME_IN_USE", undefined]);
      const listed = (await restarted()).projectsAfter(undefined, 10, ({ id }) => id === NEW.id);
      expect(listed).toHaveLength(1);
    });

    it("has a new etag after each change, and is not renamed if a check fails", async () => {
      const created = await fixture.one.changes.createProject(NEW, AUTHOR);
      const renamed = await fixture.one.changes.renameProject(created.number, "Renamed", AUTHOR, any);
      expect(renamed).toMatchObject({ ...created, displayName: "Renamed", revision: expect.any(Number) });
      expect(renamed.etag).not.toBe(created.etag);
      const rejection = new Error("no");
      const rejected = fixture.one.changes.renameProject(created.number, "Again", AUTHOR, () => {
        throw rejection;
      });
      await expect(rejected).rejects.toBe(rejection);
      expect((await restarted()).project(NEW.id)).toEqual(renamed);
    });

    it("disappears when it is deleted, and is restored with its apps and policy", async () => {
      const created = await fixture.one.changes.createProject(NEW, AUTHOR);
      const { number } = created;
      const app = await fixture.one.changes.createApp(number, "ios", valuesOf("com.example.a"), AUTHOR);
      expect(await reasonOf(fixture.one.changes.undeleteProject(number, AUTHOR, any))).toBe("WRONG_STATE");
      await fixture.one.changes.deleteProject(number, AUTHOR);
      expect(await reasonOf(fixture.one.changes.deleteProject(number, AUTHOR))).toBe("WRONG_STATE");
      const ada = person("ada@example.com");
      for (const registry of [fixture.one.registry, await restarted()]) {
        expect([registry.project(NEW.id), registry.project(number)]).toEqual([undefined, undefined]);
        expect(registry.projectOfApp(app.id)).toBeUndefined();
        expect(registry.projectsWithRole(ada, Role.VIEWER, undefined, 10)).toEqual([]);
        expect(registry.projectEvenDeleted(number)).toMatchObject({
          deleteTime: fixture.now,
          purgeTime: fixture.now + PURGE_AFTER,
        });
      }
      expect(await reasonOf(fixture.one.changes.createApp(number, "ios", valuesOf("b"), AUTHOR))).toBe(
        "RESOURCE_NOT_FOUND",
      );
      expect(await reasonOf(fixture.one.changes.setPolicy(number, owners(OWNER), AUTHOR, any))).toBe(
        "RESOURCE_NOT_FOUND",
      );
      await fixture.one.changes.undeleteProject(number, AUTHOR, any);
      for (const registry of [fixture.one.registry, await restarted()]) {
        expect(registry.project(NEW.id)).toEqual({ ...created, revision: expect.any(Number) });
        expect(registry.projectOfApp(app.id)?.number).toBe(number);
        expect(registry.projectsWithRole(ada, Role.OWNER, undefined, 10)).toHaveLength(1);
      }
    });

    it("cannot be restored from its purge time on", async () => {
      const { number } = await fixture.one.changes.createProject(NEW, AUTHOR);
      const app = await fixture.one.changes.createApp(number, "ios", valuesOf("com.example.a"), AUTHOR);
      await fixture.one.changes.removeApp(app, false, AUTHOR, any);
      fixture.pass(PURGE_AFTER - 1);
      await fixture.one.changes.undeleteApp(app, AUTHOR, any);
      await fixture.one.changes.removeApp(app, false, AUTHOR, any);
      fixture.pass(PURGE_AFTER);
      expect(await reasonOf(fixture.one.changes.undeleteApp(app, AUTHOR, any))).toBe("RESOURCE_NOT_FOUND");
      await fixture.one.changes.deleteProject(number, AUTHOR);
      fixture.pass(PURGE_AFTER);
      expect(await reasonOf(fixture.one.changes.undeleteProject(number, AUTHOR, any))).toBe(
        "RESOURCE_NOT_FOUND",
      );
      expect((await restarted()).project(NEW.id)).toBeUndefined();
    });

    it("cannot be changed if the config file defines it", async () => {
      const { changes } = fixture.one;
      const reasons = await reasonsOf([
        changes.renameProject("7", "Other", AUTHOR, any),
        changes.deleteProject("7", AUTHOR),
        changes.undeleteProject("7", AUTHOR, any),
      ]);
      expect(reasons).toEqual(Array(3).fill("PROVISIONED_BY_FILE"));
    });
  });

  describe("lists of projects", () => {
    it("contain each project once, sorted by number, from any position", async () => {
      const numbers: string[] = [];
      for (let index = 0; index < 5; index++)
        numbers.push(
          (await fixture.one.changes.createProject({ ...NEW, id: `project-${index}` }, AUTHOR)).number,
        );
      const expected = ["7", "8", ...numbers.toSorted()];
      const listed: string[] = [];
      for (;;) {
        const page = fixture.one.registry.projectsAfter(listed.at(-1), 2, () => true);
        if (page.length === 0) break;
        listed.push(...page.map(({ number }) => number));
      }
      expect(listed).toEqual(expected);
      const own: string[] = [];
      for (;;) {
        const ada = person("ada@example.com");
        const page = fixture.one.registry.projectsWithRole(ada, Role.OWNER, own.at(-1), 2);
        if (page.length === 0) break;
        own.push(...page.map(({ number }) => number));
      }
      expect(own).toEqual(numbers.toSorted());
    });
  });
}
