import { beforeEach, describe, expect, it } from "vitest";
import type { Records } from "../../control/records.js";
import type { AuditNote } from "../../registry/audit/audit-note.js";
import type { FileProject } from "../../registry/entries.js";
import { fileRegistry } from "../../registry/testing/file-registry.js";
import { type AppAttestConfigChange, AppAttestConfigs, readConfigChanges } from "../app-attest-configs.js";
import type { StoredAppAttestConfig } from "../config-resource.js";

const PROJECT = "7";
const ttl = (seconds: number) => ({ seconds: BigInt(seconds), nanos: 0 });
const PROJECTS: readonly FileProject[] = [
  {
    id: "project",
    number: PROJECT,
    apps: [
      { id: "b" },
      { id: "a" },
      { id: "registered", appAttestConfig: { tokenTtl: ttl(1800) } },
      { id: "empty", appAttestConfig: {} },
    ],
  },
  { id: "other", number: "8", apps: [{ id: "a" }] },
];

export const AUTHOR: AuditNote = {
  principal: "somebody",
  issuer: "issuer",
  network: "192.0.2.1",
  method: "UpdateAppAttestConfig",
};

const to = (seconds: number | undefined): AppAttestConfigChange => ({
  author: AUTHOR,
  updateMask: "tokenTtl",
  valuesAfter: () => (seconds === undefined ? {} : { tokenTtl: ttl(seconds) }),
});

export interface ConfigsUnderTest {
  /** Opens the records in the way another process would. */
  open(): Promise<Records>;
}

/** Tests of App Attest configurations. Run them for each storage engine of records. */
export function describeAppAttestConfigs(name: string, setUp: () => Promise<ConfigsUnderTest>): void {
  describe(name, () => {
    let subject: ConfigsUnderTest;
    beforeEach(async () => {
      subject = await setUp();
    });
    const open = async (projects = PROJECTS) =>
      AppAttestConfigs.open({
        records: await subject.open(),
        registry: await fileRegistry({ projects }),
        maxStaleness: 0,
      });

    describe("D an App Attest configuration", () => {
      it("has registered values until it is changed, and survives resets and restarts", async () => {
        const store = await open();
        expect(await store.find(PROJECT, "registered")).toEqual({ tokenTtl: ttl(1800) });
        const changed = { tokenTtl: ttl(7200), revision: 1 };
        expect(await store.change(PROJECT, "registered", to(7200))).toEqual(changed);
        expect(await (await open()).find(PROJECT, "registered")).toEqual(changed);
        expect(await store.change(PROJECT, "registered", to(undefined))).toEqual({ revision: 2 });
        for (const each of [store, await open()])
          expect(await each.find(PROJECT, "registered")).toEqual({ revision: 2 });
      });

      it("keeps fractions of a second", async () => {
        const tokenTtl = { seconds: 1800n, nanos: 1 };
        await (await open()).change(PROJECT, "a", { ...to(0), valuesAfter: () => ({ tokenTtl }) });
        expect(await (await open()).find(PROJECT, "a")).toEqual({ tokenTtl, revision: 1 });
      });

      it("is returned as the same object until it is changed", async () => {
        const store = await open();
        const found = [await store.find(PROJECT, "a"), await store.find(PROJECT, "b")];
        await store.change(PROJECT, "b", to(1800));
        expect(await store.find(PROJECT, "a")).toBe(found[0]);
        const changed = await store.find(PROJECT, "b");
        expect(changed).not.toBe(found[1]);
        expect(await store.find(PROJECT, "b")).toBe(changed);
      });

      it("is reported when it overrides a registered value", async () => {
        const store = await open();
        expect(await store.overridden()).toEqual([]);
        await store.change(PROJECT, "a", to(7200));
        await store.change(PROJECT, "registered", to(1800));
        expect(await (await open()).overridden()).toEqual([]);
        await store.change(PROJECT, "registered", {
          ...to(undefined),
          author: { ...AUTHOR, principal: "who@example.com" },
        });
        expect(await (await open()).overridden()).toEqual([
          {
            registered: ttl(1800),
            change: expect.objectContaining({
              appId: "registered",
              principal: "who@example.com",
              tokenTtl: null,
            }),
          },
        ]);
      });

      it("does not affect the app with the same id in another project", async () => {
        const store = await open();
        await store.change(PROJECT, "a", to(1800));
        expect(await store.find("8", "a")).toEqual({});
      });

      it("is hidden while its app is not registered, and reappears with it", async () => {
        expect(await (await open()).change(PROJECT, "nobody", to(1800))).toBeUndefined();
        await (await open()).change(PROJECT, "a", to(1800));
        const without = await open([]);
        expect([await without.find(PROJECT, "a"), await without.listSet(PROJECT)]).toEqual([undefined, []]);
        expect(await (await open()).find(PROJECT, "a")).toEqual({ tokenTtl: ttl(1800), revision: 1 });
      });

      it("is unchanged after a rejected change", async () => {
        const store = await open();
        const rejection = new Error("no");
        const rejected = store.change(PROJECT, "a", {
          ...to(0),
          valuesAfter: () => {
            throw rejection;
          },
        });
        await expect(rejected).rejects.toBe(rejection);
        expect(await store.find(PROJECT, "a")).toEqual({});
        expect(await store.change(PROJECT, "a", to(1800))).toEqual({ tokenTtl: ttl(1800), revision: 1 });
      });
    });

    it("a configuration history has the author, time, change and previous value", async () => {
      const records = await subject.open();
      expect(await readConfigChanges(records)).toEqual([]);
      const store = await AppAttestConfigs.open({
        records,
        registry: await fileRegistry({ projects: PROJECTS }),
      });
      await store.change(PROJECT, "nobody", to(1800));
      await store.change(PROJECT, "registered", {
        ...to(7200),
        author: { ...AUTHOR, principal: "who@example.com" },
      });
      await store.change(PROJECT, "registered", to(undefined));
      const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
      const of = { project: PROJECT, appId: "registered", updateMask: "tokenTtl", time };
      const principal = "who@example.com";
      expect(await readConfigChanges(records)).toEqual([
        { ...of, principal, revision: 1, tokenTtl: "7200s", previousTokenTtl: "1800s" },
        { ...of, principal: "somebody", revision: 2, tokenTtl: null, previousTokenTtl: "7200s" },
      ]);
    });

    describe("D lists of App Attest configurations", () => {
      const ids = ["\u{10000}", "\uffff", "é", "z", "Z"];
      const sorted = ["Z", "z", "é", "\uffff", "\u{10000}"];
      const more: FileProject[] = [
        {
          id: "project",
          number: PROJECT,
          apps: [...(PROJECTS[0]?.apps ?? []), ...ids.map((id) => ({ id }))],
        },
      ];

      it("contain all configurations with a registered or changed value, in byte order", async () => {
        const store = await open(more);
        const registered = { appId: "registered", config: { tokenTtl: ttl(1800) } };
        expect(await store.listSet(PROJECT)).toEqual([registered]);
        for (const id of ids) await store.change(PROJECT, id, to(undefined));
        const listed = (await store.listSet(PROJECT)).map(({ appId }) => appId);
        expect(listed).toEqual(["Z", "registered", ...sorted.slice(1)]);
        expect(await store.listSet("8")).toEqual([]);
        expect(await store.listSet("nowhere")).toEqual([]);
      });
    });

    describe("D App Attest configurations in several processes", () => {
      it("include the changes of other processes", async () => {
        const [one, two] = [await open(), await open()];
        await one.change(PROJECT, "a", to(1800));
        expect(await two.find(PROJECT, "a")).toEqual({ tokenTtl: ttl(1800), revision: 1 });
        await two.change(PROJECT, "a", to(1900));
        const config = { tokenTtl: ttl(1900), revision: 2 };
        expect(await one.listSet(PROJECT)).toContainEqual({ appId: "a", config });
      });

      it("apply each change to the previous change's result", async () => {
        const stores = [await open(), await open(), await open()];
        const seen = new Map<number, StoredAppAttestConfig>();
        const responses = await Promise.all(
          Array.from({ length: 30 }, (_, index) =>
            stores[index % stores.length]?.change(PROJECT, "a", {
              ...to(0),
              // Called again if another change is written first. The last call decides.
              valuesAfter: (current) => {
                seen.set(index, current);
                return { tokenTtl: ttl(1800 + index) };
              },
            }),
          ),
        );
        const ordered = responses
          .map((response, index) => ({ response, before: seen.get(index) }))
          .sort((a, b) => Number(a.response?.revision) - Number(b.response?.revision));
        expect(ordered.map(({ response }) => response?.revision)).toEqual(
          responses.map((_, index) => index + 1),
        );
        for (const [index, { before }] of ordered.entries()) {
          expect(before).toEqual(index === 0 ? {} : ordered[index - 1]?.response);
        }
        expect(await (await open()).find(PROJECT, "a")).toEqual(ordered.at(-1)?.response);
      });
    });
  });
}
