import { describe, expect, it } from "vitest";
import { LAST_DAY } from "../../../model/day.js";
import { DAY, full, type LedgerFixture, OTHER, PROJECT } from "./ledger-fixture.js";

export function describeErasedProjects(fixture: LedgerFixture): void {
  const { change, rollUp, stale, published } = fixture;

  describe("an erased project", () => {
    const LIMITS = { maxApps: 1, maxLabels: 1 };
    const admit = (name: string, project = PROJECT) => {
      const names = new Map([[name, DAY]]);
      return fixture.other.admitNames(project, { apps: names, labels: names }, LIMITS);
    };
    const erase = async (): Promise<number> => {
      for (let steps = 1; ; steps++) if (await fixture.ledger.erase(PROJECT)) return steps;
    };
    const stateOf = async (project: string) => [
      await stale(project),
      await published(LAST_DAY, project),
      await fixture.other.expiredDays({ project, entriesUntil: LAST_DAY, limit: 9 }),
      await admit("b", project),
    ];
    const fill = async (project: string): Promise<void> => {
      await change([DAY - 1, DAY, DAY + 1], project);
      await rollUp([DAY - 1, DAY], project);
      await admit("a", project);
    };

    it("has no days and names, while other projects keep theirs", async () => {
      for (const project of [PROJECT, OTHER]) await fill(project);
      await fixture.ledger.seal(DAY - 1);
      const before = await stateOf(OTHER);
      expect(before).toEqual([
        [DAY + 1],
        [expect.anything(), expect.anything()],
        [DAY - 1],
        expect.anything(),
      ]);
      expect(await erase()).toBeGreaterThan(1);
      fixture.reopenOther();
      expect(await stateOf(PROJECT)).toEqual([[], [], [], undefined]);
      expect(await stateOf(OTHER)).toEqual(before);
      expect(await fixture.other.figures()).toMatchObject({ waitingDays: 1, sealedDays: 1 });
      expect((await fixture.ledger.admit()).sealedUntil).toBe(DAY - 1);
    });

    it("has another version in all processes, also before the first day", async () => {
      await fill(PROJECT);
      const versions = () =>
        Promise.all(
          [fixture.ledger, fixture.other].flatMap((each) =>
            [DAY - 9, DAY].map((day) => each.version(PROJECT, day)),
          ),
        );
      const before = await versions();
      await erase();
      for (const [index, version] of (await versions()).entries()) expect(version).not.toBe(before[index]);
    });

    it("can be erased again after an append or a rollup that was in progress", async () => {
      await fill(PROJECT);
      const run = await fixture.other.begin(PROJECT, [DAY + 1]);
      const admission = await fixture.other.admit();
      await erase();
      await fixture.other.markStale(admission, [{ project: PROJECT, day: DAY, events: 1 }]);
      await fixture.other.publish(run, full(DAY + 1));
      expect([await stale(), (await published()).length]).toEqual([[DAY], 1]);
      expect(await erase()).toBe(2);
      expect([await stale(), await fixture.other.isEmpty()]).toEqual([[], true]);
      expect(await erase()).toBe(1);
    });

    it("can have new days", async () => {
      await fill(PROJECT);
      await erase();
      await change([DAY]);
      const version = await rollUp([DAY]);
      expect(await fixture.open().published(PROJECT, LAST_DAY)).toEqual([{ day: DAY, version }]);
    });
  });
}
