import { describe, expect, it } from "vitest";
import { LAST_DAY } from "../../../model/day.js";
import type { EntryQuery } from "../../delivery-data-store.js";
import type { Store } from "../../store.js";
import { list, placesOf } from "../list-entries.js";
import { accepted, blocksOf, PROJECT, settle } from "../test-events.js";

/** Tests of aborted calls, for any engine. */
export function describeAbort(storeOf: () => Store): void {
  describe("an aborted signal", () => {
    const bigDay = Array.from({ length: 20_000 }, (_, i) =>
      accepted({ messageId: `${i}`, analyticsLabel: `l${i}` }),
    );
    const query: EntryQuery = { project: PROJECT, appId: "app", until: LAST_DAY, limit: 20_000 };
    const read = async (signal?: AbortSignal) => placesOf(await storeOf().readEntries(query, signal)).length;
    const outcomeOf = (work: Promise<unknown>) =>
      work.then(
        (result) => ({ result }),
        (reason: unknown) => ({ reason }),
      );
    const newControllers = () => Array.from({ length: 40 }, () => new AbortController());

    it("cancels queued and running reads", async () => {
      await storeOf().append(PROJECT, blocksOf(bigDay));
      await settle(storeOf());
      const controllers = newControllers();
      const reads = controllers.map(({ signal }) => outcomeOf(read(signal)));
      for (const [i, controller] of controllers.entries()) controller.abort(`reason ${i}`);
      expect(await Promise.all(reads)).toEqual(controllers.map((_, i) => ({ reason: `reason ${i}` })));
      expect(await read()).toBe(20_000);
    });

    it("cancels a read at any moment, and no other read", async () => {
      await storeOf().append(PROJECT, blocksOf(bigDay));
      await settle(storeOf());
      const controllers = newControllers();
      const reads = controllers.map(({ signal }) => outcomeOf(read(signal)));
      const others = controllers.map(() => read());
      for (const [i, controller] of controllers.entries()) {
        await Promise.race([reads[i], new Promise((resolve) => setTimeout(resolve, i % 5))]);
        controller.abort("gone");
      }
      for (const outcome of await Promise.all(reads)) {
        expect([{ result: 20_000 }, { reason: "gone" }]).toContainEqual(outcome);
      }
      expect(new Set(await Promise.all(others))).toEqual(new Set([20_000]));
    });

    it("cancels appends that are not being written yet, each of them completely or not at all", async () => {
      const controllers = newControllers();
      const appends = controllers.map(({ signal }, i) => {
        const analyticsLabel = `append-${i}`;
        const events = [0, 1].map((n) => accepted({ messageId: `${i}/${n}`, analyticsLabel }));
        return outcomeOf(storeOf().append(PROJECT, blocksOf(events), signal));
      });
      for (const controller of controllers) controller.abort("gone");
      const outcomes = await Promise.all(appends);
      await settle(storeOf());
      const entries = (await list(storeOf(), "app")) as { analyticsLabel: string; data: object }[];
      const counts = new Map(entries.map(({ analyticsLabel, data }) => [analyticsLabel, data]));
      for (const [i, outcome] of outcomes.entries()) {
        const data = counts.get(`append-${i}`);
        if ("reason" in outcome) expect([outcome.reason, data]).toEqual(["gone", undefined]);
        else expect(data).toMatchObject({ countMessagesAccepted: "2" });
      }
      expect(outcomes).toContainEqual({ reason: "gone" });
    });

    it("cancels queued sums and app lists", async () => {
      await storeOf().append(PROJECT, blocksOf(bigDay));
      await settle(storeOf());
      const groupBy = new Set(["label"] as const);
      const sums = { project: PROJECT, until: LAST_DAY, groupBy, limit: 20_000 };
      const apps = { project: PROJECT, until: LAST_DAY, limit: 10 };
      const controllers = newControllers();
      const reads = controllers.map(({ signal }, i) =>
        outcomeOf(i % 2 === 0 ? storeOf().sumEntries(sums, signal) : storeOf().listApps(apps, signal)),
      );
      for (const [i, controller] of controllers.entries()) controller.abort(`reason ${i}`);
      expect(await Promise.all(reads)).toEqual(controllers.map((_, i) => ({ reason: `reason ${i}` })));
      expect((await storeOf().sumEntries(sums)).reduce((sum, { length }) => sum + length, 0)).toBe(20_000);
      expect(await storeOf().listApps(apps)).toHaveLength(1);
    });

    it("cancels rollups, which publish nothing, and succeed the next time", async () => {
      await storeOf().append(PROJECT, blocksOf([accepted({})]));
      const days = await storeOf().staleDays({ project: PROJECT, limit: 10 });
      for (const controller of newControllers().slice(0, 3)) {
        const rollup = outcomeOf(storeOf().rollUp(PROJECT, days, undefined, controller.signal));
        controller.abort("gone");
        expect(await rollup).toEqual({ reason: "gone" });
      }
      expect(await storeOf().staleDays({ project: PROJECT, limit: 10 })).toEqual(days);
      expect(await list(storeOf(), "app")).toEqual([]);
      await settle(storeOf());
      expect(await list(storeOf(), "app")).toHaveLength(1);
    });

    it("prevents calls after the abort", async () => {
      const signal = AbortSignal.abort("gone");
      expect(await outcomeOf(read(signal))).toEqual({ reason: "gone" });
      expect(await outcomeOf(storeOf().append(PROJECT, blocksOf([accepted({})]), signal))).toEqual({
        reason: "gone",
      });
      expect(await storeOf().isEmpty()).toBe(true);
    });
  });
}
