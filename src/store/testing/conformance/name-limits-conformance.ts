import { describe, expect, it } from "vitest";
import type { Day } from "../../../model/day.js";
import type { EventNames, NameLimits } from "../../../model/names.js";
import { TooManyNamesError } from "../../../model/store-error.js";
import type { Store } from "../../store.js";
import { list } from "../list-entries.js";
import type { NaiveEvent } from "../naive-rollup.js";
import { accepted, blocksOf, OTHER_PROJECT, PROJECT, settle } from "../test-events.js";

const DAY: Day = Date.UTC(2026, 2, 5) / 86_400_000;
const LIMITS: NameLimits = { maxApps: 2, maxLabels: 3 };

/** Returns one message per label on a day. */
const labeled = (labels: readonly string[], day = DAY, appId = "app"): NaiveEvent[] =>
  labels.map((analyticsLabel) =>
    accepted({
      appId,
      analyticsLabel,
      messageId: `${analyticsLabel}-${day}`,
      eventTime: new Date(day * 86_400_000 + 72_000_000).toISOString(),
    }),
  );

/** Appends events. Returns the names that exceed a limit, if any. */
async function append(
  store: Store,
  events: readonly NaiveEvent[],
  project = PROJECT,
): Promise<EventNames | undefined> {
  try {
    await store.append(project, blocksOf(events));
    return undefined;
  } catch (error) {
    if (error instanceof TooManyNamesError) return error.excess;
    throw error;
  }
}

const labelsOf = async (store: Store): Promise<string[]> => {
  await settle(store);
  const entries = (await list(store, "app")) as { analyticsLabel?: string }[];
  return [...new Set(entries.map(({ analyticsLabel = "" }) => analyticsLabel))].sort();
};

/** Tests name limits for any engine. `reopen` closes the store and opens it with other limits. */
export function describeNameLimits(reopen: (limits: NameLimits) => Promise<Store>): void {
  describe("name limits", () => {
    it("reject events with too many labels as a whole, and list the excess labels in order", async () => {
      const store = await reopen(LIMITS);
      expect(await append(store, labeled(["c", "", "a"]))).toBeUndefined();
      expect(await append(store, labeled(["b", "a", "z", "y", "z"]))).toEqual({
        apps: [],
        labels: ["z", "y"],
      });
      expect(await labelsOf(store)).toEqual(["", "a", "c"]);
      expect(await append(store, labeled(["b", "a", "c", ""], DAY + 1))).toBeUndefined();
      expect(await append(store, labeled(["d"]))).toEqual({ apps: [], labels: ["d"] });
      expect(await labelsOf(store)).toEqual(["", "a", "b", "c"]);
    });

    it("reject events of too many apps, of any type, along with too many labels", async () => {
      const store = await reopen(LIMITS);
      const delivered = { ...accepted({ appId: "delivered" }), eventType: "DELIVERED" };
      expect(await append(store, [...labeled(["a", "b", "c"]), delivered])).toBeUndefined();
      expect(
        await append(store, [{ ...delivered, appId: "third" }, ...labeled(["d"], DAY, "fourth")]),
      ).toEqual({
        apps: ["third", "fourth"],
        labels: ["d"],
      });
    });

    it("apply to each project separately", async () => {
      const store = await reopen(LIMITS);
      expect(await append(store, labeled(["a", "b", "c"]))).toBeUndefined();
      expect(await append(store, labeled(["d", "e", "f"]), OTHER_PROJECT)).toBeUndefined();
    });

    it("apply to concurrent appends", async () => {
      const store = await reopen(LIMITS);
      const names = ["a", "b", "c", "d", "e", "f"];
      const outcomes = await Promise.all(names.map((name) => append(store, labeled([name]))));
      expect(outcomes.filter((excess) => excess === undefined)).toHaveLength(3);
      expect(await labelsOf(store)).toHaveLength(3);
    });

    it("apply after a restart, also with other limits", async () => {
      await append(await reopen(LIMITS), labeled(["a", "b", "c"]));
      const store = await reopen({ ...LIMITS, maxLabels: 2 });
      expect(await append(store, labeled(["a", "b", "c"], DAY + 1))).toBeUndefined();
      expect(await append(store, labeled(["d"]))).toEqual({ apps: [], labels: ["d"] });
      expect(await append(await reopen({ ...LIMITS, maxLabels: 4 }), labeled(["d"]))).toBeUndefined();
    });

    it("do not count names in late events", async () => {
      const store = await reopen(LIMITS);
      await store.seal(DAY);
      const late = labeled(["v", "w", "x", "y"], DAY, "late");
      expect(await append(store, [...late, ...labeled(["a", "b"], DAY + 1)])).toBeUndefined();
      expect(await append(store, labeled(["c"], DAY + 1, "second"))).toBeUndefined();
      expect(await append(store, [...late, ...labeled(["y"], DAY + 1)])).toEqual({ apps: [], labels: ["y"] });
    });

    it("do not count names after retention has removed all their days", async () => {
      const store = await reopen(LIMITS);
      await append(store, [...labeled(["a", "b"], DAY, "old"), ...labeled(["b", "c"], DAY + 1)]);
      await settle(store);
      const further = [...labeled(["d"], DAY + 1), ...labeled(["b"], DAY + 1, "new")];
      const excess = { apps: ["new"], labels: ["d"] };
      expect(await append(store, further)).toEqual(excess);
      await store.seal(DAY);
      await store.removeExpired(PROJECT, [DAY]);
      // The entries still exist.
      expect(await append(store, further)).toEqual(excess);
      await store.removeExpired(PROJECT, [DAY], DAY);
      expect(await append(store, further)).toBeUndefined();
      expect(await append(store, labeled(["a"], DAY + 1))).toEqual({ apps: [], labels: ["a"] });
      expect(await labelsOf(store)).toEqual(["b", "c", "d"]);
    });

    it("allow an app to return after retention has removed it and another app has replaced it", async () => {
      const store = await reopen({ ...LIMITS, maxApps: 1 });
      const labelsOfApps = async (): Promise<unknown> => {
        await settle(store);
        return [await list(store, "app"), await list(store, "other")].map((entries) =>
          (entries as { analyticsLabel: string }[]).map(({ analyticsLabel }) => analyticsLabel),
        );
      };
      expect(await labelsOfApps()).toEqual([[], []]);
      const appIds = ["app", "other", "app"];
      const listed = [];
      for (const [index, appId] of appIds.entries()) {
        const day = DAY + index;
        expect(await append(store, labeled([`label-${index}`], day, appId))).toBeUndefined();
        listed.push(await labelsOfApps());
        await store.seal(day);
        await store.removeExpired(PROJECT, [day], day);
      }
      expect(listed).toEqual([
        [["label-0"], []],
        [[], ["label-1"]],
        [["label-2"], []],
      ]);
    });
  });
}
