import { describe, expect, it } from "vitest";
import { at, byBytes } from "../../../model/collections.js";
import { type Day, LAST_DAY } from "../../../model/day.js";
import { COUNTS, type CountColumns, type DayEntries, MAX_PUBLISHED_DAYS } from "../../delivery-data-store.js";
import type { Store } from "../../store.js";
import { accepted, blocksOf, OTHER_PROJECT, PROJECT, settle } from "../test-events.js";

const DAY = Date.UTC(2026, 2, 5) / 86_400_000;

interface Row {
  readonly day?: Day;
  readonly appId: string;
  readonly label: string;
  readonly counts: readonly number[];
}

/** Returns a row with distinct counts, which also differ from those for another `seed`. */
const rowOf = (appId: string, label: string, seed: number): Row => ({
  appId,
  label,
  counts: COUNTS.map((_, index) => seed * 100 + index),
});

const entriesOf = (rows: readonly Row[]): DayEntries => ({
  length: rows.length,
  appIds: rows.map(({ appId }) => appId),
  labels: rows.map(({ label }) => label),
  counts: COUNTS.map((_, index) => Float64Array.from(rows, ({ counts }) => counts[index] ?? Number.NaN)),
});

const rowsOf = (batches: readonly CountColumns[]): Row[] =>
  batches.flatMap(({ length, days, appIds, labels, counts }) =>
    Array.from({ length }, (_, row) => ({
      ...(days !== undefined && { day: days[row] ?? Number.NaN }),
      appId: appIds === undefined ? "" : at(appIds, row),
      label: labels === undefined ? "" : at(labels, row),
      counts: counts.map((column) => column[row] ?? Number.NaN),
    })),
  );

/** Tests published entries that do not come from events, for any engine. */
export function describePublish(storeOf: () => Store): void {
  describe("publish", () => {
    const read = async (project = PROJECT): Promise<Row[]> =>
      rowsOf(await storeOf().readEntries({ project, until: LAST_DAY, limit: 100_000 }));
    const publish = (rows: readonly Row[], day = DAY, project = PROJECT): Promise<void> =>
      storeOf().publish(project, [{ day, entries: [entriesOf(rows)] }]);
    const onDay = (rows: readonly Row[], day = DAY): Row[] =>
      rows
        .map((row) => ({ day, ...row }))
        .sort((a, b) => byBytes(a.appId, b.appId) || byBytes(a.label, b.label));

    it("lists and sums published entries, and lists their apps", async () => {
      const rows = [rowOf("b", "x", 1), rowOf("a", "x", 2), rowOf("a", "", 3), rowOf("😀", "~", 4)];
      const batches = [entriesOf(rows.slice(0, 1)), entriesOf([]), entriesOf(rows.slice(1))];
      await storeOf().publish(PROJECT, [{ day: DAY, entries: batches }]);
      expect(await read()).toEqual(onDay(rows));
      const one = await storeOf().readEntries({ project: PROJECT, appId: "a", until: LAST_DAY, limit: 9 });
      expect(rowsOf(one)).toEqual(onDay(rows.slice(1, 3)));
      const sums = await storeOf().sumEntries({
        project: PROJECT,
        until: LAST_DAY,
        groupBy: new Set(["label"]),
        limit: 9,
      });
      expect(rowsOf(sums).map(({ label, counts }) => [label, counts[0]])).toEqual([
        ["", 300],
        ["x", 300],
        ["~", 400],
      ]);
      const apps = await storeOf().listApps({ project: PROJECT, until: LAST_DAY, limit: 9 });
      expect(apps).toEqual(["a", "b", "😀"].map((appId) => ({ appId, firstDay: DAY, lastDay: DAY })));
      expect(await storeOf().staleProjects()).toEqual([]);
      expect(await storeOf().isEmpty()).toBe(true);
    });

    it("keeps counts up to 2^53 - 1 exact", async () => {
      const row = { ...rowOf("a", "", 0), counts: COUNTS.map((_, i) => Number.MAX_SAFE_INTEGER - i) };
      await publish([row]);
      expect(await read()).toEqual(onDay([row]));
    });

    it("replaces all entries of a day, or removes them if there are no new ones", async () => {
      const others = [rowOf("a", "", 7)];
      await publish(others, DAY - 1);
      await publish(others, DAY, OTHER_PROJECT);
      await publish([rowOf("a", "", 1), rowOf("b", "", 2)]);
      await publish([rowOf("a", "new", 3), rowOf("b", "", 4)]);
      expect(await read()).toEqual([
        ...onDay([rowOf("a", "new", 3), rowOf("b", "", 4)]),
        ...onDay(others, DAY - 1),
      ]);
      await storeOf().publish(PROJECT, [{ day: DAY, entries: [] }]);
      expect(await read()).toEqual(onDay(others, DAY - 1));
      expect(await read(OTHER_PROJECT)).toEqual(onDay(others));
    });

    it("publishes several days in one step, even if they are far apart", async () => {
      const days = [DAY, DAY - 1, DAY - 40];
      await publish([rowOf("a", "old", 0)], DAY - 2);
      const publishAll = (seed: number): Promise<void> =>
        storeOf().publish(
          PROJECT,
          days.map((day) => ({
            day,
            entries: [entriesOf([rowOf("a", "x", seed)]), entriesOf([rowOf("b", "", seed)])],
          })),
        );
      await publishAll(1);
      let done = false;
      const again = (async () => {
        for (let seed = 2; seed <= 6; seed++) await publishAll(seed);
      })().finally(() => {
        done = true;
      });
      const seen: number[][] = [];
      while (!done)
        seen.push((await read()).filter(({ label }) => label !== "old").map(({ counts }) => at(counts, 0)));
      await again;
      for (const counts of seen) expect(counts).toEqual(new Array(6).fill(counts[0]));
      await storeOf().publish(PROJECT, [
        { day: DAY, entries: [] },
        { day: DAY - 1, entries: [entriesOf([rowOf("c", "", 7)])] },
      ]);
      expect(await read()).toEqual([
        ...onDay([rowOf("c", "", 7)], DAY - 1),
        ...onDay([rowOf("a", "old", 0)], DAY - 2),
        ...onDay([rowOf("a", "x", 6), rowOf("b", "", 6)], DAY - 40),
      ]);
    });

    it("publishes as many days as possible in one step, with years between them", async () => {
      const days = Array.from({ length: MAX_PUBLISHED_DAYS }, (_, index) => DAY - 100 * index);
      const rows = days.map((day, index) => ({ ...rowOf("a", "", index), day }));
      await storeOf().publish(
        PROJECT,
        rows.map((row) => ({ day: row.day, entries: [entriesOf([row])] })),
      );
      expect(await read()).toEqual(rows);
    });

    it("stores thousands of entries of a day", async () => {
      const rows = Array.from({ length: 5_000 }, (_, i) => rowOf(`app-${i % 70}`, `label-${i}`, i));
      await storeOf().publish(PROJECT, [
        { day: DAY, entries: [entriesOf(rows.slice(0, 4_900)), entriesOf(rows.slice(4_900))] },
      ]);
      expect(await read()).toEqual(onDay(rows));
    });

    it("never shows part of a day while the day is published again", async () => {
      const rows = Array.from({ length: 3_000 }, (_, i) => rowOf("a", `l${i}`, 1));
      await publish(rows);
      let done = false;
      const again = (async () => {
        for (let i = 0; i < 5; i++) await publish(rows.slice(i));
      })().finally(() => {
        done = true;
      });
      const sizes = new Set<number>();
      while (!done) sizes.add((await read()).length);
      await again;
      expect([3_000, 2_999, 2_998, 2_997, 2_996]).toEqual(expect.arrayContaining([...sizes]));
      expect(await read()).toHaveLength(2_996);
    });

    it("leaves the entries of only one of several concurrent publications and rollups of the day", async () => {
      const event = accepted({ appId: "events" });
      await storeOf().append(PROJECT, blocksOf([event]));
      await Promise.all([
        ...[1, 2, 3, 4].map((seed) => publish([rowOf("a", "", seed), rowOf("b", "", seed)])),
        storeOf().rollUp(PROJECT, [DAY]),
      ]);
      const rows = await read();
      const [first] = rows;
      const ofRollup = first?.appId === "events";
      const seed = Math.floor(at(at(rows, 0).counts, 0) / 100);
      expect(rows.map(({ appId }) => appId)).toEqual(ofRollup ? ["events"] : ["a", "b"]);
      if (!ofRollup) expect(rows).toEqual(onDay([rowOf("a", "", seed), rowOf("b", "", seed)]));
    });

    it("leaves events of the day stale, so that their rollup replaces the entries", async () => {
      await storeOf().append(PROJECT, blocksOf([accepted({ appId: "events" })]));
      await publish([rowOf("a", "", 1)]);
      expect(await storeOf().staleProjects()).toMatchObject([{ project: PROJECT, days: 1 }]);
      await settle(storeOf());
      expect((await read()).map(({ appId }) => appId)).toEqual(["events"]);
    });

    it("replaces published entries with all events of the day when a late event is rolled up", async () => {
      const store = storeOf();
      await store.append(PROJECT, blocksOf([accepted({ messageId: "early", analyticsLabel: "x" })]));
      await settle(store);
      const rolledUp = await read();
      await publish([rowOf("app", "x", 1), rowOf("other", "", 2)]);
      await store.append(PROJECT, blocksOf([accepted({ messageId: "late", analyticsLabel: "y" })]));
      await settle(store);
      const [early, late, ...more] = await read();
      expect(early).toEqual(rolledUp[0]);
      expect([late?.label, late?.counts[0], more]).toEqual(["y", 1, []]);
    });

    it("changes all versions that include the day", async () => {
      const versions = () =>
        Promise.all([DAY - 1, DAY, LAST_DAY].map((until) => storeOf().version(PROJECT, until)));
      const before = await versions();
      await publish([rowOf("a", "", 1)]);
      const between = await versions();
      await publish([]);
      const after = await versions();
      expect(after[0]).toBe(before[0]);
      for (const index of [1, 2]) {
        expect(new Set([before[index], between[index], after[index]]).size).toBe(3);
      }
    });
  });
}
