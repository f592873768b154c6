import { describe, expect, it } from "vitest";
import type { Json, RecordChange } from "../../records.js";
import { AUDITED, PLAIN, type RecordsFixture, SECRET } from "./records-fixture.js";

export function describeAuditedHistory(fixture: RecordsFixture): void {
  const { put } = fixture;

  describe("audited history", () => {
    const audited = (key: string, value: Json | undefined, more: Partial<RecordChange> = {}) =>
      fixture.records.change([{ kind: AUDITED, key, value, ...more }]);

    it("has each change with its previous value, time and note", async () => {
      const first = await audited("7/a", { n: 1 }, { note: { principal: "who" }, ifRevision: 0 });
      expect(await audited("7/a", { n: 2 }, { ifRevision: 0 })).toBeUndefined();
      await audited("7/a", { n: 2 });
      await audited("7/a", undefined);
      await put("7/a", 1);
      const history = await fixture.records.history({ kinds: [AUDITED, PLAIN], limit: 10 });
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
      expect(history.map(({ time }) => time)).toEqual(history.map(() => fixture.now()));
    });

    it("can be listed by prefix in both directions, in pages", async () => {
      for (const key of ["7/a", "8/a", "7/b", "7/a"]) await audited(key, key);
      await fixture.records.change(["7/z", "7/y"].map((key) => ({ kind: AUDITED, key, value: 1 })));
      const pages = async (newestFirst: boolean) => {
        const keys: string[] = [];
        for (let after: { kind: string; key: string; revision: number } | undefined; ; ) {
          const page = await fixture.records.history({
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
      const ofOne = await fixture.records.history({
        kinds: [AUDITED],
        key: "7/a",
        newestFirst: true,
        limit: 5,
      });
      expect(ofOne.map(({ key, value }) => [key, value])).toEqual([
        ["7/a", "7/a"],
        ["7/a", "7/a"],
      ]);
    });

    it("can be listed by time, also if the clock was set back", async () => {
      const times: number[] = [];
      for (const [index, milliseconds] of [0, 1_000, 1_000, -1_500, 1_000].entries()) {
        fixture.pass(milliseconds);
        times.push(fixture.now());
        await audited(`7/${index}`, index);
        await audited(`8/${index}`, index);
      }
      for (const prefix of ["7/", "", "7"]) {
        for (const newestFirst of [true, false]) {
          for (const [since, before] of [...times, undefined].flatMap((one) =>
            times.map((other) => [one, other] as const),
          )) {
            const range = { kinds: [AUDITED], prefix, newestFirst, since, before };
            const listed = await fixture.records.history({ ...range, limit: 20 });
            const expected = times
              .map((time, index) => ({ time, index }))
              .filter(({ time }) => time >= (since ?? 0) && time < before)
              .flatMap(({ index }) => (prefix === "" ? [`7/${index}`, `8/${index}`] : [`7/${index}`]));
            expect(listed.map(({ key }) => key)).toEqual(newestFirst ? expected.toReversed() : expected);
            const [first] = await fixture.records.history({ ...range, limit: 1 });
            expect(first).toEqual(listed[0]);
            const rest = await fixture.records.history({ ...range, after: first, limit: 20 });
            if (first !== undefined) expect(rest).toEqual(listed.slice(1));
          }
        }
      }
    });

    it("can be listed for several kinds, and for a project if other project numbers begin with the same digits", async () => {
      await audited("7/a", 1);
      await audited("77/a", 1);
      await fixture.records.change([{ kind: SECRET, key: "7/s", value: 1 }]);
      const listed = await fixture.records.history({ kinds: [AUDITED, SECRET], prefix: "7/", limit: 9 });
      expect(listed.map(({ kind, key }) => [kind, key])).toEqual([
        ["audited", "7/a"],
        ["secret", "7/s"],
      ]);
    });

    it("shows that a secret was created, changed and deleted, but never its value", async () => {
      for (const value of [{ secret: "s3cret-1" }, { secret: "s3cret-2" }, undefined]) {
        await fixture.records.change([{ kind: SECRET, key: "7/s", value, note: { principal: "who" } }]);
      }
      const history = await fixture.records.history({ kinds: [SECRET], limit: 9 });
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
        fixture.pass(1_000);
      }
      const last = fixture.now();
      await audited("7/d", 1);
      const left = async () =>
        (await fixture.records.history({ kinds: [AUDITED], limit: 9 })).map(({ key }) => key);
      expect(await fixture.records.removeHistory(last, 2)).toBe(2);
      expect(await left()).toEqual(["7/c", "7/d"]);
      expect(await (await fixture.open()).removeHistory(last, 2)).toBe(1);
      expect(await fixture.records.removeHistory(last, 2)).toBe(0);
      expect(await left()).toEqual(["7/d"]);
      expect((await fixture.records.get(AUDITED, "7/a"))?.value).toBe("7/a");
    });

    it("is removed while others make changes", async () => {
      for (let i = 0; i < 20; i++) await audited(`7/${i}`, i);
      fixture.pass(1);
      const before = fixture.now();
      const other = await fixture.open();
      const changes = Array.from({ length: 20 }, (_, i) => audited(`8/${i}`, i));
      const removed = await Promise.all([1, 2, 3].map(() => other.removeHistory(before, 5)));
      await Promise.all(changes);
      while ((await other.removeHistory(before, 5)) > 0) removed.push(5);
      expect(removed.reduce((sum, count) => sum + count, 0)).toBeGreaterThanOrEqual(20);
      expect(await fixture.records.history({ kinds: [AUDITED], prefix: "7/", limit: 9 })).toEqual([]);
      expect(await fixture.records.history({ kinds: [AUDITED], limit: 99 })).toHaveLength(20);
    });
  });
}
