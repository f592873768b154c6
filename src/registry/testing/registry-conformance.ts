import { describe, expect, it } from "vitest";
import { RECORD_KINDS } from "../../control/records.js";
import { Role } from "../../gen/waybill/auth/v1/authorization_pb.js";
import type { Registry } from "../registry.js";
import { describeApps } from "./apps-conformance.js";
import { describeConfigFile } from "./config-file-conformance.js";
import { describePolicies } from "./policies-conformance.js";
import { describeProjects } from "./projects-conformance.js";
import {
  AUTHOR,
  any,
  FILE,
  NEW,
  owners,
  person,
  type RegistryUnderTest,
  useRegistry,
  valuesOf,
} from "./registry-fixture.js";

/** Tests of the registry. Run them for each storage engine of records. */
export function describeRegistry(name: string, setUp: () => Promise<RegistryUnderTest>): void {
  describe(name, () => {
    const fixture = useRegistry(setUp);
    describeProjects(fixture);
    describeApps(fixture);
    describePolicies(fixture);
    describeConfigFile(fixture);

    describe("changes of another process", () => {
      it("are visible without a restart", async () => {
        const other = await fixture.start(FILE, 0);
        const { number } = await fixture.one.changes.createProject(NEW, AUTHOR);
        const seen = async <T>(read: (registry: Registry) => T): Promise<T> => {
          await other.registry.upToDate();
          return read(other.registry);
        };
        const ada = person("ada@example.com");
        expect(await seen((registry) => registry.roleOn(ada, number))).toBe(Role.OWNER);
        const app = await fixture.one.changes.createApp(number, "ios", valuesOf("com.example.a"), AUTHOR);
        expect(await seen((registry) => registry.app(number, app.id))).toEqual(app);
        await fixture.one.changes.removeApp(app, true, AUTHOR, any);
        expect(await seen((registry) => registry.appEvenRemoved(number, app.id))).toBeUndefined();
        await fixture.one.changes.setPolicy(number, owners("user:bob@example.com"), AUTHOR, any);
        expect(await seen((registry) => registry.roleOn(ada, number))).toBe(Role.ROLE_UNSPECIFIED);
        await fixture.one.changes.deleteProject(number, AUTHOR);
        expect(await seen((registry) => registry.project(number))).toBeUndefined();
      });

      it("are visible after a refresh, regardless of how old the local copy is", async () => {
        const other = await fixture.start(FILE, 3_600_000);
        const { number } = await fixture.one.changes.createProject(NEW, AUTHOR);
        await other.registry.refresh();
        expect(other.registry.project(number)?.id).toBe(NEW.id);
      });
    });

    it("the registry records each change with its author and the previous etag", async () => {
      const created = await fixture.one.changes.createProject(NEW, AUTHOR);
      await fixture.one.changes.renameProject(created.number, "Renamed", AUTHOR, any);
      const prefix = `${created.number}/`;
      const history = await fixture.one.records.history({
        kinds: [RECORD_KINDS.registry],
        prefix,
        limit: 10,
      });
      expect(history.map(({ key, note }) => [key, note])).toEqual([
        [`${prefix}policy`, { ...AUTHOR, fileBindings: expect.any(String) }],
        [`${prefix}project`, AUTHOR],
        [`${prefix}project`, { ...AUTHOR, etagBefore: created.etag }],
      ]);
    });
  });
}
