import { describe, expect, it } from "vitest";
import { Role } from "../../gen/waybill/auth/v1/authorization_pb.js";
import { RegistryPurge } from "../purge/registry-purge.js";
import { AUTHOR, NEW, person, type RegistryFixture, reasonOf } from "./registry-fixture.js";

export function describeConfigFile(fixture: RegistryFixture): void {
  const { start } = fixture;

  describe("the config file", () => {
    it("replaces its previous entries, and keeps stored entries", async () => {
      const { number } = await fixture.one.changes.createProject(NEW, AUTHOR);
      const access = [{ principal: "eve@example.com", projects: [NEW.id], role: Role.EDITOR }];
      fixture.one.registry.setFile({ projects: [{ id: "other", number: "9", apps: [] }], access });
      expect([fixture.one.registry.project("of-file"), fixture.one.registry.project("9")?.id]).toEqual([
        undefined,
        "other",
      ]);
      expect(fixture.one.registry.project(number)?.id).toBe(NEW.id);
      expect(fixture.one.registry.roleOn(person("eve@example.com"), number)).toBe(Role.EDITOR);
      expect(fixture.one.registry.roleOn(person("reader@example.com"), "7")).toBe(Role.ROLE_UNSPECIFIED);
      expect(fixture.one.registry.fileBindings(number)).toEqual([
        { role: "roles/editor", members: ["user:eve@example.com"] },
      ]);
    });

    it("is rejected as a whole if it contains the id or number of a stored project", async () => {
      const { number } = await fixture.one.changes.createProject(NEW, AUTHOR);
      const entry = (id: string, of: string) => ({ projects: [{ id, number: of, apps: [] }], access: [] });
      expect(() => fixture.one.registry.setFile(entry(NEW.id, "9"))).toThrow(
        "projects[0].id: new-project is in use",
      );
      expect(() => fixture.one.registry.setFile(entry("other", number))).toThrow("projects[0].number");
      expect(fixture.one.registry.project("of-file")?.number).toBe("7");
      await expect(start(entry(NEW.id, "9"))).rejects.toThrow("was created through the API");
    });

    it("can have rules for a project that is created later, in every process and with another number", async () => {
      const access = [{ principal: "eve@example.com", projects: [NEW.id], role: Role.EDITOR }];
      const rule = { projects: [], access };
      fixture.one.registry.setFile(rule);
      const other = await start(rule);
      for (let time = 0; time < 2; time++) {
        const { number } = await fixture.one.changes.createProject(NEW, AUTHOR);
        await other.registry.refresh();
        for (const { registry } of [fixture.one, other]) {
          expect(registry.roleOn(person("eve@example.com"), number)).toBe(Role.EDITOR);
          expect(registry.fileBindings(number)).toEqual([
            { role: "roles/editor", members: ["user:eve@example.com"] },
          ]);
        }
        await fixture.one.changes.deleteProject(number, AUTHOR);
        await new RegistryPurge(fixture.one.registry).purged(number);
      }
    });

    it("can define a stored project, which then cannot be changed and is listed once", async () => {
      const { number } = await fixture.one.changes.createProject(NEW, AUTHOR);
      fixture.one.registry.setFile({ projects: [{ id: NEW.id, number, apps: [] }], access: [] });
      expect(await reasonOf(fixture.one.changes.deleteProject(number, AUTHOR))).toBe("PROVISIONED_BY_FILE");
      const listed = fixture.one.registry.projectsAfter(undefined, 10, () => true);
      expect(listed.map(({ id, isOfFile }) => [id, isOfFile])).toEqual([[NEW.id, true]]);
      expect(fixture.one.registry.roleOn(person("ada@example.com"), number)).toBe(Role.OWNER);
    });
  });
}
