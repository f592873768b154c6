import { describe, expect, it } from "vitest";
import { LAST_DAY } from "../../../../model/day.js";
import type { EntryQuery, SumQuery } from "../../../delivery-data-store.js";
import type { Store } from "../../../store.js";
import { list, toJson } from "../../list-entries.js";
import { accepted, blocksOf, OTHER_PROJECT, PROJECT, settle } from "../../test-events.js";
import {
  DAY,
  inListOrder,
  type MirroredRow,
  mirroredEntries,
  mirroredRow,
  mirroredRows,
  TIME,
} from "./mirrored-rows.js";

/** Strings that an engine must return exactly. */
const TEXTS = [
  '{"appId":"app","date":{"year":2026,"month":3,"day":5},"data":{}}',
  '{"data":{"messageOutcomePercents":{"delivered":33.333333333333336,"pending":1e-7,"collapsed":50.0}}}',
  '{"analyticsLabel":"é😀\\u0000\\n\'\\"","b":[{}]}',
  "{}",
  `{"long":"${"x".repeat(200_000)}"}`,
  `{"wide":"${Array.from({ length: 5_000 }, (_, i) => (i * 7_919) % 100_003).join(",")}"}`,
];

/** Tests mirrored entries for any engine. */
export function describeOriginals(storeOf: () => Store, reopen: () => Promise<void>): void {
  describe("entries with originals", () => {
    const publish = async (rows: readonly MirroredRow[], project = PROJECT): Promise<void> => {
      for (const day of new Set(rows.map(({ day }) => day))) {
        const ofDay = rows.filter((row) => row.day === day);
        await storeOf().publish(project, [
          { day, entries: [mirroredEntries(ofDay.slice(0, 1)), mirroredEntries(ofDay.slice(1))] },
        ]);
      }
    };
    const all = { project: PROJECT, until: LAST_DAY, limit: 10_000, originals: true };
    const read = async (query: Partial<EntryQuery> = {}): Promise<MirroredRow[]> =>
      mirroredRows(await storeOf().readEntries({ ...all, ...query }));

    it("are listed exactly, with the time since their last change", async () => {
      const rows = TEXTS.map((original, i) =>
        mirroredRow({ label: `l${i}`, original, fetchedAt: TIME + i * 86_400_000, count: i }),
      );
      await publish(rows);
      expect(await read()).toEqual(rows);
      expect(await read({ appId: "app" })).toEqual(rows);
      await reopen();
      expect(await read()).toEqual(rows);
    });

    it("are selected by app, day, label and position like all other entries", async () => {
      const rows = [DAY, DAY - 1, DAY - 400]
        .flatMap((day) => ["a", "b", "😀"].map((appId) => ({ day, appId })))
        .flatMap((place, i) =>
          ["", "x", "y"].map((label, j) => mirroredRow({ ...place, label, count: 3 * i + j })),
        )
        .sort(inListOrder);
      await publish(rows);
      await publish([mirroredRow({ appId: "a" })], OTHER_PROJECT);
      expect(await read()).toEqual(rows);
      expect(await read({ appId: "b" })).toEqual(rows.filter(({ appId }) => appId === "b"));
      expect(await read({ until: DAY - 1 })).toEqual(rows.filter(({ day }) => day < DAY));
      const filter = { kind: "label", comparison: "=", label: "x" } as const;
      expect(await read({ filter })).toEqual(rows.filter(({ label }) => label === "x"));
      expect(await read({ filter, appId: "a", limit: 2 })).toEqual(
        rows.filter(({ appId, label }) => appId === "a" && label === "x").slice(0, 2),
      );
      const { day, appId, label } = rows[9] ?? mirroredRow();
      expect(await read({ after: { day, appId, label }, limit: 5 })).toEqual(rows.slice(10, 15));
    });

    it("are listed completely if there are many", async () => {
      const rows = Array.from({ length: 5_000 }, (_, i) =>
        mirroredRow({ appId: `app-${i % 70}`, label: `label-${i}`, fetchedAt: TIME + i, count: i }),
      ).sort(inListOrder);
      await publish(rows);
      expect(await read()).toEqual(rows);
    });

    it("are listed without originals unless requested", async () => {
      await publish([mirroredRow()]);
      const [batch] = await storeOf().readEntries({ project: PROJECT, until: LAST_DAY, limit: 9 });
      expect(batch?.length).toBe(1);
      expect([batch?.originals, batch?.fetchedAt]).toEqual([undefined, undefined]);
    });

    it("are replaced with their day, which may be published repeatedly", async () => {
      const before = [mirroredRow({ label: "a" }), mirroredRow({ label: "b" })];
      const after = [mirroredRow({ label: "b", original: '{"new":1}', fetchedAt: 5 })];
      for (const rows of [before, before, after, after]) {
        await publish(rows);
        expect(await read()).toEqual(rows);
      }
    });

    it("are replaced with entries from events, which have no originals", async () => {
      await publish([mirroredRow({ label: "x" })]);
      await storeOf().append(PROJECT, blocksOf([accepted({})]));
      await settle(storeOf());
      await storeOf().append(PROJECT, blocksOf([accepted({ messageId: "late" })]));
      await settle(storeOf());
      for (const appId of [undefined, "app"]) {
        const batches = await storeOf().readEntries({ ...all, ...(appId !== undefined && { appId }) });
        expect(batches.map(({ originals, fetchedAt }) => [originals, fetchedAt])).toEqual([
          [undefined, undefined],
        ]);
        expect(toJson(batches)).toEqual(await list(storeOf(), "app"));
      }
    });

    it("are summed, and counted if they have no counts and the query asks for it", async () => {
      await publish([
        mirroredRow({ appId: "a", label: "x", count: 5 }),
        mirroredRow({ appId: "a", label: "y", count: 0 }),
        mirroredRow({ appId: "b", label: "x", count: 0 }),
        mirroredRow({ appId: "b", label: "x", count: 0, day: DAY - 1 }),
        mirroredRow({ appId: "b", label: "y", count: 6, day: DAY - 1 }),
      ]);
      const sum = async (query: Partial<SumQuery>) =>
        (await storeOf().sumEntries({ ...all, groupBy: new Set(), ...query })).flatMap(
          ({ length, counts, withoutCounts }) =>
            Array.from({ length }, (_, i) => [counts[0]?.[i], withoutCounts?.[i]]),
        );
      expect(await sum({})).toEqual([[11, 3]]);
      expect(await sum({ originals: false })).toEqual([[11, undefined]]);
      expect(await sum({ appId: "a" })).toEqual([[5, 1]]);
      expect(await sum({ groupBy: new Set(["label"]) })).toEqual([
        [5, 2],
        [6, 1],
      ]);
      expect(await sum({ groupBy: new Set(["day", "app"]) })).toEqual([
        [5, 1],
        [0, 1],
        [6, 1],
      ]);
      expect(await sum({ filter: { kind: "label", comparison: "=", label: "z" } })).toEqual([]);
    });

    it("are counted as having no counts only if they do not come from events", async () => {
      await storeOf().append(PROJECT, blocksOf([accepted({})]));
      await settle(storeOf());
      const [group] = await storeOf().sumEntries({ ...all, groupBy: new Set() });
      expect([...(group?.withoutCounts ?? [])]).toEqual([0]);
    });
  });
}
