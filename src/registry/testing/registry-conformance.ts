import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ApiError } from "../../api/api-error.js";
import { principalId } from "../../api/caller.js";
import { RECORD_KINDS, type Records } from "../../control/records.js";
import { Role } from "../../gen/waybill/auth/v1/authorization_pb.js";
import type { AuditNote } from "../audit/audit-note.js";
import type { AppValues } from "../entries.js";
import type { RegistryFile } from "../file-entries.js";
import type { Binding } from "../members.js";
import { Registry } from "../registry.js";
import { RegistryChanges } from "../registry-changes.js";
import { RegistryPurge } from "../purge/registry-purge.js";

/** Author of the changes in tests. */
const AUTHOR: AuditNote = { principal: "ada", issuer: "issuer", network: "192.0.2.1", method: "Test" };
const FILE: RegistryFile = {
  projects: [
    { id: "of-file", number: "7", apps: [{ id: "app", bundleId: "com.example.file" }] },
    { id: "owned-by-file", number: "8", apps: [] },
  ],
  access: [
    { principal: "reader@example.com", projects: ["of-file"], role: Role.VIEWER },
    { principal: "owner@example.com", projects: ["owned-by-file"], role: Role.OWNER },
  ],
};
const PURGE_AFTER = 1_000;
const OWNER = "user:ada@example.com";
const NEW = { id: "new-project", displayName: "New", owner: OWNER };
const any = (): void => {};

const person = (name: string) => ({ name, issuer: "issuer", id: principalId("issuer", name) });
const valuesOf = (namespace: string, displayName = ""): AppValues => ({
  displayName,
  namespace,
  teamId: "",
  appStoreId: "",
  appUrls: [],
});
const owners = (...members: string[]): readonly Binding[] => [{ role: "roles/owner", members }];

/** Records under test. */
export interface RegistryUnderTest {
  /** Opens the records in the way another process would. */
  open(): Promise<Records>;
  /** Removes all data of the test. */
  dispose(): Promise<void>;
}

/** A process with its registry. */
interface Process {
  readonly records: Records;
  readonly registry: Registry;
  readonly changes: RegistryChanges;
}

/** Returns the reason why each call was rejected; `undefined` for calls that succeeded. */
async function reasonsOf(calls: readonly Promise<unknown>[]): Promise<readonly (string | undefined)[]> {
  const settled = await Promise.allSettled(calls);
  return settled.map((one) => {
    if (one.status === "fulfilled") return undefined;
    if (one.reason instanceof ApiError) return one.reason.reason;
    throw one.reason;
  });
}
const reasonOf = async (call: Promise<unknown>) => (await reasonsOf([call]))[0];

/** Tests of the registry. Run them for each storage engine of records. */
export function describeRegistry(name: string, setUp: () => Promise<RegistryUnderTest>): void {
  describe(name, () => {
    let subject: RegistryUnderTest;
    let now: number;
    let one: Process;
    beforeEach(async () => {
      subject = await setUp();
      now = 1_000_000;
      one = await start();
    });
    afterEach(() => subject.dispose());

    async function start(file: RegistryFile = FILE, maxStaleness?: number): Promise<Process> {
      const records = await subject.open();
      const registry = await Registry.open(records, file, maxStaleness);
      const clock = { wall: () => now, monotonic: () => now };
      return {
        records,
        registry,
        changes: new RegistryChanges({ registry, clock, purgeAfter: PURGE_AFTER }),
      };
    }
    const processes = (count: number) => Promise.all(Array.from({ length: count }, () => start()));
    /** Opens the registry again, as a restart does. */
    const restarted = async () => (await start()).registry;

    describe("a project", () => {
      it("is created with an owner, and can be found by id and number after a restart", async () => {
        const created = await one.changes.createProject(NEW, AUTHOR);
        expect(created).toMatchObject({ id: NEW.id, displayName: "New", createTime: now, isOfFile: false });
        expect(created.number).toMatch(/^[1-9]\d{11}$/);
        for (const registry of [one.registry, await restarted()]) {
          expect(registry.project(NEW.id)).toEqual(created);
          expect(registry.project(created.number)).toEqual(created);
          expect(registry.roleOn(person("ada@example.com"), created.number)).toBe(Role.OWNER);
          expect(registry.roleOn(person("other@example.com"), created.number)).toBe(Role.ROLE_UNSPECIFIED);
        }
      });

      it("cannot have the id of another project, even if that project is deleted or in the config file", async () => {
        const { number } = await one.changes.createProject(NEW, AUTHOR);
        await one.changes.deleteProject(number, AUTHOR);
        for (const id of [NEW.id, "of-file"])
          expect(await reasonOf(one.changes.createProject({ ...NEW, id }, AUTHOR))).toBe("NAME_IN_USE");
      });

      it("is created by exactly one process if several choose the same id", async () => {
        const all = await processes(4);
        const reasons = await reasonsOf(all.map(({ changes }) => changes.createProject(NEW, AUTHOR)));
        expect(reasons.toSorted()).toEqual(["NAME_IN_USE", "NAME_IN_USE", "NAME_IN_USE", undefined]);
        const listed = (await restarted()).projectsAfter(undefined, 10, ({ id }) => id === NEW.id);
        expect(listed).toHaveLength(1);
      });

      it("has a new etag after each change, and is not renamed if a check fails", async () => {
        const created = await one.changes.createProject(NEW, AUTHOR);
        const renamed = await one.changes.renameProject(created.number, "Renamed", AUTHOR, any);
        expect(renamed).toMatchObject({ ...created, displayName: "Renamed", revision: expect.any(Number) });
        expect(renamed.etag).not.toBe(created.etag);
        const refusal = new Error("no");
        const rejected = one.changes.renameProject(created.number, "Again", AUTHOR, () => {
          throw refusal;
        });
        await expect(rejected).rejects.toBe(refusal);
        expect((await restarted()).project(NEW.id)).toEqual(renamed);
      });

      it("disappears when it is deleted, and is restored with its apps and policy", async () => {
        const created = await one.changes.createProject(NEW, AUTHOR);
        const { number } = created;
        const app = await one.changes.createApp(number, "ios", valuesOf("com.example.a"), AUTHOR);
        expect(await reasonOf(one.changes.undeleteProject(number, AUTHOR))).toBe("WRONG_STATE");
        await one.changes.deleteProject(number, AUTHOR);
        expect(await reasonOf(one.changes.deleteProject(number, AUTHOR))).toBe("WRONG_STATE");
        const ada = person("ada@example.com");
        for (const registry of [one.registry, await restarted()]) {
          expect([registry.project(NEW.id), registry.project(number)]).toEqual([undefined, undefined]);
          expect(registry.projectOfApp(app.id)).toBeUndefined();
          expect(registry.projectsWithRole(ada, Role.VIEWER, undefined, 10)).toEqual([]);
          expect(registry.projectEvenDeleted(number)).toMatchObject({
            deleteTime: now,
            purgeTime: now + PURGE_AFTER,
          });
        }
        expect(await reasonOf(one.changes.createApp(number, "ios", valuesOf("b"), AUTHOR))).toBe(
          "RESOURCE_NOT_FOUND",
        );
        expect(await reasonOf(one.changes.setPolicy(number, owners(OWNER), AUTHOR, any))).toBe(
          "RESOURCE_NOT_FOUND",
        );
        await one.changes.undeleteProject(number, AUTHOR);
        for (const registry of [one.registry, await restarted()]) {
          expect(registry.project(NEW.id)).toEqual({ ...created, revision: expect.any(Number) });
          expect(registry.projectOfApp(app.id)?.number).toBe(number);
          expect(registry.projectsWithRole(ada, Role.OWNER, undefined, 10)).toHaveLength(1);
        }
      });

      it("cannot be restored from its purge time on", async () => {
        const { number } = await one.changes.createProject(NEW, AUTHOR);
        const app = await one.changes.createApp(number, "ios", valuesOf("com.example.a"), AUTHOR);
        await one.changes.removeApp(app, false, AUTHOR, any);
        now += PURGE_AFTER - 1;
        await one.changes.undeleteApp(app, AUTHOR, any);
        await one.changes.removeApp(app, false, AUTHOR, any);
        now += PURGE_AFTER;
        expect(await reasonOf(one.changes.undeleteApp(app, AUTHOR, any))).toBe("RESOURCE_NOT_FOUND");
        await one.changes.deleteProject(number, AUTHOR);
        now += PURGE_AFTER;
        expect(await reasonOf(one.changes.undeleteProject(number, AUTHOR))).toBe("RESOURCE_NOT_FOUND");
        expect((await restarted()).project(NEW.id)).toBeUndefined();
      });

      it("cannot be changed if the config file defines it", async () => {
        const { changes } = one;
        const reasons = await reasonsOf([
          changes.renameProject("7", "Other", AUTHOR, any),
          changes.deleteProject("7", AUTHOR),
          changes.undeleteProject("7", AUTHOR),
        ]);
        expect(reasons).toEqual(Array(3).fill("PROVISIONED_BY_FILE"));
      });
    });

    describe("an app", () => {
      it("gets an id that contains its project and platform, even if the config file defines the project", async () => {
        const { number } = await one.changes.createProject(NEW, AUTHOR);
        for (const project of [number, "7"]) {
          const app = await one.changes.createApp(project, "android", valuesOf("com.example.a", "A"), AUTHOR);
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
        const { number } = await one.changes.createProject(NEW, AUTHOR);
        const app = await one.changes.createApp(number, "ios", valuesOf("com.example.a", "A"), AUTHOR);
        const changed = await one.changes.updateApp(app, { teamId: "A1B2C3D4E5" }, AUTHOR, any);
        expect(changed).toEqual({ ...app, teamId: "A1B2C3D4E5", revision: expect.any(Number) });
        expect(changed.etag).not.toBe(app.etag);
        const rejected = one.changes.updateApp(app, { teamId: "" }, AUTHOR, ({ etag }) => {
          if (etag !== app.etag) throw new Error("stale");
        });
        await expect(rejected).rejects.toThrow("stale");
        expect((await restarted()).app(number, app.id)).toEqual(changed);
      });

      it("cannot have the bundle id of another app with the same project and platform", async () => {
        const { number } = await one.changes.createProject(NEW, AUTHOR);
        const values = valuesOf("com.example.a");
        const app = await one.changes.createApp(number, "ios", values, AUTHOR);
        const create = (project: string, platform: "ios" | "android", namespace = values.namespace) =>
          reasonOf(one.changes.createApp(project, platform, valuesOf(namespace), AUTHOR));
        expect(await create(number, "ios")).toBe("NAME_IN_USE");
        expect(await create(number, "android")).toBeUndefined();
        expect(await create("8", "ios")).toBeUndefined();
        expect(await create("7", "ios", "com.example.file")).toBe("NAME_IN_USE");
        await one.changes.removeApp(app, false, AUTHOR, any);
        expect(await create(number, "ios")).toBeUndefined();
        expect(await reasonOf(one.changes.undeleteApp(app, AUTHOR, any))).toBe("NAME_IN_USE");
        // The removed app no longer owns the bundle id, so purging it must not release the id.
        await one.changes.removeApp(app, true, AUTHOR, any);
        const name = `${number}/ios/${values.namespace}`;
        expect(await one.records.get(RECORD_KINDS.registryName, name)).toBeDefined();
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
        for (let index = 0; index < 2; index++) await one.changes.createApp("8", "web", valuesOf(""), AUTHOR);
        expect((await restarted()).apps("8")).toHaveLength(2);
      });

      it("disappears when it is removed, and has the same values after it is restored", async () => {
        const app = await one.changes.createApp("8", "ios", valuesOf("com.example.a"), AUTHOR);
        const removed = await one.changes.removeApp(app, false, AUTHOR, any);
        expect(removed).toMatchObject({ deleteTime: now, purgeTime: now + PURGE_AFTER });
        expect((await restarted()).app("8", app.id)).toBeUndefined();
        expect((await restarted()).appEvenRemoved("8", app.id)).toEqual(removed);
        const restored = await one.changes.undeleteApp(app, AUTHOR, any);
        expect(restored).toEqual({ ...app, revision: expect.any(Number) });
        expect((await restarted()).app("8", app.id)).toEqual(restored);
        await one.changes.removeApp(app, true, AUTHOR, any);
        expect((await restarted()).appEvenRemoved("8", app.id)).toBeUndefined();
      });

      it("cannot be changed if the config file defines it", async () => {
        const app = one.registry.app("7", "app");
        if (app === undefined) throw new Error("the file's app is missing");
        const { changes } = one;
        const reasons = await reasonsOf([
          changes.updateApp(app, { displayName: "A" }, AUTHOR, any),
          changes.removeApp(app, true, AUTHOR, any),
          changes.undeleteApp(app, AUTHOR, any),
        ]);
        expect(reasons).toEqual(Array(3).fill("PROVISIONED_BY_FILE"));
      });
    });

    describe("a policy", () => {
      const reader = { role: "roles/viewer", members: ["user:reader@example.com"] };

      it("replaces all stored roles on its project", async () => {
        const { number } = await one.changes.createProject(NEW, AUTHOR);
        const policy = [...owners("user:bob@example.com"), { role: "roles/editor", members: [OWNER] }];
        await one.changes.setPolicy(number, policy, AUTHOR, any);
        for (const registry of [one.registry, await restarted()]) {
          expect(registry.roleOn(person("ada@example.com"), number)).toBe(Role.EDITOR);
          expect(registry.roleOn(person("bob@example.com"), number)).toBe(Role.OWNER);
          expect(registry.projectsWithRole(person("ada@example.com"), Role.OWNER, undefined, 10)).toEqual([]);
        }
      });

      it("must keep an owner unless the config file has one", async () => {
        const { number } = await one.changes.createProject(NEW, AUTHOR);
        const viewer = [{ role: "roles/viewer", members: [OWNER] }];
        for (const bindings of [viewer, [], owners()])
          expect(await reasonOf(one.changes.setPolicy(number, bindings, AUTHOR, any))).toBe("LAST_OWNER");
        expect(one.registry.roleOn(person("ada@example.com"), number)).toBe(Role.OWNER);
        const ofFile = owners("user:owner@example.com");
        await one.changes.setPolicy("8", [...ofFile, ...viewer], AUTHOR, any);
        await one.changes.setPolicy("8", ofFile, AUTHOR, any);
        expect((await restarted()).storedPolicy("8")?.bindings).toEqual([]);
        const root = { principal: "root", projects: ["*"], role: Role.OWNER };
        const withRoot = await start({ ...FILE, access: [...FILE.access, root] });
        await withRoot.changes.setPolicy(number, viewer, AUTHOR, any);
      });

      it("contains the bindings in the config file, which are not stored", async () => {
        expect(await reasonOf(one.changes.setPolicy("7", owners(OWNER), AUTHOR, any))).toBe(
          "PROVISIONED_BY_FILE",
        );
        await one.changes.setPolicy("7", [...owners(OWNER), reader], AUTHOR, any);
        const registry = await restarted();
        expect(registry.storedPolicy("7")?.bindings).toEqual(owners(OWNER));
        expect(registry.fileBindings("7")).toEqual([reader]);
        expect(registry.roleOn(person("reader@example.com"), "7")).toBe(Role.VIEWER);
      });

      it("is changed exactly once if eight processes change the same state", async () => {
        const { number } = await one.changes.createProject(NEW, AUTHOR);
        const before = one.registry.storedPolicy(number)?.revision;
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
        const history = await one.records.history({ kinds: [RECORD_KINDS.registry], limit: 100 });
        expect(history).toHaveLength(8);
        for (const [index, { previous }] of history.entries())
          expect(previous).toEqual(index === 0 ? undefined : history[index - 1]?.value);
        expect((await restarted()).storedPolicy("8")?.bindings).toEqual(
          Object(history.at(-1)?.value).bindings,
        );
      });
    });

    describe("changes of another process", () => {
      it("are visible without a restart", async () => {
        const other = await start(FILE, 0);
        const { number } = await one.changes.createProject(NEW, AUTHOR);
        const seen = async <T>(read: (registry: Registry) => T): Promise<T> => {
          await other.registry.upToDate();
          return read(other.registry);
        };
        const ada = person("ada@example.com");
        expect(await seen((registry) => registry.roleOn(ada, number))).toBe(Role.OWNER);
        const app = await one.changes.createApp(number, "ios", valuesOf("com.example.a"), AUTHOR);
        expect(await seen((registry) => registry.app(number, app.id))).toEqual(app);
        await one.changes.removeApp(app, true, AUTHOR, any);
        expect(await seen((registry) => registry.appEvenRemoved(number, app.id))).toBeUndefined();
        await one.changes.setPolicy(number, owners("user:bob@example.com"), AUTHOR, any);
        expect(await seen((registry) => registry.roleOn(ada, number))).toBe(Role.ROLE_UNSPECIFIED);
        await one.changes.deleteProject(number, AUTHOR);
        expect(await seen((registry) => registry.project(number))).toBeUndefined();
      });

      it("are visible after a refresh, regardless of how old the local copy is", async () => {
        const other = await start(FILE, 3_600_000);
        const { number } = await one.changes.createProject(NEW, AUTHOR);
        await other.registry.refresh();
        expect(other.registry.project(number)?.id).toBe(NEW.id);
      });
    });

    describe("the config file", () => {
      it("replaces its previous entries, and keeps stored entries", async () => {
        const { number } = await one.changes.createProject(NEW, AUTHOR);
        const access = [{ principal: "eve@example.com", projects: [NEW.id], role: Role.EDITOR }];
        one.registry.setFile({ projects: [{ id: "other", number: "9", apps: [] }], access });
        expect([one.registry.project("of-file"), one.registry.project("9")?.id]).toEqual([
          undefined,
          "other",
        ]);
        expect(one.registry.project(number)?.id).toBe(NEW.id);
        expect(one.registry.roleOn(person("eve@example.com"), number)).toBe(Role.EDITOR);
        expect(one.registry.roleOn(person("reader@example.com"), "7")).toBe(Role.ROLE_UNSPECIFIED);
        expect(one.registry.fileBindings(number)).toEqual([
          { role: "roles/editor", members: ["user:eve@example.com"] },
        ]);
      });

      it("is rejected as a whole if it contains the id or number of a stored project", async () => {
        const { number } = await one.changes.createProject(NEW, AUTHOR);
        const entry = (id: string, of: string) => ({ projects: [{ id, number: of, apps: [] }], access: [] });
        expect(() => one.registry.setFile(entry(NEW.id, "9"))).toThrow(
          "projects[0].id: new-project is in use",
        );
        expect(() => one.registry.setFile(entry("other", number))).toThrow("projects[0].number");
        expect(one.registry.project("of-file")?.number).toBe("7");
        await expect(start(entry(NEW.id, "9"))).rejects.toThrow("was created through the API");
      });

      it("can have rules for a project that is created later, in every process and with another number", async () => {
        const access = [{ principal: "eve@example.com", projects: [NEW.id], role: Role.EDITOR }];
        const rule = { projects: [], access };
        one.registry.setFile(rule);
        const other = await start(rule);
        for (let time = 0; time < 2; time++) {
          const { number } = await one.changes.createProject(NEW, AUTHOR);
          await other.registry.refresh();
          for (const { registry } of [one, other]) {
            expect(registry.roleOn(person("eve@example.com"), number)).toBe(Role.EDITOR);
            expect(registry.fileBindings(number)).toEqual([
              { role: "roles/editor", members: ["user:eve@example.com"] },
            ]);
          }
          await one.changes.deleteProject(number, AUTHOR);
          await new RegistryPurge(one.registry).purged(number);
        }
      });

      it("can define a stored project, which then cannot be changed and is listed once", async () => {
        const { number } = await one.changes.createProject(NEW, AUTHOR);
        one.registry.setFile({ projects: [{ id: NEW.id, number, apps: [] }], access: [] });
        expect(await reasonOf(one.changes.deleteProject(number, AUTHOR))).toBe("PROVISIONED_BY_FILE");
        const listed = one.registry.projectsAfter(undefined, 10, () => true);
        expect(listed.map(({ id, isOfFile }) => [id, isOfFile])).toEqual([[NEW.id, true]]);
        expect(one.registry.roleOn(person("ada@example.com"), number)).toBe(Role.OWNER);
      });
    });

    describe("lists of projects", () => {
      it("contain each project once, sorted by number, from any position", async () => {
        const numbers: string[] = [];
        for (let index = 0; index < 5; index++)
          numbers.push((await one.changes.createProject({ ...NEW, id: `project-${index}` }, AUTHOR)).number);
        const expected = ["7", "8", ...numbers.toSorted()];
        const listed: string[] = [];
        for (;;) {
          const page = one.registry.projectsAfter(listed.at(-1), 2, () => true);
          if (page.length === 0) break;
          listed.push(...page.map(({ number }) => number));
        }
        expect(listed).toEqual(expected);
        const own: string[] = [];
        for (;;) {
          const ada = person("ada@example.com");
          const page = one.registry.projectsWithRole(ada, Role.OWNER, own.at(-1), 2);
          if (page.length === 0) break;
          own.push(...page.map(({ number }) => number));
        }
        expect(own).toEqual(numbers.toSorted());
      });
    });

    it("the registry records each change with its author and the previous etag", async () => {
      const created = await one.changes.createProject(NEW, AUTHOR);
      await one.changes.renameProject(created.number, "Renamed", AUTHOR, any);
      const prefix = `${created.number}/`;
      const history = await one.records.history({ kinds: [RECORD_KINDS.registry], prefix, limit: 10 });
      expect(history.map(({ key, note }) => [key, note])).toEqual([
        [`${prefix}policy`, { ...AUTHOR, fileBindings: expect.any(String) }],
        [`${prefix}project`, AUTHOR],
        [`${prefix}project`, { ...AUTHOR, etagBefore: created.etag }],
      ]);
    });
  });
}
