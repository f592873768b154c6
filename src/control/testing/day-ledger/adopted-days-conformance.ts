import { describe, expect, it } from "vitest";
import type { Day } from "../../../model/day.js";
import type { FormerDay } from "../../day-ledger.js";
import { DAY, type LedgerFixture, PROJECT } from "./ledger-fixture.js";

export function describeAdoptedDays(fixture: LedgerFixture): void {
  const { change, rollUp, stale, published } = fixture;

  describe("days that are adopted from another store", () => {
    const former = (day: Day, over: Partial<FormerDay> = {}): FormerDay => ({
      day,
      isRolledUp: true,
      states: 3,
      waitingEvents: 0,
      waitingSince: 0,
      isEmpty: false,
      ...over,
    });

    it("are published, and stale since their oldest waiting event", async () => {
      const run = await fixture.ledger.begin(PROJECT, []);
      const since = Date.now() - 100_000;
      await fixture.ledger.takeOver(run, [
        former(DAY - 4, { isRolledUp: false, states: 0 }),
        former(DAY - 3),
        former(DAY - 2, { isEmpty: true }),
        former(DAY - 1, { waitingEvents: 2, waitingSince: since + 5 }),
        former(DAY, { isRolledUp: false, states: 0, waitingEvents: 5, waitingSince: since, isEmpty: true }),
      ]);
      const days = [DAY - 1, DAY - 3, DAY - 4];
      expect(await published()).toEqual(days.map((day) => ({ day, version: run.version })));
      expect(await fixture.other.versionsBefore(PROJECT, [DAY - 2, DAY + 1], 0)).toHaveLength(1);
      expect(await stale()).toEqual([DAY, DAY - 1]);
      expect(await fixture.other.staleProjects()).toEqual([{ project: PROJECT, days: 2, since }]);
      expect(await fixture.other.figures()).toMatchObject({
        waitingEvents: 7,
        waitingDays: 2,
        waitingSince: since,
      });
      expect(await fixture.other.isEmpty()).toBe(false);
      await rollUp([DAY, DAY - 1]);
      expect([await stale(), (await fixture.other.figures()).waitingEvents]).toEqual([[], 0]);
      await change([DAY - 4, DAY - 3]);
      expect(await stale()).toEqual([DAY - 3, DAY - 4]);
    });

    it("do not count as events if they have only entries", async () => {
      const entries = former(DAY, { isRolledUp: false, states: 0 });
      await fixture.ledger.takeOver(await fixture.ledger.begin(PROJECT, []), [entries]);
      expect([await fixture.other.isEmpty(), (await published()).length]).toEqual([true, 1]);
    });

    it("expire with their states once they are sealed", async () => {
      const days = [former(DAY - 2), former(DAY - 1, { states: 0 }), former(DAY, { waitingEvents: 1 })];
      await fixture.ledger.takeOver(await fixture.ledger.begin(PROJECT, []), days);
      await fixture.ledger.seal(DAY);
      const expired = (entriesUntil?: Day) =>
        fixture.other.expiredDays({ project: PROJECT, entriesUntil, limit: 9 });
      expect([await expired(), await expired(DAY)]).toEqual([[DAY - 2], [DAY - 2, DAY - 1]]);
      const { days: open } = await fixture.ledger.begin(PROJECT, [DAY - 2, DAY - 1, DAY]);
      expect([...open.keys()]).toEqual([DAY]);
      expect((await fixture.other.figures()).sealedDays).toBe(3);
    });

    it("do not replace known days, and are adopted once", async () => {
      await change([DAY]);
      const run = await fixture.ledger.begin(PROJECT, []);
      for (let attempt = 0; attempt < 2; attempt++) {
        await fixture.ledger.takeOver(run, [former(DAY), former(DAY + 1, { waitingEvents: 1 })]);
      }
      expect(await published()).toEqual([{ day: DAY + 1, version: run.version }]);
      expect(await stale()).toEqual([DAY + 1, DAY]);
      await rollUp([DAY, DAY + 1]);
      await fixture.ledger.takeOver(run, [
        former(DAY, { waitingEvents: 1 }),
        former(DAY + 1, { isEmpty: true }),
      ]);
      expect([await stale(), (await published()).length]).toEqual([[], 2]);
    });

    it("get a new version for readers", async () => {
      const before = await fixture.other.version(PROJECT, DAY);
      await fixture.ledger.takeOver(await fixture.ledger.begin(PROJECT, []), [former(DAY)]);
      expect(await fixture.other.version(PROJECT, DAY)).not.toBe(before);
    });
  });
}
