import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { RECORDS_A_PAGE } from "../changes-since.js";
import { eraseRecords } from "../erase-records.js";
import type { Json, RecordChange, RecordKind, Records } from "../records.js";
import { changesOf } from "./changes-of.js";

/** Records under test. */
export interface RecordsUnderTest {
  /** Opens the records as another process would. */
  open(): Promise<Records>;
  /** Lets time pass for records that expire. */
  pass(milliseconds: number): void;
  /** The time by which records expire, in milliseconds since the Unix epoch. */
  now(): number;
  /** Removes everything. */
  dispose(): Promise<void>;
}

const PLAIN: RecordKind = { name: "plain" };
const OTHER: RecordKind = { name: "other" };
const FOLLOWED: RecordKind = { name: "followed", isFollowed: true };
const AUDITED: RecordKind = { name: "audited", isFollowed: true, isAudited: true };
const SECRET: RecordKind = { name: "secret", isAudited: true, isSecret: true };

/** Tests of records, for any engine. */
export function describeRecords(name: string, setUp: () => Promise<RecordsUnderTest>): void {
  describe(name, () => {
    let subject: RecordsUnderTest;
    let records: Records;
    beforeEach(async () => {
      subject = await setUp();
      records = await subject.open();
    });
    afterEach(() => subject.dispose());

    const put = (key: string, value: Json, more: Partial<RecordChange> = {}) =>
      records.change([{ kind: PLAIN, key, value, ...more }]);
    const all = async (kind: RecordKind, from = records) =>
      (await from.list(kind, { limit: 1_000 })).map(({ key, value }) => [key, value]);

    describe("a record", () => {
      it("does not exist before its creation, and is visible to all processes afterwards", async () => {
        expect(await records.get(PLAIN, "a")).toBeUndefined();
        const value = { text: "ä\u{10000}\n\0", list: [1, 2.5, null, true], none: {} };
        const revision = await put("a", value);
        for (const each of [records, await subject.open()])
          expect(await each.get(PLAIN, "a")).toEqual({ key: "a", value, revision });
        expect(await records.get(OTHER, "a")).toBeUndefined();
      });

      it("does not exist if its key contains NUL", async () => {
        await put("a", 1);
        expect(await records.get(PLAIN, "a\0")).toBeUndefined();
        expect(await records.list(PLAIN, { prefix: "a\0", limit: 10 })).toEqual([]);
      });

      it("gets a higher revision with each change", async () => {
        let last = 0;
        for (let i = 0; i < 5; i++) {
          const revision = (await put("a", i)) ?? 0;
          expect(revision).toBeGreaterThan(last);
          expect(await records.get(PLAIN, "a")).toEqual({ key: "a", value: i, revision });
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
        expect(await records.get(PLAIN, "a")).toEqual({ key: "a", value: 2, revision: second });
        expect(await records.get(PLAIN, "b")).toBeUndefined();
      });

      it.each([PLAIN, FOLLOWED])("of the kind $name can be deleted and created again", async (kind) => {
        const remove = (ifRevision?: number) =>
          records.change([{ kind, key: "a", value: undefined, ifRevision }]);
        const first = (await records.change([{ kind, key: "a", value: 1 }])) ?? 0;
        expect(await remove(first + 1)).toBeUndefined();
        expect(await remove(first)).toBeGreaterThan(first);
        expect(await remove(first)).toBeUndefined();
        expect(await records.get(kind, "a")).toBeUndefined();
        expect(await all(kind)).toEqual([]);
        const second = await records.change([{ kind, key: "a", value: 2, ifRevision: 0 }]);
        expect(second).toBeGreaterThan(first);
        expect(await records.get(kind, "a")).toEqual({ key: "a", value: 2, revision: second });
      });

      it("changes with others, all or none", async () => {
        const one = await put("a", 1);
        const change = (ifRevision: number | undefined, more: RecordChange[] = []) =>
          records.change([
            { kind: OTHER, key: "new", value: "new" },
            { kind: PLAIN, key: "a", value: 2, ifRevision },
            ...more,
          ]);
        expect(await change((one ?? 0) + 1)).toBeUndefined();
        expect([await all(PLAIN), await all(OTHER)]).toEqual([[["a", 1]], []]);
        const revision = await change(one, [{ kind: PLAIN, key: "z", value: undefined }]);
        expect([await records.get(PLAIN, "a"), await records.get(OTHER, "new")]).toEqual([
          { key: "a", value: 2, revision },
          { key: "new", value: "new", revision },
        ]);
      });
    });

    describe("records of several processes", () => {
      it("are created by exactly one process, and deleted by exactly one", async () => {
        const each = await Promise.all(Array.from({ length: 4 }, subject.open));
        for (let round = 0; round < 10; round++) {
          const key = `challenge-${round}`;
          const made = await Promise.all(
            each.map((one, index) => one.change([{ kind: PLAIN, key, value: index, ifRevision: 0 }])),
          );
          expect(made.filter((revision) => revision !== undefined)).toHaveLength(1);
          const winner = made.findIndex((revision) => revision !== undefined);
          const record = await records.get(PLAIN, key);
          expect(record).toEqual({ key, value: winner, revision: made[winner] });
          const ifRevision = record?.revision;
          const removed = await Promise.all(
            each.map((one) => one.change([{ kind: PLAIN, key, value: undefined, ifRevision }])),
          );
          expect(removed.filter((revision) => revision !== undefined)).toHaveLength(1);
        }
      });

      it.each([PLAIN, AUDITED])("of the kind $name count all increments", async (kind) => {
        const each = await Promise.all(Array.from({ length: 3 }, subject.open));
        const increment = async (one: Records): Promise<void> => {
          const found = await one.get(kind, "counter");
          const value = Number(found?.value ?? 0) + 1;
          const isMade = await one.change([
            { kind, key: "counter", value, ifRevision: found?.revision ?? 0 },
          ]);
          if (isMade === undefined) await increment(one);
        };
        await Promise.all(Array.from({ length: 30 }, (_, index) => increment(each[index % 3] ?? records)));
        expect((await records.get(kind, "counter"))?.value).toBe(30);
      });

      it("do not deadlock if changes cover many records", async () => {
        const each = await Promise.all([subject.open(), subject.open()]);
        const keys = ["a", "b", "c", "d"];
        const changes = (index: number): RecordChange[] =>
          (index % 2 === 0 ? keys : keys.toReversed()).map((key) => ({ kind: PLAIN, key, value: index }));
        await Promise.all(Array.from({ length: 20 }, (_, index) => each[index % 2]?.change(changes(index))));
        const values = (await all(PLAIN)).map(([, value]) => value);
        expect(values).toEqual(keys.map(() => values[0]));
      });
    });

    describe("an expired record", () => {
      it("no longer exists", async () => {
        const expireTime = subject.now() + 1_000;
        const revision = await put("a", 1, { expireTime });
        await put("b", 2);
        expect(await records.get(PLAIN, "a")).toEqual({ key: "a", value: 1, revision, expireTime });
        subject.pass(1_000);
        expect(await records.get(PLAIN, "a")).toBeUndefined();
        expect(await all(PLAIN)).toEqual([["b", 2]]);
        expect(await put("a", 3, { ifRevision: revision })).toBeUndefined();
        expect(await put("a", 3, { ifRevision: 0 })).toBeGreaterThan(revision ?? 0);
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
        const page = await records.list(PLAIN, { limit: 2, after: "Z" });
        expect(page.map(({ key }) => key)).toEqual(["z", "é"]);
        expect(await records.list(PLAIN, { limit: 2, after: "\u{10000}" })).toEqual([]);
      });

      it("has only keys with the literal prefix", async () => {
        for (const key of ["7/a", "7/b", "7", "70/a", "_/a", "%/a"]) await put(key, key);
        const under = async (prefix: string, after?: string) =>
          (await records.list(PLAIN, { prefix, after, limit: 10 })).map(({ key }) => key);
        expect(await under("7/")).toEqual(["7/a", "7/b"]);
        expect(await under("7/", "7/a")).toEqual(["7/b"]);
        expect(await under("7")).toEqual(["7", "7/a", "7/b", "70/a"]);
        expect(await under("%")).toEqual(["%/a"]);
      });
    });

    describe("changes of a followed kind", () => {
      const followed = (key: string, value: Json | undefined) =>
        records.change([{ kind: FOLLOWED, key, value }]);

      it("are listed since a revision, each record with its last change, deletions included", async () => {
        const none = await changesOf(records, FOLLOWED, 0);
        expect(none).toMatchObject({ isWhole: true, records: [] });
        await followed("a", 1);
        await followed("b", 2);
        const before = await changesOf(records, FOLLOWED, none.revision);
        expect(before.records).toMatchObject([
          { key: "a", value: 1 },
          { key: "b", value: 2 },
        ]);
        await put("plain", 1);
        await followed("b", 3);
        await followed("a", undefined);
        await followed("b", 4);
        const after = await changesOf(records, FOLLOWED, before.revision);
        expect(after.isWhole).toBe(false);
        expect(after.records.map(({ key, value }) => [key, value])).toEqual([
          ["a", undefined],
          ["b", 4],
        ]);
        expect((await changesOf(records, FOLLOWED, after.revision)).records).toEqual([]);
      });

      it("result in the same copy in every process", async () => {
        const writers = await Promise.all([subject.open(), subject.open()]);
        const copy = new Map<string, Json>();
        let revision = 0;
        const look = async () => {
          const changes = await changesOf(records, FOLLOWED, revision);
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
        records.onChange(FOLLOWED, () => calls++);
        await put("a", 1);
        await followed("a", 1);
        expect(calls).toBeGreaterThan(0);
      });
    });

    describe("audited history", () => {
      const audited = (key: string, value: Json | undefined, more: Partial<RecordChange> = {}) =>
        records.change([{ kind: AUDITED, key, value, ...more }]);

      it("has each change with its previous value, time and note", async () => {
        const first = await audited("7/a", { n: 1 }, { note: { principal: "who" }, ifRevision: 0 });
        expect(await audited("7/a", { n: 2 }, { ifRevision: 0 })).toBeUndefined();
        await audited("7/a", { n: 2 });
        await audited("7/a", undefined);
        await put("7/a", 1);
        const history = await records.history({ kinds: [AUDITED, PLAIN], limit: 10 });
        expect(history).toEqual([
          {
            kind: "audited",
            key: "7/a",
            revision: first,
            time: expect.any(Number),
            value: { n: 1 },
            note: { principal: "who" },
          },
          expect.objectContaining({ value: { n: 2 }, previous: { n: 1 } }),
          {
            kind: "audited",
            key: "7/a",
            revision: expect.any(Number),
            time: expect.any(Number),
            previous: { n: 2 },
          },
        ]);
        expect(history.map(({ time }) => time)).toEqual(history.map(() => subject.now()));
      });

      it("can be listed by prefix in both directions, in pages", async () => {
        for (const key of ["7/a", "8/a", "7/b", "7/a"]) await audited(key, key);
        await records.change(["7/z", "7/y"].map((key) => ({ kind: AUDITED, key, value: 1 })));
        const pages = async (newestFirst: boolean) => {
          const keys: string[] = [];
          for (let after: { kind: string; key: string; revision: number } | undefined; ; ) {
            const page = await records.history({
              kinds: [AUDITED],
              prefix: "7/",
              newestFirst,
              after,
              limit: 2,
            });
            if (page.length === 0) return keys;
            keys.push(...page.map(({ key }) => key));
            after = page.at(-1);
          }
        };
        expect(await pages(false)).toEqual(["7/a", "7/b", "7/a", "7/y", "7/z"]);
        expect(await pages(true)).toEqual(["7/z", "7/y", "7/a", "7/b", "7/a"]);
        const ofOne = await records.history({ kinds: [AUDITED], key: "7/a", newestFirst: true, limit: 5 });
        expect(ofOne.map(({ key, value }) => [key, value])).toEqual([
          ["7/a", "7/a"],
          ["7/a", "7/a"],
        ]);
      });

      it("can be listed by time, also if the clock was set back", async () => {
        const times: number[] = [];
        for (const [index, milliseconds] of [0, 1_000, 1_000, -1_500, 1_000].entries()) {
          subject.pass(milliseconds);
          times.push(subject.now());
          await audited(`7/${index}`, index);
          await audited(`8/${index}`, index);
        }
        for (const prefix of ["7/", "", "7"]) {
          for (const newestFirst of [true, false]) {
            for (const [since, before] of [...times, undefined].flatMap((one) =>
              times.map((other) => [one, other]),
            )) {
              const range = { kinds: [AUDITED], prefix, newestFirst, since, before };
              const listed = await records.history({ ...range, limit: 20 });
              const expected = times
                .map((time, index) => ({ time, index }))
                .filter(({ time }) => time >= (since ?? 0) && time < (before ?? 0))
                .flatMap(({ index }) => (prefix === "" ? [`7/${index}`, `8/${index}`] : [`7/${index}`]));
              expect(listed.map(({ key }) => key)).toEqual(newestFirst ? expected.toReversed() : expected);
              const [first] = await records.history({ ...range, limit: 1 });
              expect(first).toEqual(listed[0]);
              const rest = await records.history({ ...range, after: first, limit: 20 });
              if (first !== undefined) expect(rest).toEqual(listed.slice(1));
            }
          }
        }
      });

      it("can be listed for several kinds, and for a project if other project numbers begin with the same digits", async () => {
        await audited("7/a", 1);
        await audited("77/a", 1);
        await records.change([{ kind: SECRET, key: "7/s", value: 1 }]);
        const listed = await records.history({ kinds: [AUDITED, SECRET], prefix: "7/", limit: 9 });
        expect(listed.map(({ kind, key }) => [kind, key])).toEqual([
          ["audited", "7/a"],
          ["secret", "7/s"],
        ]);
      });

      it("shows that a secret was created, changed and deleted, but never its value", async () => {
        for (const value of [{ secret: "s3cret-1" }, { secret: "s3cret-2" }, undefined]) {
          await records.change([{ kind: SECRET, key: "7/s", value, note: { principal: "who" } }]);
        }
        const history = await records.history({ kinds: [SECRET], limit: 9 });
        expect(history.map(({ value, previous }) => [value, previous])).toEqual([
          [null, undefined],
          [null, null],
          [undefined, null],
        ]);
        expect(history[0]?.note).toEqual({ principal: "who" });
      });

      it("is removed from before a time, oldest first, a limited number at once", async () => {
        for (const key of ["7/a", "7/b", "7/c"]) {
          await audited(key, key);
          subject.pass(1_000);
        }
        const last = subject.now();
        await audited("7/d", 1);
        const left = async () =>
          (await records.history({ kinds: [AUDITED], limit: 9 })).map(({ key }) => key);
        expect(await records.removeHistory(last, 2)).toBe(2);
        expect(await left()).toEqual(["7/c", "7/d"]);
        expect(await (await subject.open()).removeHistory(last, 2)).toBe(1);
        expect(await records.removeHistory(last, 2)).toBe(0);
        expect(await left()).toEqual(["7/d"]);
        expect((await records.get(AUDITED, "7/a"))?.value).toBe("7/a");
      });

      it("is removed while others make changes", async () => {
        for (let i = 0; i < 20; i++) await audited(`7/${i}`, i);
        subject.pass(1);
        const before = subject.now();
        const other = await subject.open();
        const changes = Array.from({ length: 20 }, (_, i) => audited(`8/${i}`, i));
        const removed = await Promise.all([1, 2, 3].map(() => other.removeHistory(before, 5)));
        await Promise.all(changes);
        while ((await other.removeHistory(before, 5)) > 0) removed.push(5);
        expect(removed.reduce((sum, count) => sum + count, 0)).toBeGreaterThanOrEqual(20);
        expect(await records.history({ kinds: [AUDITED], prefix: "7/", limit: 9 })).toEqual([]);
        expect(await records.history({ kinds: [AUDITED], limit: 99 })).toHaveLength(20);
      });
    });

    it("lists any number of changes, and each change of a revision", async () => {
      const count = 2 * RECORDS_A_PAGE + 1;
      const keys = Array.from({ length: count }, (_, index) => `7/${String(index).padStart(5, "0")}`);
      const change = (some: readonly string[], value: Json | undefined) =>
        records.change(some.map((key) => ({ kind: FOLLOWED, key, value })));
      // One revision ends in the second page.
      await change(keys.slice(0, 1), 1);
      await change(keys.slice(1, RECORDS_A_PAGE + 10), 1);
      await change(keys.slice(RECORDS_A_PAGE + 10), 1);
      const all = await changesOf(records, FOLLOWED, 0);
      expect(all.isWhole).toBe(true);
      expect(all.records.map(({ key }) => key)).toEqual(keys);
      await change(keys.slice(0, 2), undefined);
      const changed = await changesOf(records, FOLLOWED, all.revision);
      expect(changed).toMatchObject({ isWhole: false, records: [{ key: keys[0] }, { key: keys[1] }] });
    });

    it("lists only new changes after traces of deleted records were removed", async () => {
      const change = (key: string, value: Json | undefined) =>
        records.change([{ kind: FOLLOWED, key, value }]);
      await change("7/a", 1);
      await change("7/b", 1);
      await change("7/b", undefined);
      await records.forget(FOLLOWED, "7/", 9);
      const whole = await changesOf(records, FOLLOWED, 0);
      expect(whole.records.map(({ key }) => key)).toEqual(["7/a"]);
      const none = await changesOf(records, FOLLOWED, whole.revision);
      expect(none).toMatchObject({ isWhole: false, records: [] });
      await change("7/c", 1);
      const next = await changesOf(records, FOLLOWED, none.revision);
      expect(next).toMatchObject({ isWhole: false, records: [{ key: "7/c" }] });
    });

    describe("deleted records of a followed kind", () => {
      const change = (key: string, value: Json | undefined) =>
        records.change([{ kind: FOLLOWED, key, value }]);
      const keysSince = async (revision: number, from = records) => {
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
        expect(await records.forget(FOLLOWED, "7/", 1)).toBe(1);
        expect(await records.forget(FOLLOWED, "7/", 5)).toBe(1);
        expect(await records.forget(FOLLOWED, "7/", 5)).toBe(0);
        expect((await keysSince(0, await subject.open())).keys).toEqual(["-8/a", "7/c", "77/a"]);
      });

      it("are noticed by processes that have not seen the deletion before its traces were removed", async () => {
        await change("7/a", 1);
        await change("7/b", 1);
        const { revision: earlier } = await changesOf(records, FOLLOWED, 0);
        await change("7/a", undefined);
        const { revision: later } = await changesOf(records, FOLLOWED, earlier);
        await records.forget(FOLLOWED, "7/", 9);
        const other = await subject.open();
        expect(await keysSince(earlier, other)).toEqual({ isWhole: true, keys: ["7/b"] });
        expect(await keysSince(later, other)).toEqual({ isWhole: false, keys: [] });
        await change("7/a", 2);
        expect(await keysSince(later, other)).toEqual({ isWhole: false, keys: ["7/a"] });
      });
    });

    it("erases a project's records in steps, and no others", async () => {
      const kinds = [PLAIN, AUDITED, FOLLOWED];
      const keys = ["7", "7/a", "7/b/c", "77", "77/a", "8/7", "6"];
      for (const kind of kinds) {
        for (const key of keys) {
          if (kind === PLAIN || key.includes("/")) await records.change([{ kind, key, value: key }]);
        }
      }
      await records.change(Array.from({ length: 500 }, (_, i) => ({ kind: PLAIN, key: `7/${i}`, value: i })));
      let steps = 1;
      for (; !(await eraseRecords(records, kinds, "7", { reason: "purge" })); steps++)
        expect(steps).toBeLessThan(20);
      expect(steps).toBeGreaterThan(5);
      const left = await Promise.all(kinds.map(async (kind) => (await all(kind)).map(([key]) => key)));
      expect(left).toEqual([
        ["6", "77", "77/a", "8/7"],
        ["77/a", "8/7"],
        ["77/a", "8/7"],
      ]);
      const other = await subject.open();
      expect((await changesOf(other, FOLLOWED, 0)).records).toHaveLength(2);
      const [last] = await records.history({ kinds: [AUDITED], prefix: "7/", newestFirst: true, limit: 1 });
      expect(last).toMatchObject({ previous: "7/b/c", note: { reason: "purge" } });
      expect(await eraseRecords(records, kinds, "7")).toBe(true);
    });
  });
}
