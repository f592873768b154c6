import { describe, expect, it } from "vitest";
import type { RecordChange, Records } from "../../records.js";
import { AUDITED, PLAIN, type RecordsFixture } from "./records-fixture.js";

export function describeSharedRecords(fixture: RecordsFixture): void {
  const { all } = fixture;

  describe("records of several processes", () => {
    it("are created by exactly one process, and deleted by exactly one", async () => {
      const each = await Promise.all(Array.from({ length: 4 }, fixture.open));
      for (let round = 0; round < 10; round++) {
        const key = `challenge-${round}`;
        const made = await Promise.all(
          each.map((one, index) => one.change([{ kind: PLAIN, key, value: index, ifRevision: 0 }])),
        );
        expect(made.filter((revision) => revision !== undefined)).toHaveLength(1);
        const winner = made.findIndex((revision) => revision !== undefined);
        const record = await fixture.records.get(PLAIN, key);
        expect(record).toEqual({ key, value: winner, revision: made[winner] });
        const ifRevision = record?.revision;
        const removed = await Promise.all(
          each.map((one) => one.change([{ kind: PLAIN, key, value: undefined, ifRevision }])),
        );
        expect(removed.filter((revision) => revision !== undefined)).toHaveLength(1);
      }
    });

    it.each([PLAIN, AUDITED])("of the kind $name count all increments", async (kind) => {
      const each = await Promise.all(Array.from({ length: 3 }, fixture.open));
      const increment = async (one: Records): Promise<void> => {
        const found = await one.get(kind, "counter");
        const value = Number(found?.value ?? 0) + 1;
        const isMade = await one.change([{ kind, key: "counter", value, ifRevision: found?.revision ?? 0 }]);
        if (isMade === undefined) await increment(one);
      };
      await Promise.all(
        Array.from({ length: 30 }, (_, index) => increment(each[index % 3] ?? fixture.records)),
      );
      expect((await fixture.records.get(kind, "counter"))?.value).toBe(30);
    });

    it("do not deadlock if changes cover many records", async () => {
      const each = await Promise.all([fixture.open(), fixture.open()]);
      const keys = ["a", "b", "c", "d"];
      const changes = (index: number): RecordChange[] =>
        (index % 2 === 0 ? keys : keys.toReversed()).map((key) => ({ kind: PLAIN, key, value: index }));
      await Promise.all(Array.from({ length: 20 }, (_, index) => each[index % 2]?.change(changes(index))));
      const values = (await all(PLAIN)).map(([, value]) => value);
      expect(values).toEqual(keys.map(() => values[0]));
    });
  });
}
