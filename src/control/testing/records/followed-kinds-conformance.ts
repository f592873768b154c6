import { describe, expect, it } from "vitest";
import { RECORDS_A_PAGE } from "../../changes-since.js";
import type { Json } from "../../records.js";
import { changesOf } from "../changes-of.js";
import { FOLLOWED, type RecordsFixture } from "./records-fixture.js";

export function describeFollowedKinds(fixture: RecordsFixture): void {
  const { put, all } = fixture;
  const change = (key: string, value: Json | undefined) =>
    fixture.records.change([{ kind: FOLLOWED, key, value }]);

  describe("changes of a followed kind", () => {
    it("are listed since a revision, each record with its last change, deletions included", async () => {
      const none = await changesOf(fixture.records, FOLLOWED, 0);
      expect(none).toMatchObject({ isWhole: true, records: [] });
      await change("a", 1);
      await change("b", 2);
      const before = await changesOf(fixture.records, FOLLOWED, none.revision);
      expect(before.records).toMatchObject([
        { key: "a", value: 1 },
        { key: "b", value: 2 },
      ]);
      await put("plain", 1);
      await change("b", 3);
      await change("a", undefined);
      await change("b", 4);
      const after = await changesOf(fixture.records, FOLLOWED, before.revision);
      expect(after.isWhole).toBe(false);
      expect(after.records.map(({ key, value }) => [key, value])).toEqual([
        ["a", undefined],
        ["b", 4],
      ]);
      expect((await changesOf(fixture.records, FOLLOWED, after.revision)).records).toEqual([]);
    });

    it("result in the same copy in every process", async () => {
      const writers = await Promise.all([fixture.open(), fixture.open()]);
      const copy = new Map<string, Json>();
      let revision = 0;
      const look = async () => {
        const changes = await changesOf(fixture.records, FOLLOWED, revision);
        if (changes.isWhole) copy.clear();
        for (const { key, value } of changes.records) {
          if (value === undefined) copy.delete(key);
          else copy.set(key, value);
        }
        revision = changes.revision;
      };
      const work = writers.map(async (writer, index) => {
        for (let i = 0; i < 20; i++) {
          const key = `key-${(i * 7 + index) % 5}`;
          const value = i % 6 === 5 ? undefined : `${index}.${i}`;
          await writer.change([{ kind: FOLLOWED, key, value }]);
        }
      });
      let isDone = false;
      const done = Promise.all(work).finally(() => {
        isDone = true;
      });
      while (!isDone) {
        await look();
        await new Promise(setImmediate);
      }
      await done;
      await look();
      expect([...copy].sort()).toEqual(await all(FOLLOWED));
    });

    it("reach listeners in the same process", async () => {
      let calls = 0;
      fixture.records.onChange(FOLLOWED, () => calls++);
      await put("a", 1);
      await change("a", 1);
      expect(calls).toBeGreaterThan(0);
    });
  });

  it("lists any number of changes, and each change of a revision", async () => {
    const count = 2 * RECORDS_A_PAGE + 1;
    const keys = Array.from({ length: count }, (_, index) => `7/${String(index).padStart(5, "0")}`);
    const changeAll = (some: readonly string[], value: Json | undefined) =>
      fixture.records.change(some.map((key) => ({ kind: FOLLOWED, key, value })));
    // One revision ends in the second page.
    await changeAll(keys.slice(0, 1), 1);
    await changeAll(keys.slice(1, RECORDS_A_PAGE + 10), 1);
    await changeAll(keys.slice(RECORDS_A_PAGE + 10), 1);
    const whole = await changesOf(fixture.records, FOLLOWED, 0);
    expect(whole.isWhole).toBe(true);
    expect(whole.records.map(({ key }) => key)).toEqual(keys);
    await changeAll(keys.slice(0, 2), undefined);
    const changed = await changesOf(fixture.records, FOLLOWED, whole.revision);
    expect(changed).toMatchObject({ isWhole: false, records: [{ key: keys[0] }, { key: keys[1] }] });
  });

  it("lists only new changes after traces of deleted records were removed", async () => {
    await change("7/a", 1);
    await change("7/b", 1);
    await change("7/b", undefined);
    await fixture.records.forget(FOLLOWED, "7/", 9);
    const whole = await changesOf(fixture.records, FOLLOWED, 0);
    expect(whole.records.map(({ key }) => key)).toEqual(["7/a"]);
    const none = await changesOf(fixture.records, FOLLOWED, whole.revision);
    expect(none).toMatchObject({ isWhole: false, records: [] });
    await change("7/c", 1);
    const next = await changesOf(fixture.records, FOLLOWED, none.revision);
    expect(next).toMatchObject({ isWhole: false, records: [{ key: "7/c" }] });
  });

  describe("deleted records of a followed kind", () => {
    const keysSince = async (revision: number, from = fixture.records) => {
      const { isWhole, records: changed } = await changesOf(from, FOLLOWED, revision);
      return {
        isWhole,
        keys: changed.map(({ key, value }) => (value === undefined ? `-${key}` : key)).sort(),
      };
    };

    it("leave no traces once these are removed, and other records stay", async () => {
      for (const key of ["7/a", "7/b", "7/c", "77/a", "8/a"]) await change(key, key);
      for (const key of ["7/a", "7/b", "8/a"]) await change(key, undefined);
      expect((await keysSince(0)).keys).toEqual(["-7/a", "-7/b", "-8/a", "7/c", "77/a"]);
      expect(await fixture.records.forget(FOLLOWED, "7/", 1)).toBe(1);
      expect(await fixture.records.forget(FOLLOWED, "7/", 5)).toBe(1);
      expect(await fixture.records.forget(FOLLOWED, "7/", 5)).toBe(0);
      expect((await keysSince(0, await fixture.open())).keys).toEqual(["-8/a", "7/c", "77/a"]);
    });

    it("are noticed by processes that have not seen the deletion before its traces were removed", async () => {
      await change("7/a", 1);
      await change("7/b", 1);
      const { revision: earlier } = await changesOf(fixture.records, FOLLOWED, 0);
      await change("7/a", undefined);
      const { revision: later } = await changesOf(fixture.records, FOLLOWED, earlier);
      await fixture.records.forget(FOLLOWED, "7/", 9);
      const other = await fixture.open();
      expect(await keysSince(earlier, other)).toEqual({ isWhole: true, keys: ["7/b"] });
      expect(await keysSince(later, other)).toEqual({ isWhole: false, keys: [] });
      await change("7/a", 2);
      expect(await keysSince(later, other)).toEqual({ isWhole: false, keys: ["7/a"] });
    });
  });
}
