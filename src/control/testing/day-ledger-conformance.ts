import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Day, LAST_DAY } from "../../model/day.js";
import { FencedError, StoreUnavailableError } from "../../model/store-error.js";
import type { Admission, DayLedger, FormerDay } from "../day-ledger.js";

const PROJECT = "123456789012";
const OTHER = "42";
const DAY: Day = 20_000;

/** A ledger under test. */
export interface LedgerUnderTest {
  /** Opens the ledger as another process would. It sees publications of others without delay. */
  open(): DayLedger;
  /** Removes everything. */
  dispose(): Promise<void>;
}

/** Tests of ledgers, for any implementation. */
export function describeDayLedger(
  name: string,
  setUp: (options?: { readonly admissionMs: number }) => Promise<LedgerUnderTest>,
): void {
  describe(name, () => {
    let subject: LedgerUnderTest;
    let ledger: DayLedger;
    /** The same ledger in another process. */
    let other: DayLedger;
    const open = async (...options: Parameters<typeof setUp>) => {
      subject = await setUp(...options);
      ledger = subject.open();
      other = subject.open();
    };
    beforeEach(() => open());
    afterEach(() => subject.dispose());

    const change = async (days: readonly Day[], project = PROJECT, events = 1) =>
      ledger.markStale(
        await ledger.admit(),
        days.map((day) => ({ project, day, events })),
      );
    const full = (...days: readonly Day[]) => days.map((day) => ({ day, isEmpty: false }));
    const rollUp = async (days: readonly Day[], project = PROJECT) => {
      const run = await ledger.begin(project, days);
      await ledger.publish(run, full(...days));
      return run.version;
    };
    const stale = (project = PROJECT) => other.staleDays({ project, limit: 100 });
    const published = (until = LAST_DAY, project = PROJECT) => other.published(project, until);
    const fence = (number: number, lease = "work") => ({ lease, number });
    const isFenced = (work: Promise<unknown>) => expect(work).rejects.toBeInstanceOf(FencedError);
    const isRefused = (work: Promise<unknown>) => expect(work).rejects.toBeInstanceOf(StoreUnavailableError);

    describe("stale days", () => {
      it("are the days of each project with changes that no rollup has seen, newest first", async () => {
        expect(await other.isEmpty()).toBe(true);
        const began = Date.now();
        await change([DAY, DAY + 2, DAY + 1]);
        await change([DAY + 1, DAY - 5]);
        await change([DAY], OTHER);
        expect(await other.isEmpty()).toBe(false);
        expect(await stale()).toEqual([DAY + 2, DAY + 1, DAY, DAY - 5]);
        expect(await other.staleDays({ project: PROJECT, before: DAY + 1, limit: 1 })).toEqual([DAY]);
        const projects = [...(await other.staleProjects())].sort((a, b) => a.days - b.days);
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
        expect(await other.staleDays({ project: PROJECT, listed, limit: 9 })).toEqual([DAY, DAY - 1]);
        const [project] = await other.staleProjects(listed);
        expect(project).toMatchObject({ project: PROJECT, days: 2 });
        expect(project?.since).toBeLessThan(since);
        await rollUp([DAY - 1]);
        expect(await other.staleProjects(listed)).toEqual([{ project: PROJECT, days: 1, since }]);
        expect(await other.staleProjects({ until: DAY - 1, since: 0 })).toEqual([]);
      });

      it("stay stale if they change while a run rolls them up", async () => {
        await change([DAY, DAY + 1]);
        const run = await ledger.begin(PROJECT, [DAY, DAY + 1]);
        expect([...run.days].map(([day, { events }]) => [day, events])).toEqual([
          [DAY, 1],
          [DAY + 1, 1],
        ]);
        await change([DAY]);
        await ledger.publish(run, full(DAY, DAY + 1));
        expect(await stale()).toEqual([DAY]);
        const [project] = await other.staleProjects();
        expect(project?.since).toBeGreaterThanOrEqual(run.beganAt);
        await rollUp([DAY]);
        expect(await stale()).toEqual([]);
      });

      it("stay stale if entries without a rollup are published", async () => {
        await change([DAY]);
        await ledger.publish(await ledger.begin(PROJECT, []), full(DAY));
        expect(await stale()).toEqual([DAY]);
        expect(await published()).toHaveLength(1);
      });

      it("count their events until a rollup has seen them", async () => {
        await change([DAY, DAY + 1], PROJECT, 7);
        await change([DAY], OTHER, 5);
        const run = await ledger.begin(PROJECT, [DAY]);
        await change([DAY], PROJECT, 2);
        expect(await other.figures()).toMatchObject({ waitingEvents: 21, waitingDays: 3, sealedDays: 0 });
        await ledger.publish(run, full(DAY));
        expect(await other.figures()).toMatchObject({ waitingEvents: 14, waitingDays: 3 });
        await rollUp([DAY, DAY + 1]);
        await rollUp([DAY], OTHER);
        const done = { waitingEvents: 0, waitingDays: 0, waitingSince: undefined, sealedDays: 0 };
        expect(await other.figures()).toEqual(done);
        await ledger.seal(DAY);
        expect(await other.figures()).toEqual({ ...done, sealedDays: 2 });
      });

      it("count each of many concurrent changes", async () => {
        const ledgers = Array.from({ length: 4 }, () => subject.open());
        await Promise.all(
          Array.from({ length: 40 }, async (_, i) => {
            const each = ledgers[i % ledgers.length] ?? ledger;
            const days = [DAY, DAY + 1, DAY + 2].sort(() => (i % 2) - 0.5);
            const changes = days.map((day) => ({ project: PROJECT, day, events: 1 }));
            await each.markStale(await each.admit(), changes);
          }),
        );
        const { days } = await ledger.begin(PROJECT, [DAY, DAY + 1, DAY + 2]);
        expect([...days.values()].map(({ events }) => events)).toEqual([40, 40, 40]);
      });
    });

    describe("names of events", () => {
      const LIMITS = { maxApps: 2, maxLabels: 3 };
      const dated = (names: readonly string[], day: Day) => new Map(names.map((name) => [name, day]));
      const admit = (apps: readonly string[], labels: readonly string[], day = DAY, project = PROJECT) =>
        ledger.admitNames(project, { apps: dated(apps, day), labels: dated(labels, day) }, LIMITS);

      it("are counted per project across processes, all or none", async () => {
        expect(await admit(["app"], ["b", "a"])).toBeUndefined();
        const names = { apps: dated(["app"], DAY), labels: dated(["c", "z", "y"], DAY) };
        expect(await other.admitNames(PROJECT, names, LIMITS)).toEqual({ apps: [], labels: ["z", "y"] });
        expect(await admit(["x", "y", "app"], ["c"])).toEqual({ apps: ["y"], labels: [] });
        expect(await admit(["x"], ["c", "a"])).toBeUndefined();
        expect(await admit(["x"], ["c", "a"], DAY, OTHER)).toBeUndefined();
        const both = { apps: ["z"], labels: ["d"] };
        expect(await admit(both.apps, both.labels)).toEqual(both);
      });

      it("are admitted beyond lowered limits if they are known", async () => {
        await admit(["app"], ["a", "b", "c"]);
        const names = { apps: dated(["app"], DAY + 1), labels: dated(["c", "d"], DAY + 1) };
        const limits = { maxApps: 1, maxLabels: 1 };
        expect(await ledger.admitNames(PROJECT, names, limits)).toEqual({ apps: [], labels: ["d"] });
        names.labels.delete("d");
        expect(await ledger.admitNames(PROJECT, names, limits)).toBeUndefined();
      });

      it("count until their last day is sealed and has no data", async () => {
        await admit(["app"], ["a", "b", "c"]);
        await admit(["app"], ["b"], DAY + 1);
        await admit(["app"], ["a"], DAY - 1);
        await change([DAY]);
        await rollUp([DAY]);
        const excess = { apps: [], labels: ["d"] };
        await ledger.seal(DAY);
        expect(await admit([], ["d"], DAY + 1)).toEqual(excess);
        await ledger.forgetStates(PROJECT, await ledger.closeDays(PROJECT, [DAY]));
        expect(await admit([], ["d"], DAY + 1)).toEqual(excess);
        await ledger.publish(await ledger.begin(PROJECT, []), [{ day: DAY, isEmpty: true }]);
        expect(await admit([], ["d", "e", "f"], DAY + 1)).toEqual({ apps: [], labels: ["f"] });
        expect(await admit([], ["d", "e"], DAY + 1)).toBeUndefined();
        expect(await admit([], ["a"], DAY + 1)).toEqual({ apps: [], labels: ["a"] });
      });

      it("count for open days even before there are events", async () => {
        await admit([], ["a", "b", "c"]);
        await ledger.seal(DAY - 1);
        expect(await admit([], ["d"])).toEqual({ apps: [], labels: ["d"] });
      });
    });

    describe("publications of days", () => {
      it("show the latest version of each day that has entries, newest first", async () => {
        expect(await published()).toEqual([]);
        const first = await rollUp([DAY, DAY + 1, DAY - 1]);
        const second = await rollUp([DAY]);
        expect(second).toBeGreaterThan(first);
        await rollUp([DAY], OTHER);
        const run = await ledger.begin(PROJECT, [DAY - 1]);
        await ledger.publish(run, [{ day: DAY - 1, isEmpty: true }]);
        for (const each of [ledger, other, subject.open()]) {
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
        let before = await versions(ledger);
        for (const { days, isEmpty, changed } of steps) {
          const run = await ledger.begin(PROJECT, days);
          await ledger.publish(
            run,
            days.map((day) => ({ day, isEmpty })),
          );
          const after = await versions(ledger);
          expect(after.map((version, i) => version !== before[i])).toEqual(changed);
          expect(await versions(other)).toEqual(after);
          expect(seen).not.toContain(after[2]);
          seen.add(after[2] ?? "");
          before = after;
        }
        expect(await versions(subject.open())).toEqual(before);
      });

      it("do not replace a later run's publications, and can be repeated", async () => {
        await change([DAY, DAY + 1]);
        const slow = await ledger.begin(PROJECT, [DAY, DAY + 1]);
        await change([DAY]);
        const later = await other.begin(PROJECT, [DAY]);
        await other.publish(later, full(DAY));
        for (let i = 0; i < 2; i++) await ledger.publish(slow, full(DAY, DAY + 1));
        expect(await published()).toEqual([
          { day: DAY + 1, version: slow.version },
          { day: DAY, version: later.version },
        ]);
        expect(await stale()).toEqual([]);
      });

      it("are rejected together if their holder has lost its lease", async () => {
        await change([DAY, DAY + 1]);
        const slept = await ledger.begin(PROJECT, [DAY, DAY + 1], fence(7));
        await other.publish(await other.begin(PROJECT, [DAY], fence(8)), full(DAY));
        const before = await published();
        await isFenced(ledger.publish(slept, full(DAY, DAY + 1)));
        await isFenced(ledger.begin(PROJECT, [DAY + 1], fence(7)));
        expect([await published(), await stale()]).toEqual([before, [DAY + 1]]);
        await ledger.publish(await ledger.begin(PROJECT, [DAY + 1], fence(8)), full(DAY + 1));
        await ledger.publish(await ledger.begin(OTHER, []), full(DAY));
        expect(await stale()).toEqual([]);
      });

      it("with different leases do not fence each other off", async () => {
        const run = await ledger.begin(PROJECT, [], fence(7));
        await other.publish(await other.begin(OTHER, [], fence(8, "other")), full(DAY));
        await ledger.publish(run, full(DAY));
        expect(await published()).toEqual([{ day: DAY, version: run.version }]);
        await isFenced(other.begin(OTHER, [], fence(7, "other")));
      });

      it("list the versions that were published some time ago", async () => {
        const version = await rollUp([DAY]);
        await rollUp([DAY], OTHER);
        const run = await ledger.begin(PROJECT, []);
        await ledger.publish(run, [{ day: DAY + 1, isEmpty: true }]);
        const days = [DAY - 1, DAY, DAY + 1];
        expect(await other.versionsBefore(PROJECT, days, 3_600_000)).toEqual([]);
        const old = [...(await other.versionsBefore(PROJECT, days, 0))].sort((a, b) => a.day - b.day);
        expect(old).toEqual([
          { day: DAY, version },
          { day: DAY + 1, version: run.version },
        ]);
      });
    });

    describe("sealed days", () => {
      it("are reported to later appends, and stay sealed", async () => {
        expect((await ledger.admit()).sealedUntil).toBeUndefined();
        await subject.dispose();
        await open({ admissionMs: 50 });
        await ledger.seal(DAY);
        await other.seal(DAY - 10);
        expect((await other.admit()).sealedUntil).toBe(DAY);
      });

      it("wait for earlier admitted appends", async () => {
        const admissions: Admission[] = [await ledger.admit(), await other.admit()];
        let isSealed = false;
        const sealing = ledger.seal(DAY).then(() => {
          isSealed = true;
        });
        await ledger.markStale(admissions[0] as Admission, [{ project: PROJECT, day: DAY, events: 1 }]);
        // Excludes later appends, while the earlier one keeps the days from being settled.
        await until(async () => {
          const later = await other.admit();
          await other.markStale(later, []);
          return later.sealedUntil === DAY;
        });
        const { days } = await ledger.begin(PROJECT, [DAY - 1, DAY]);
        expect([...days.keys()]).toEqual([DAY - 1, DAY]);
        expect([isSealed, await other.closeDays(PROJECT, [DAY])]).toEqual([false, []]);
        await other.markStale(admissions[1] as Admission, [{ project: PROJECT, day: DAY, events: 1 }]);
        await sealing;
        expect(await stale()).toEqual([DAY]);
      });

      it("do not wait for appends of dead processes, and reject them later", async () => {
        await subject.dispose();
        await open({ admissionMs: 50 });
        const admission = await ledger.admit();
        await ledger.seal(DAY);
        await isRefused(other.markStale(admission, [{ project: PROJECT, day: DAY, events: 1 }]));
        expect(await stale()).toEqual([]);
      });

      it("are skipped by rollups once they are settled", async () => {
        await change([DAY - 1, DAY, DAY + 1]);
        await rollUp([DAY, DAY + 1]);
        await ledger.seal(DAY);
        const { days } = await other.begin(PROJECT, [DAY - 2, DAY - 1, DAY, DAY + 1]);
        expect([...days.keys()]).toEqual([DAY - 1, DAY + 1]);
      });
    });

    it("rejects a second end of an admission", async () => {
      const admission = await ledger.admit();
      await ledger.markStale(admission, []);
      await isRefused(ledger.markStale(admission, [{ project: PROJECT, day: DAY, events: 1 }]));
      expect([await stale(), await other.isEmpty()]).toEqual([[], true]);
    });

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
        const run = await ledger.begin(PROJECT, []);
        const since = Date.now() - 100_000;
        await ledger.takeOver(run, [
          former(DAY - 4, { isRolledUp: false, states: 0 }),
          former(DAY - 3),
          former(DAY - 2, { isEmpty: true }),
          former(DAY - 1, { waitingEvents: 2, waitingSince: since + 5 }),
          former(DAY, { isRolledUp: false, states: 0, waitingEvents: 5, waitingSince: since, isEmpty: true }),
        ]);
        const days = [DAY - 1, DAY - 3, DAY - 4];
        expect(await published()).toEqual(days.map((day) => ({ day, version: run.version })));
        expect(await other.versionsBefore(PROJECT, [DAY - 2, DAY + 1], 0)).toHaveLength(1);
        expect(await stale()).toEqual([DAY, DAY - 1]);
        expect(await other.staleProjects()).toEqual([{ project: PROJECT, days: 2, since }]);
        expect(await other.figures()).toMatchObject({
          waitingEvents: 7,
          waitingDays: 2,
          waitingSince: since,
        });
        expect(await other.isEmpty()).toBe(false);
        await rollUp([DAY, DAY - 1]);
        expect([await stale(), (await other.figures()).waitingEvents]).toEqual([[], 0]);
        await change([DAY - 4, DAY - 3]);
        expect(await stale()).toEqual([DAY - 3, DAY - 4]);
      });

      it("do not count as events if they have only entries", async () => {
        const entries = former(DAY, { isRolledUp: false, states: 0 });
        await ledger.takeOver(await ledger.begin(PROJECT, []), [entries]);
        expect([await other.isEmpty(), (await published()).length]).toEqual([true, 1]);
      });

      it("expire with their states once they are sealed", async () => {
        const days = [former(DAY - 2), former(DAY - 1, { states: 0 }), former(DAY, { waitingEvents: 1 })];
        await ledger.takeOver(await ledger.begin(PROJECT, []), days);
        await ledger.seal(DAY);
        const expired = (entriesUntil?: Day) =>
          other.expiredDays({ project: PROJECT, entriesUntil, limit: 9 });
        expect([await expired(), await expired(DAY)]).toEqual([[DAY - 2], [DAY - 2, DAY - 1]]);
        const { days: open } = await ledger.begin(PROJECT, [DAY - 2, DAY - 1, DAY]);
        expect([...open.keys()]).toEqual([DAY]);
        expect((await other.figures()).sealedDays).toBe(3);
      });

      it("do not replace known days, and are adopted once", async () => {
        await change([DAY]);
        const run = await ledger.begin(PROJECT, []);
        for (let attempt = 0; attempt < 2; attempt++) {
          await ledger.takeOver(run, [former(DAY), former(DAY + 1, { waitingEvents: 1 })]);
        }
        expect(await published()).toEqual([{ day: DAY + 1, version: run.version }]);
        expect(await stale()).toEqual([DAY + 1, DAY]);
        await rollUp([DAY, DAY + 1]);
        await ledger.takeOver(run, [former(DAY, { waitingEvents: 1 }), former(DAY + 1, { isEmpty: true })]);
        expect([await stale(), (await published()).length]).toEqual([[], 2]);
      });

      it("get a new version for readers", async () => {
        const before = await other.version(PROJECT, DAY);
        await ledger.takeOver(await ledger.begin(PROJECT, []), [former(DAY)]);
        expect(await other.version(PROJECT, DAY)).not.toBe(before);
      });
    });

    describe("an erased project", () => {
      const LIMITS = { maxApps: 1, maxLabels: 1 };
      const admit = (name: string, project = PROJECT) => {
        const names = new Map([[name, DAY]]);
        return other.admitNames(project, { apps: names, labels: names }, LIMITS);
      };
      const erase = async (): Promise<number> => {
        for (let steps = 1; ; steps++) if (await ledger.erase(PROJECT)) return steps;
      };
      const stateOf = async (project: string) => [
        await stale(project),
        await published(LAST_DAY, project),
        await other.expiredDays({ project, entriesUntil: LAST_DAY, limit: 9 }),
        await admit("b", project),
      ];
      const fill = async (project: string): Promise<void> => {
        await change([DAY - 1, DAY, DAY + 1], project);
        await rollUp([DAY - 1, DAY], project);
        await admit("a", project);
      };

      it("has no days and names, while other projects keep theirs", async () => {
        for (const project of [PROJECT, OTHER]) await fill(project);
        await ledger.seal(DAY - 1);
        const before = await stateOf(OTHER);
        expect(before).toEqual([
          [DAY + 1],
          [expect.anything(), expect.anything()],
          [DAY - 1],
          expect.anything(),
        ]);
        expect(await erase()).toBeGreaterThan(1);
        other = subject.open();
        expect(await stateOf(PROJECT)).toEqual([[], [], [], undefined]);
        expect(await stateOf(OTHER)).toEqual(before);
        expect(await other.figures()).toMatchObject({ waitingDays: 1, sealedDays: 1 });
        expect((await ledger.admit()).sealedUntil).toBe(DAY - 1);
      });

      it("has another version in all processes, also before the first day", async () => {
        await fill(PROJECT);
        const versions = () =>
          Promise.all(
            [ledger, other].flatMap((each) => [DAY - 9, DAY].map((day) => each.version(PROJECT, day))),
          );
        const before = await versions();
        await erase();
        for (const [index, version] of (await versions()).entries()) expect(version).not.toBe(before[index]);
      });

      it("can be erased again after an append or a rollup that was in progress", async () => {
        await fill(PROJECT);
        const run = await other.begin(PROJECT, [DAY + 1]);
        const admission = await other.admit();
        await erase();
        await other.markStale(admission, [{ project: PROJECT, day: DAY, events: 1 }]);
        await other.publish(run, full(DAY + 1));
        expect([await stale(), (await published()).length]).toEqual([[DAY], 1]);
        expect(await erase()).toBe(2);
        expect([await stale(), await other.isEmpty()]).toEqual([[], true]);
        expect(await erase()).toBe(1);
      });

      it("can have new days", async () => {
        await fill(PROJECT);
        await erase();
        await change([DAY]);
        const version = await rollUp([DAY]);
        expect(await subject.open().published(PROJECT, LAST_DAY)).toEqual([{ day: DAY, version }]);
      });
    });

    describe("expired days", () => {
      const expired = (entriesUntil?: Day, after?: Day) =>
        other.expiredDays({ project: PROJECT, entriesUntil, after, limit: 3 });

      it("are settled days with states or expired entries, oldest first", async () => {
        const days = [DAY - 3, DAY - 2, DAY - 1, DAY, DAY + 1];
        await change(days);
        await change([DAY], OTHER);
        await rollUp(days.filter((day) => day !== DAY - 1));
        await ledger.publish(await ledger.begin(PROJECT, []), full(DAY - 9, DAY - 8));
        expect(await other.expiredProjects()).toEqual([]);
        await ledger.seal(DAY);
        expect(await other.expiredProjects()).toEqual([{ project: PROJECT, days: 3, oldest: DAY - 3 }]);
        expect(await other.expiredProjects(DAY - 9)).toEqual([
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
        await ledger.forgetStates(PROJECT, [DAY]);
        await ledger.seal(DAY);
        expect(await expired()).toEqual([DAY - 1, DAY]);
        expect(await ledger.closeDays(PROJECT, [DAY, DAY + 1])).toEqual([DAY]);
        await ledger.forgetStates(PROJECT, [DAY - 1, DAY]);
        expect(await expired()).toEqual([DAY - 1]);
        const run = await ledger.begin(PROJECT, []);
        await ledger.publish(run, [{ day: DAY, isEmpty: true }]);
        expect(await expired(DAY)).toEqual([DAY - 1]);
        expect(await other.isEmpty()).toBe(false);
      });

      it("keep their entries if a rollup ends after their states were removed", async () => {
        await change([DAY]);
        const version = await rollUp([DAY]);
        const late = await other.begin(PROJECT, [DAY]);
        await ledger.seal(DAY);
        expect(await ledger.closeDays(PROJECT, [DAY])).toEqual([DAY]);
        expect(await ledger.closeDays(PROJECT, [DAY])).toEqual([DAY]);
        await other.publish(late, [{ day: DAY, isEmpty: true }]);
        expect(await published()).toEqual([{ day: DAY, version }]);
      });

      it("can be neither closed nor removed while they are stale or not sealed", async () => {
        await change([DAY, DAY + 1]);
        await rollUp([DAY + 1]);
        await ledger.seal(DAY);
        expect(await ledger.closeDays(PROJECT, [DAY, DAY + 1])).toEqual([]);
        await ledger.forgetStates(PROJECT, [DAY, DAY + 1]);
        await rollUp([DAY]);
        expect(await expired()).toEqual([DAY]);
      });
    });
  });
}

/** Waits for a condition that other calls will meet. */
async function until(condition: () => Promise<boolean>): Promise<void> {
  while (!(await condition())) await new Promise(setImmediate);
}
