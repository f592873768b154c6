import { describe, expect, it } from "vitest";
import { at } from "../../../model/collections.js";
import { LAST_DAY } from "../../../model/day.js";
import type { DayLedger } from "../../day-ledger.js";
import { DAY, fence, full, isFenced, type LedgerFixture, OTHER, PROJECT } from "./ledger-fixture.js";

export function describePublications(fixture: LedgerFixture): void {
  const { change, rollUp, stale, published } = fixture;

  describe("publications of days", () => {
    it("show the latest version of each day that has entries, newest first", async () => {
      expect(await published()).toEqual([]);
      const first = await rollUp([DAY, DAY + 1, DAY - 1]);
      const second = await rollUp([DAY]);
      expect(second).toBeGreaterThan(first);
      await rollUp([DAY], OTHER);
      const run = await fixture.ledger.begin(PROJECT, [DAY - 1]);
      await fixture.ledger.publish(run, [{ day: DAY - 1, isEmpty: true }]);
      for (const each of [fixture.ledger, fixture.other, fixture.open()]) {
        expect(await each.published(PROJECT, LAST_DAY)).toEqual([
          { day: DAY + 1, version: first },
          { day: DAY, version: second },
        ]);
        expect(await each.published(PROJECT, DAY)).toEqual([{ day: DAY, version: second }]);
        expect(await each.published(PROJECT, DAY - 1)).toEqual([]);
      }
    });

    it("change exactly the versions that include a published day, equally in all processes", async () => {
      const seen = new Set<string>();
      const versions = async (each: DayLedger) =>
        Promise.all([
          each.version(PROJECT, DAY - 1),
          each.version(PROJECT, DAY),
          each.version(PROJECT, LAST_DAY),
          each.version(OTHER, LAST_DAY),
        ]);
      const steps = [
        { days: [DAY], isEmpty: false, changed: [false, true, true, false] },
        { days: [DAY + 1], isEmpty: false, changed: [false, false, true, false] },
        { days: [DAY + 5, DAY - 1], isEmpty: false, changed: [true, true, true, false] },
        { days: [DAY], isEmpty: true, changed: [false, true, true, false] },
        { days: [DAY + 1], isEmpty: false, changed: [false, false, true, false] },
      ];
      let before = await versions(fixture.ledger);
      for (const { days, isEmpty, changed } of steps) {
        const run = await fixture.ledger.begin(PROJECT, days);
        await fixture.ledger.publish(
          run,
          days.map((day) => ({ day, isEmpty })),
        );
        const after = await versions(fixture.ledger);
        expect(after.map((version, i) => version !== before[i])).toEqual(changed);
        expect(await versions(fixture.other)).toEqual(after);
        expect(seen).not.toContain(after[2]);
        seen.add(at(after, 2));
        before = after;
      }
      expect(await versions(fixture.open())).toEqual(before);
    });

    it("do not replace a later run's publications, and can be repeated", async () => {
      await change([DAY, DAY + 1]);
      const slow = await fixture.ledger.begin(PROJECT, [DAY, DAY + 1]);
      await change([DAY]);
      const later = await fixture.other.begin(PROJECT, [DAY]);
      await fixture.other.publish(later, full(DAY));
      for (let i = 0; i < 2; i++) await fixture.ledger.publish(slow, full(DAY, DAY + 1));
      expect(await published()).toEqual([
        { day: DAY + 1, version: slow.version },
        { day: DAY, version: later.version },
      ]);
      expect(await stale()).toEqual([]);
    });

    it("are rejected together if their holder has lost its lease", async () => {
      await change([DAY, DAY + 1]);
      const slept = await fixture.ledger.begin(PROJECT, [DAY, DAY + 1], fence(7));
      await fixture.other.publish(await fixture.other.begin(PROJECT, [DAY], fence(8)), full(DAY));
      const before = await published();
      await isFenced(fixture.ledger.publish(slept, full(DAY, DAY + 1)));
      await isFenced(fixture.ledger.begin(PROJECT, [DAY + 1], fence(7)));
      expect([await published(), await stale()]).toEqual([before, [DAY + 1]]);
      await fixture.ledger.publish(await fixture.ledger.begin(PROJECT, [DAY + 1], fence(8)), full(DAY + 1));
      await fixture.ledger.publish(await fixture.ledger.begin(OTHER, []), full(DAY));
      expect(await stale()).toEqual([]);
    });

    it("with different leases do not fence each other off", async () => {
      const run = await fixture.ledger.begin(PROJECT, [], fence(7));
      await fixture.other.publish(await fixture.other.begin(OTHER, [], fence(8, "other")), full(DAY));
      await fixture.ledger.publish(run, full(DAY));
      expect(await published()).toEqual([{ day: DAY, version: run.version }]);
      await isFenced(fixture.other.begin(OTHER, [], fence(7, "other")));
    });

    it("list the versions that were published some time ago", async () => {
      const version = await rollUp([DAY]);
      await rollUp([DAY], OTHER);
      const run = await fixture.ledger.begin(PROJECT, []);
      await fixture.ledger.publish(run, [{ day: DAY + 1, isEmpty: true }]);
      const days = [DAY - 1, DAY, DAY + 1];
      expect(await fixture.other.versionsBefore(PROJECT, days, 3_600_000)).toEqual([]);
      const old = [...(await fixture.other.versionsBefore(PROJECT, days, 0))].sort((a, b) => a.day - b.day);
      expect(old).toEqual([
        { day: DAY, version },
        { day: DAY + 1, version: run.version },
      ]);
    });
  });
}
