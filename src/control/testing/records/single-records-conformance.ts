import { describe, expect, it } from "vitest";
import type { RecordChange } from "../../records.js";
import { FOLLOWED, OTHER, PLAIN, type RecordsFixture, revisionOf } from "./records-fixture.js";

/** Tests of records, their expiry and lists. */
export function describeSingleRecords(fixture: RecordsFixture): void {
  const { put, all } = fixture;

  describe("a record", () => {
    it("does not exist before its creation, and is visible to all processes afterwards", async () => {
      expect(await fixture.records.get(PLAIN, "a")).toBeUndefined();
      const value = { text: "ä\u{10000}\n\0", list: [1, 2.5, null, true], none: {} };
      const revision = await put("a", value);
      for (const each of [fixture.records, await fixture.open()])
        expect(await each.get(PLAIN, "a")).toEqual({ key: "a", value, revision });
      expect(await fixture.records.get(OTHER, "a")).toBeUndefined();
    });

    it("does not exist if its key contains NUL", async () => {
      await put("a", 1);
      expect(await fixture.records.get(PLAIN, "a\0")).toBeUndefined();
      expect(await fixture.records.list(PLAIN, { prefix: "a\0", limit: 10 })).toEqual([]);
    });

    it("gets a higher revision with each change", async () => {
      let last = 0;
      for (let i = 0; i < 5; i++) {
        const revision = await revisionOf(put("a", i));
        expect(revision).toBeGreaterThan(last);
        expect(await fixture.records.get(PLAIN, "a")).toEqual({ key: "a", value: i, revision });
        last = revision;
      }
      expect(Number.isSafeInteger(last)).toBe(true);
    });

    it("changes only at the required revision", async () => {
      const first = await put("a", 1, { ifRevision: 0 });
      expect(await put("a", 2, { ifRevision: 0 })).toBeUndefined();
      expect(await put("b", 2, { ifRevision: first })).toBeUndefined();
      const second = await put("a", 2, { ifRevision: first });
      expect(await put("a", 3, { ifRevision: first })).toBeUndefined();
      expect(await fixture.records.get(PLAIN, "a")).toEqual({ key: "a", value: 2, revision: second });
      expect(await fixture.records.get(PLAIN, "b")).toBeUndefined();
    });

    it.each([PLAIN, FOLLOWED])("of the kind $name can be deleted and created again", async (kind) => {
      const remove = (ifRevision?: number) =>
        fixture.records.change([{ kind, key: "a", value: undefined, ifRevision }]);
      const first = await revisionOf(fixture.records.change([{ kind, key: "a", value: 1 }]));
      expect(await remove(first + 1)).toBeUndefined();
      expect(await remove(first)).toBeGreaterThan(first);
      expect(await remove(first)).toBeUndefined();
      expect(await fixture.records.get(kind, "a")).toBeUndefined();
      expect(await all(kind)).toEqual([]);
      const second = await fixture.records.change([{ kind, key: "a", value: 2, ifRevision: 0 }]);
      expect(second).toBeGreaterThan(first);
      expect(await fixture.records.get(kind, "a")).toEqual({ key: "a", value: 2, revision: second });
    });

    it("changes with others, all or none", async () => {
      const one = await revisionOf(put("a", 1));
      const change = (ifRevision: number | undefined, more: RecordChange[] = []) =>
        fixture.records.change([
          { kind: OTHER, key: "new", value: "new" },
          { kind: PLAIN, key: "a", value: 2, ifRevision },
          ...more,
        ]);
      expect(await change(one + 1)).toBeUndefined();
      expect([await all(PLAIN), await all(OTHER)]).toEqual([[["a", 1]], []]);
      const revision = await change(one, [{ kind: PLAIN, key: "z", value: undefined }]);
      expect([await fixture.records.get(PLAIN, "a"), await fixture.records.get(OTHER, "new")]).toEqual([
        { key: "a", value: 2, revision },
        { key: "new", value: "new", revision },
      ]);
    });
  });

  describe("an expired record", () => {
    it("no longer exists", async () => {
      const expireTime = fixture.now() + 1_000;
      const revision = await revisionOf(put("a", 1, { expireTime }));
      await put("b", 2);
      expect(await fixture.records.get(PLAIN, "a")).toEqual({ key: "a", value: 1, revision, expireTime });
      fixture.pass(1_000);
      expect(await fixture.records.get(PLAIN, "a")).toBeUndefined();
      expect(await all(PLAIN)).toEqual([["b", 2]]);
      expect(await put("a", 3, { ifRevision: revision })).toBeUndefined();
      expect(await put("a", 3, { ifRevision: 0 })).toBeGreaterThan(revision);
      expect(await all(PLAIN)).toEqual([
        ["a", 3],
        ["b", 2],
      ]);
    });
  });

  describe("a list of records", () => {
    it("is in byte order, and can continue after a key", async () => {
      const keys = ["Z", "z", "é", "\uffff", "\u{10000}"];
      for (const key of keys.toReversed()) await put(key, key);
      expect((await all(PLAIN)).map(([key]) => key)).toEqual(keys);
      const page = await fixture.records.list(PLAIN, { limit: 2, after: "Z" });
      expect(page.map(({ key }) => key)).toEqual(["z", "é"]);
      expect(await fixture.records.list(PLAIN, { limit: 2, after: "\u{10000}" })).toEqual([]);
    });

    it("has only keys with the literal prefix", async () => {
      for (const key of ["7/a", "7/b", "7", "70/a", "_/a", "%/a"]) await put(key, key);
      const under = async (prefix: string, after?: string) =>
        (await fixture.records.list(PLAIN, { prefix, after, limit: 10 })).map(({ key }) => key);
      expect(await under("7/")).toEqual(["7/a", "7/b"]);
      expect(await under("7/", "7/a")).toEqual(["7/b"]);
      expect(await under("7")).toEqual(["7", "7/a", "7/b", "70/a"]);
      expect(await under("%")).toEqual(["%/a"]);
    });
  });
}
