import { describe, expect, it } from "vitest";
import type { Day } from "../../../model/day.js";
import type { Admission } from "../../day-ledger.js";
import { DAY, full, isRejected, type LedgerFixture, OTHER, PROJECT, until } from "./ledger-fixture.js";

export function describeSealedDays(fixture: LedgerFixture): void {
  const { change, rollUp, stale, published } = fixture;

  describe("sealed days", () => {
    it("are reported to later appends, and stay sealed", async () => {
      expect((await fixture.ledger.admit()).sealedUntil).toBeUndefined();
      await fixture.restart({ admissionMs: 50 });
      await fixture.ledger.seal(DAY);
      await fixture.other.seal(DAY - 10);
      expect((await fixture.other.admit()).sealedUntil).toBe(DAY);
    });

    it("wait for earlier admitted appends", async () => {
      const admissions: Admission[] = [await fixture.ledger.admit(), await fixture.other.admit()];
      let isSealed = false;
      const sealing = fixture.ledger.seal(DAY).then(() => {
        isSealed = true;
      });
      await fixture.ledger.markStale(admissions[0] as Admission, [{ project: PROJECT, day: DAY, events: 1 }]);
      // Excludes later appends, while the earlier one keeps the days from being settled.
      await until(async () => {
        const later = await fixture.other.admit();
        await fixture.other.markStale(later, []);
        return later.sealedUntil === DAY;
      });
      const { days } = await fixture.ledger.begin(PROJECT, [DAY - 1, DAY]);
      expect([...days.keys()]).toEqual([DAY - 1, DAY]);
      expect([isSealed, await fixture.other.closeDays(PROJECT, [DAY])]).toEqual([false, []]);
      await fixture.other.markStale(admissions[1] as Admission, [{ project: PROJECT, day: DAY, events: 1 }]);
      await sealing;
      expect(await stale()).toEqual([DAY]);
    });

    it("do not wait for appends of dead processes, and reject them later", async () => {
      await fixture.restart({ admissionMs: 50 });
      const admission = await fixture.ledger.admit();
      await fixture.ledger.seal(DAY);
      await isRejected(fixture.other.markStale(admission, [{ project: PROJECT, day: DAY, events: 1 }]));
      expect(await stale()).toEqual([]);
    });

    it("are skipped by rollups once they are settled", async () => {
      await change([DAY - 1, DAY, DAY + 1]);
      await rollUp([DAY, DAY + 1]);
      await fixture.ledger.seal(DAY);
      const { days } = await fixture.other.begin(PROJECT, [DAY - 2, DAY - 1, DAY, DAY + 1]);
      expect([...days.keys()]).toEqual([DAY - 1, DAY + 1]);
    });
  });

  describe("expired days", () => {
    const expired = (entriesUntil?: Day, after?: Day) =>
      fixture.other.expiredDays({ project: PROJECT, entriesUntil, after, limit: 3 });

    it("are settled days with states or expired entries, oldest first", async () => {
      const days = [DAY - 3, DAY - 2, DAY - 1, DAY, DAY + 1];
      await change(days);
      await change([DAY], OTHER);
      await rollUp(days.filter((day) => day !== DAY - 1));
      await fixture.ledger.publish(await fixture.ledger.begin(PROJECT, []), full(DAY - 9, DAY - 8));
      expect(await fixture.other.expiredProjects()).toEqual([]);
      await fixture.ledger.seal(DAY);
      expect(await fixture.other.expiredProjects()).toEqual([{ project: PROJECT, days: 3, oldest: DAY - 3 }]);
      expect(await fixture.other.expiredProjects(DAY - 9)).toEqual([
        { project: PROJECT, days: 4, oldest: DAY - 9 },
      ]);
      expect(await expired()).toEqual([DAY - 3, DAY - 2, DAY]);
      expect(await expired(DAY)).toEqual([DAY - 9, DAY - 8, DAY - 3]);
      expect(await expired(DAY, DAY - 8)).toEqual([DAY - 3, DAY - 2, DAY]);
      expect(await expired(DAY, DAY)).toEqual([]);
    });

    it("are done once their states are removed and they are published without entries", async () => {
      await change([DAY - 1, DAY]);
      await rollUp([DAY - 1, DAY]);
      await fixture.ledger.forgetStates(PROJECT, [DAY]);
      await fixture.ledger.seal(DAY);
      expect(await expired()).toEqual([DAY - 1, DAY]);
      expect(await fixture.ledger.closeDays(PROJECT, [DAY, DAY + 1])).toEqual([DAY]);
      await fixture.ledger.forgetStates(PROJECT, [DAY - 1, DAY]);
      expect(await expired()).toEqual([DAY - 1]);
      const run = await fixture.ledger.begin(PROJECT, []);
      await fixture.ledger.publish(run, [{ day: DAY, isEmpty: true }]);
      expect(await expired(DAY)).toEqual([DAY - 1]);
      expect(await fixture.other.isEmpty()).toBe(false);
    });

    it("keep their entries if a rollup ends after their states were removed", async () => {
      await change([DAY]);
      const version = await rollUp([DAY]);
      const late = await fixture.other.begin(PROJECT, [DAY]);
      await fixture.ledger.seal(DAY);
      expect(await fixture.ledger.closeDays(PROJECT, [DAY])).toEqual([DAY]);
      expect(await fixture.ledger.closeDays(PROJECT, [DAY])).toEqual([DAY]);
      await fixture.other.publish(late, [{ day: DAY, isEmpty: true }]);
      expect(await published()).toEqual([{ day: DAY, version }]);
    });

    it("can be neither closed nor removed while they are stale or not sealed", async () => {
      await change([DAY, DAY + 1]);
      await rollUp([DAY + 1]);
      await fixture.ledger.seal(DAY);
      expect(await fixture.ledger.closeDays(PROJECT, [DAY, DAY + 1])).toEqual([]);
      await fixture.ledger.forgetStates(PROJECT, [DAY, DAY + 1]);
      await rollUp([DAY]);
      expect(await expired()).toEqual([DAY]);
    });
  });
}
