import { describe, expect, it } from "vitest";
import { DAY, full, type LedgerFixture, OTHER, PROJECT } from "./ledger-fixture.js";

export function describeStaleDays(fixture: LedgerFixture): void {
  const { change, rollUp, stale, published } = fixture;

  describe("stale days", () => {
    it("are the days of each project with changes that no rollup has seen, newest first", async () => {
      expect(await fixture.other.isEmpty()).toBe(true);
      const began = Date.now();
      await change([DAY, DAY + 2, DAY + 1]);
      await change([DAY + 1, DAY - 5]);
      await change([DAY], OTHER);
      expect(await fixture.other.isEmpty()).toBe(false);
      expect(await stale()).toEqual([DAY + 2, DAY + 1, DAY, DAY - 5]);
      expect(await fixture.other.staleDays({ project: PROJECT, before: DAY + 1, limit: 1 })).toEqual([DAY]);
      const projects = [...(await fixture.other.staleProjects())].sort((a, b) => a.days - b.days);
      expect(projects).toMatchObject([
        { project: OTHER, days: 1 },
        { project: PROJECT, days: 4 },
      ]);
      for (const { since } of projects) {
        expect(since).toBeGreaterThan(began - 60_000);
        expect(since).toBeLessThan(Date.now() + 60_000);
      }
      await rollUp([DAY + 1, DAY]);
      expect(await stale()).toEqual([DAY + 2, DAY - 5]);
      expect(await stale(OTHER)).toEqual([DAY]);
    });

    it("are due from their listing at the earliest", async () => {
      await change([DAY - 1, DAY, DAY + 1]);
      const since = Date.now() + 3_600_000;
      const listed = { until: DAY, since };
      expect(await fixture.other.staleDays({ project: PROJECT, listed, limit: 9 })).toEqual([DAY, DAY - 1]);
      const [project] = await fixture.other.staleProjects(listed);
      expect(project).toMatchObject({ project: PROJECT, days: 2 });
      expect(project?.since).toBeLessThan(since);
      await rollUp([DAY - 1]);
      expect(await fixture.other.staleProjects(listed)).toEqual([{ project: PROJECT, days: 1, since }]);
      expect(await fixture.other.staleProjects({ until: DAY - 1, since: 0 })).toEqual([]);
    });

    it("stay stale if they change while a run rolls them up", async () => {
      await change([DAY, DAY + 1]);
      const run = await fixture.ledger.begin(PROJECT, [DAY, DAY + 1]);
      expect([...run.days].map(([day, { events }]) => [day, events])).toEqual([
        [DAY, 1],
        [DAY + 1, 1],
      ]);
      await change([DAY]);
      await fixture.ledger.publish(run, full(DAY, DAY + 1));
      expect(await stale()).toEqual([DAY]);
      const [project] = await fixture.other.staleProjects();
      expect(project?.since).toBeGreaterThanOrEqual(run.beganAt);
      await rollUp([DAY]);
      expect(await stale()).toEqual([]);
    });

    it("stay stale if entries without a rollup are published", async () => {
      await change([DAY]);
      await fixture.ledger.publish(await fixture.ledger.begin(PROJECT, []), full(DAY));
      expect(await stale()).toEqual([DAY]);
      expect(await published()).toHaveLength(1);
    });

    it("count their events until a rollup has seen them", async () => {
      await change([DAY, DAY + 1], PROJECT, 7);
      await change([DAY], OTHER, 5);
      const run = await fixture.ledger.begin(PROJECT, [DAY]);
      await change([DAY], PROJECT, 2);
      expect(await fixture.other.figures()).toMatchObject({
        waitingEvents: 21,
        waitingDays: 3,
        sealedDays: 0,
      });
      await fixture.ledger.publish(run, full(DAY));
      expect(await fixture.other.figures()).toMatchObject({ waitingEvents: 14, waitingDays: 3 });
      await rollUp([DAY, DAY + 1]);
      await rollUp([DAY], OTHER);
      const done = { waitingEvents: 0, waitingDays: 0, waitingSince: undefined, sealedDays: 0 };
      expect(await fixture.other.figures()).toEqual(done);
      await fixture.ledger.seal(DAY);
      expect(await fixture.other.figures()).toEqual({ ...done, sealedDays: 2 });
    });

    it("count each of many concurrent changes", async () => {
      const ledgers = Array.from({ length: 4 }, () => fixture.open());
      await Promise.all(
        Array.from({ length: 40 }, async (_, i) => {
          const each = ledgers[i % ledgers.length] ?? fixture.ledger;
          const days = [DAY, DAY + 1, DAY + 2].sort(() => (i % 2) - 0.5);
          const changes = days.map((day) => ({ project: PROJECT, day, events: 1 }));
          await each.markStale(await each.admit(), changes);
        }),
      );
      const { days } = await fixture.ledger.begin(PROJECT, [DAY, DAY + 1, DAY + 2]);
      expect([...days.values()].map(({ events }) => events)).toEqual([40, 40, 40]);
    });
  });
}
