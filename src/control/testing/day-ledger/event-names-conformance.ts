import { describe, expect, it } from "vitest";
import type { Day } from "../../../model/day.js";
import { DAY, type LedgerFixture, OTHER, PROJECT } from "./ledger-fixture.js";

export function describeEventNames(fixture: LedgerFixture): void {
  const { change, rollUp } = fixture;

  describe("names of events", () => {
    const LIMITS = { maxApps: 2, maxLabels: 3 };
    const dated = (names: readonly string[], day: Day) => new Map(names.map((name) => [name, day]));
    const admit = (apps: readonly string[], labels: readonly string[], day = DAY, project = PROJECT) =>
      fixture.ledger.admitNames(project, { apps: dated(apps, day), labels: dated(labels, day) }, LIMITS);

    it("are counted per project across processes, all or none", async () => {
      expect(await admit(["app"], ["b", "a"])).toBeUndefined();
      const names = { apps: dated(["app"], DAY), labels: dated(["c", "z", "y"], DAY) };
      expect(await fixture.other.admitNames(PROJECT, names, LIMITS)).toEqual({
        apps: [],
        labels: ["z", "y"],
      });
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
      expect(await fixture.ledger.admitNames(PROJECT, names, limits)).toEqual({ apps: [], labels: ["d"] });
      names.labels.delete("d");
      expect(await fixture.ledger.admitNames(PROJECT, names, limits)).toBeUndefined();
    });

    it("count until their last day is sealed and has no data", async () => {
      await admit(["app"], ["a", "b", "c"]);
      await admit(["app"], ["b"], DAY + 1);
      await admit(["app"], ["a"], DAY - 1);
      await change([DAY]);
      await rollUp([DAY]);
      const excess = { apps: [], labels: ["d"] };
      await fixture.ledger.seal(DAY);
      expect(await admit([], ["d"], DAY + 1)).toEqual(excess);
      await fixture.ledger.forgetStates(PROJECT, await fixture.ledger.closeDays(PROJECT, [DAY]));
      expect(await admit([], ["d"], DAY + 1)).toEqual(excess);
      await fixture.ledger.publish(await fixture.ledger.begin(PROJECT, []), [{ day: DAY, isEmpty: true }]);
      expect(await admit([], ["d", "e", "f"], DAY + 1)).toEqual({ apps: [], labels: ["f"] });
      expect(await admit([], ["d", "e"], DAY + 1)).toBeUndefined();
      expect(await admit([], ["a"], DAY + 1)).toEqual({ apps: [], labels: ["a"] });
    });

    it("count for open days even before there are events", async () => {
      await admit([], ["a", "b", "c"]);
      await fixture.ledger.seal(DAY - 1);
      expect(await admit([], ["d"])).toEqual({ apps: [], labels: ["d"] });
    });
  });
}
