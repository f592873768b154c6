import { describe, expect, it } from "vitest";
import { eraseRecords } from "../../erase-records.js";
import { changesOf } from "../changes-of.js";
import { describeAuditedHistory } from "./audited-history-conformance.js";
import { describeFollowedKinds } from "./followed-kinds-conformance.js";
import { AUDITED, FOLLOWED, PLAIN, type RecordsSetUp, useRecords } from "./records-fixture.js";
import { describeSharedRecords } from "./shared-records-conformance.js";
import { describeSingleRecords } from "./single-records-conformance.js";

/** Tests of records, for any engine. */
export function describeRecords(name: string, setUp: RecordsSetUp): void {
  describe(name, () => {
    const fixture = useRecords(setUp);
    describeSingleRecords(fixture);
    describeSharedRecords(fixture);
    describeFollowedKinds(fixture);
    describeAuditedHistory(fixture);

    it("erases a project's records in steps, and no others", async () => {
      const kinds = [PLAIN, AUDITED, FOLLOWED];
      const keys = ["7", "7/a", "7/b/c", "77", "77/a", "8/7", "6"];
      for (const kind of kinds) {
        for (const key of keys) {
          if (kind === PLAIN || key.includes("/")) await fixture.records.change([{ kind, key, value: key }]);
        }
      }
      await fixture.records.change(
        Array.from({ length: 500 }, (_, i) => ({ kind: PLAIN, key: `7/${i}`, value: i })),
      );
      let steps = 1;
      for (; !(await eraseRecords(fixture.records, kinds, "7", { reason: "purge" })); steps++)
        expect(steps).toBeLessThan(20);
      expect(steps).toBeGreaterThan(5);
      const left = await Promise.all(
        kinds.map(async (kind) => (await fixture.all(kind)).map(([key]) => key)),
      );
      expect(left).toEqual([
        ["6", "77", "77/a", "8/7"],
        ["77/a", "8/7"],
        ["77/a", "8/7"],
      ]);
      const other = await fixture.open();
      expect((await changesOf(other, FOLLOWED, 0)).records).toHaveLength(2);
      const [last] = await fixture.records.history({
        kinds: [AUDITED],
        prefix: "7/",
        newestFirst: true,
        limit: 1,
      });
      expect(last).toMatchObject({ previous: "7/b/c", note: { reason: "purge" } });
      expect(await eraseRecords(fixture.records, kinds, "7")).toBe(true);
    });
  });
}
