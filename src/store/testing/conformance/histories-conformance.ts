import fc from "fast-check";
import { beforeEach, describe, expect, it } from "vitest";
import { byBytes } from "../../../model/collections.js";
import { FIRST_DAY, LAST_DAY } from "../../../model/day.js";
import { COUNTS, type CountName, type HistoryQuery, type LabelHistory } from "../../delivery-data-store.js";
import type { Store } from "../../store.js";
import { APPS, DAYS, FIRST, GRID } from "../entry-grid.js";
import { type NaiveEntry, naiveRollup } from "../naive-rollup.js";
import { accepted, blocksOf, history, PROJECT, settle } from "../test-events.js";

const READ = ["count_messages_accepted", "delivered", "dropped_ttl_expired"] as const satisfies CountName[];

/** Computes histories from individual entries, for comparison. */
function naiveHistories(
  entries: readonly NaiveEntry[],
  { appId, since, until, labels }: HistoryQuery,
): { readonly label: string; readonly rows: readonly (readonly number[])[] }[] {
  const rowsOf = new Map<string, number[][]>();
  for (const { analyticsLabel, ...entry } of entries) {
    const day = Date.parse(entry.date) / 86_400_000;
    if (entry.appId !== appId || day < since || day > until) continue;
    const { delivered = 0, droppedTtlExpired = 0 } = entry.counts.messageOutcomePercents ?? {};
    const row = [day, entry.countMessagesAccepted, delivered, droppedTtlExpired];
    rowsOf.set(analyticsLabel, [...(rowsOf.get(analyticsLabel) ?? []), row]);
  }
  const messages = (rows: number[][]): number => rows.reduce((sum, [, accepted = 0]) => sum + accepted, 0);
  return [...rowsOf]
    .sort(([a, rowsOfA], [b, rowsOfB]) => messages(rowsOfB) - messages(rowsOfA) || byBytes(a, b))
    .slice(0, labels)
    .sort(([a], [b]) => byBytes(a, b))
    .map(([label, rows]) => ({ label, rows: rows.sort(([a = 0], [b = 0]) => a - b) }));
}

const rowsOf = (histories: readonly LabelHistory[]) =>
  histories.map(({ label, days, counts }) => ({
    label,
    rows: Array.from(days, (day, row) => [day, ...counts.map((column) => column[row])]),
  }));

/** Tests label histories and digests for any engine. */
export function describeHistories(storeOf: () => Store, runs: (all: number) => number): void {
  describe("readHistories", () => {
    const all = { since: FIRST_DAY, until: LAST_DAY, counts: READ, labels: 1_000 };

    it("returns the daily counts of the naive rollup, for any events", async () => {
      let project = 3_000_000;
      await fc.assert(
        fc.asyncProperty(history, async (events) => {
          const number = String(project++);
          await storeOf().append(number, blocksOf(events as Parameters<typeof blocksOf>[0]));
          await settle(storeOf());
          const entries = naiveRollup(events as Parameters<typeof naiveRollup>[0]);
          for (const appId of ["app", "app-2"]) {
            const query = { ...all, project: number, appId };
            expect(rowsOf(await storeOf().readHistories(query))).toEqual(naiveHistories(entries, query));
          }
        }),
        { numRuns: runs(20) },
      );
    });

    describe("with many apps, days and labels", () => {
      // Some labels have more messages than others.
      const more = GRID.flatMap(({ event, analyticsLabel }) =>
        Array.from({ length: analyticsLabel.length }, (_, i) => ({
          ...event,
          messageId: `${event.messageId}/${i}`,
        })),
      );
      const events = [...GRID.map(({ event }) => event), ...more];
      const grid = naiveRollup(events);
      const [app] = APPS;

      beforeEach(async () => {
        await storeOf().append(PROJECT, blocksOf(events));
        await settle(storeOf());
      });

      it.each([
        ["all days", {}],
        ["days up to the last one requested", { until: FIRST + 2 }],
        ["days from the first one requested on", { since: FIRST + 2 }],
        ["one day", { since: FIRST + 2, until: FIRST + 2 }],
        ["no day", { since: FIRST + DAYS, until: FIRST + DAYS }],
        ["the label with the most messages", { labels: 1 }],
        ["the five labels with the most messages", { labels: 5 }],
        ["the labels with the most messages on some days", { labels: 3, since: FIRST + 1, until: FIRST + 4 }],
      ])("reads %s", async (_, part) => {
        for (const appId of APPS) {
          const query = { ...all, project: PROJECT, appId, ...part };
          expect(rowsOf(await storeOf().readHistories(query))).toEqual(naiveHistories(grid, query));
        }
      });

      it("returns no histories for an unknown app or project", async () => {
        expect(await storeOf().readHistories({ ...all, project: PROJECT, appId: "none" })).toEqual([]);
        expect(await storeOf().readHistories({ ...all, project: "1", appId: app })).toEqual([]);
      });

      it("ends when its signal aborts", async () => {
        const controller = new AbortController();
        const query = { ...all, project: PROJECT, appId: app };
        const reading = storeOf().readHistories(query, controller.signal);
        controller.abort("gone");
        await expect(reading).rejects.toBe("gone");
        expect(await storeOf().readHistories(query)).not.toEqual([]);
      });
    });

    it("joins label days that the engine returns in several parts", async () => {
      const label = (index: number): string => `l${String(index).padStart(4, "0")}`;
      const days = Array.from({ length: 5 }, (_, i) => FIRST + i);
      const labels = Array.from({ length: 1_000 }, (_, i) => label(i));
      const project = "4";
      await storeOf().append(
        project,
        blocksOf(
          days.flatMap((day) =>
            labels.map((analyticsLabel) =>
              accepted({
                messageId: `${day}/${analyticsLabel}`,
                eventTime: new Date(day * 86_400_000 + 72_000_000).toISOString(),
                analyticsLabel,
              }),
            ),
          ),
        ),
      );
      await settle(storeOf());
      const read = await storeOf().readHistories({ ...all, project, appId: "app" });
      expect(rowsOf(read)).toEqual(
        labels.map((label) => ({ label, rows: days.map((day) => [day, 1, 0, 0]) })),
      );
    });
  });

  describe("published entries", () => {
    const query = { project: PROJECT, appId: "app", since: FIRST, until: FIRST + 1, counts: READ };
    /** Publishes rows of app, label, accepted messages and delivered messages. */
    const publish = (rows: readonly (readonly [string, string, number, number])[], day = FIRST) =>
      storeOf().publish(PROJECT, [
        {
          day,
          entries: [
            {
              length: rows.length,
              appIds: rows.map(([appId]) => appId),
              labels: rows.map(([, label]) => label),
              counts: COUNTS.map((name) =>
                Float64Array.from(rows, ([, , all, delivered]) =>
                  name === "count_messages_accepted" ? all : name === "delivered" ? delivered : 0,
                ),
              ),
            },
          ],
        },
      ]);
    const digest = (part = {}) => storeOf().digestCounts({ ...query, ...part });

    it("readHistories returns days in order, regardless of the order of publication", async () => {
      for (const day of [2, 0, 3, 1, 0]) {
        await publish(
          [
            ["app", "a", 9, day],
            ["app", "b", 8, day],
          ],
          FIRST + day,
        );
      }
      const read = await storeOf().readHistories({ ...query, until: FIRST + 3, labels: 9 });
      expect(rowsOf(read)).toEqual(
        [9, 8].map((all, index) => ({
          label: ["a", "b"][index],
          rows: [0, 1, 2, 3].map((day) => [FIRST + day, all, day, 0]),
        })),
      );
    });

    it("digestCounts changes if and only if a count of the app changes", async () => {
      const none = await digest();
      await publish([
        ["app", "a", 9, 5],
        ["app", "b", 9, 5],
        ["other", "a", 9, 5],
      ]);
      const before = await digest();
      expect(before).not.toBe(none);
      const digests = [before];
      const same = [
        ["app", "b", 9, 5],
        ["app", "a", 9, 5],
      ] as const;
      for (const [rows, day] of [
        [same],
        [[...same, ["other", "a", 9, 6]]],
        [[["app", "x", 9, 5]], FIRST + 2],
        [
          [
            ["app", "a", 9, 6],
            ["app", "b", 9, 5],
          ],
        ],
        [
          [
            ["app", "a", 9, 5],
            ["app", "b", 9, 6],
          ],
        ],
        [[["app", "a", 9, 5]]],
        [[["app", "a", 9, 5]], FIRST + 1],
      ] as const) {
        await publish(rows, day);
        digests.push(await digest());
      }
      const [, repeated, ofOthers, ofOtherDays, ...changed] = digests;
      expect([repeated, ofOthers, ofOtherDays]).toEqual([before, before, before]);
      expect(new Set([none, before, ...changed]).size).toBe(2 + changed.length);
    });

    it("digestCounts includes only the requested counts", async () => {
      await publish([["app", "a", 9, 5]]);
      const before = await digest({ counts: ["count_messages_accepted"] });
      await publish([["app", "a", 9, 6]]);
      expect(await digest({ counts: ["count_messages_accepted"] })).toBe(before);
    });
  });
}
