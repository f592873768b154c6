import { describe, expect, it } from "vitest";
import { RECORD_KINDS } from "../../control/records.js";
import { Role } from "../../gen/waybill/auth/v1/authorization_pb.js";
import {
  AUTHOR,
  any,
  FILE,
  NEW,
  OWNER,
  owners,
  type Process,
  person,
  type RegistryFixture,
  reasonOf,
} from "./registry-fixture.js";

export function describePolicies(fixture: RegistryFixture): void {
  const { start, processes, restarted } = fixture;

  describe("a policy", () => {
    const reader = { role: "roles/viewer", members: ["user:reader@example.com"] };

    it("replaces all stored roles on its project", async () => {
      const { number } = await fixture.one.changes.createProject(NEW, AUTHOR);
      const policy = [...owners("user:bob@example.com"), { role: "roles/editor", members: [OWNER] }];
      await fixture.one.changes.setPolicy(number, policy, AUTHOR, any);
      for (const registry of [fixture.one.registry, await restarted()]) {
        expect(registry.roleOn(person("ada@example.com"), number)).toBe(Role.EDITOR);
        expect(registry.roleOn(person("bob@example.com"), number)).toBe(Role.OWNER);
        expect(registry.projectsWithRole(person("ada@example.com"), Role.OWNER, undefined, 10)).toEqual([]);
      }
    });

    it("must keep an owner unless the config file has one", async () => {
      const { number } = await fixture.one.changes.createProject(NEW, AUTHOR);
      const viewer = [{ role: "roles/viewer", members: [OWNER] }];
      for (const bindings of [viewer, [], owners()])
        expect(await reasonOf(fixture.one.changes.setPolicy(number, bindings, AUTHOR, any))).toBe(
          "LAST_OWNER",
        );
      expect(fixture.one.registry.roleOn(person("ada@example.com"), number)).toBe(Role.OWNER);
      // The config file makes the reader a viewer of this project.
      expect(await reasonOf(fixture.one.changes.setPolicy("7", [reader], AUTHOR, any))).toBe("LAST_OWNER");
      const ofFile = owners("user:owner@example.com");
      await fixture.one.changes.setPolicy("8", [...ofFile, ...viewer], AUTHOR, any);
      await fixture.one.changes.setPolicy("8", ofFile, AUTHOR, any);
      expect((await restarted()).storedPolicy("8")?.bindings).toEqual([]);
      const root = { principal: "root", projects: ["*"], role: Role.OWNER };
      const withRoot = await start({ ...FILE, access: [...FILE.access, root] });
      await withRoot.changes.setPolicy(number, viewer, AUTHOR, any);
    });

    it("contains the bindings in the config file, which are not stored", async () => {
      expect(await reasonOf(fixture.one.changes.setPolicy("7", owners(OWNER), AUTHOR, any))).toBe(
        "PROVISIONED_BY_FILE",
      );
      await fixture.one.changes.setPolicy("7", [...owners(OWNER), reader], AUTHOR, any);
      const registry = await restarted();
      expect(registry.storedPolicy("7")?.bindings).toEqual(owners(OWNER));
      expect(registry.fileBindings("7")).toEqual([reader]);
      expect(registry.roleOn(person("reader@example.com"), "7")).toBe(Role.VIEWER);
    });

    it("is changed exactly once if eight processes change the same state", async () => {
      const { number } = await fixture.one.changes.createProject(NEW, AUTHOR);
      const before = fixture.one.registry.storedPolicy(number)?.revision;
      const all = await processes(8);
      const set = ({ registry, changes }: Process, index: number) =>
        changes.setPolicy(number, owners(OWNER, `user:${index}@example.com`), AUTHOR, () => {
          if (registry.storedPolicy(number)?.revision !== before) throw new Error("stale");
        });
      const settled = await Promise.allSettled(all.map(set));
      const winners = settled.flatMap(({ status }, index) => (status === "fulfilled" ? [index] : []));
      expect(winners).toHaveLength(1);
      const bindings = (await restarted()).storedPolicy(number)?.bindings;
      expect(bindings).toEqual(owners(`user:${winners[0]}@example.com`, OWNER));
      for (const { registry } of all) {
        await registry.refresh();
        expect(registry.storedPolicy(number)?.bindings).toEqual(bindings);
      }
    });

    it("has the last of many concurrent changes if none has a condition", async () => {
      const all = await processes(4);
      const set = ({ changes }: Process, index: number) =>
        changes.setPolicy("8", owners("user:owner@example.com", `user:${index}@example.com`), AUTHOR, any);
      await Promise.all(all.flatMap((process, index) => [set(process, index), set(process, index + 10)]));
      const history = await fixture.one.records.history({ kinds: [RECORD_KINDS.registry], limit: 100 });
      expect(history).toHaveLength(8);
      for (const [index, { previous }] of history.entries())
        expect(previous).toEqual(index === 0 ? undefined : history[index - 1]?.value);
      expect((await restarted()).storedPolicy("8")?.bindings).toEqual(Object(history.at(-1)?.value).bindings);
    });
  });
}
