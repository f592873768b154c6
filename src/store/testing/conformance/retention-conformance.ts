import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Day, LAST_DAY } from "../../../model/day.js";
import type { Store } from "../../store.js";
import { list } from "../list-entries.js";
import { type NaiveEvent, naiveJson, naiveRollup } from "../naive-rollup.js";
import { accepted, blocksOf, OTHER_PROJECT, PROJECT, settle } from "../test-events.js";

const DAY: Day = Date.UTC(2026, 2, 5) / 86_400_000;

/** Returns events of one message on several days. */
const messageOn = (days: readonly Day[], messageId = "m"): NaiveEvent[] =>
  days.map((day) =>
    accepted({ messageId, eventTime: new Date(day * 86_400_000 + 72_000_000).toISOString() }),
  );

/** Offsets of days in a random history. Any of them may be sealed. */
const OFFSETS = [0, 1, 2, 3] as const;
/** Generates events of a few messages on these days. */
const someEvents = fc.array(
  fc.record({
    offset: fc.constantFrom(...OFFSETS),
    messageId: fc.constantFrom("a", "b", "c"),
    eventType: fc.constantFrom("ACCEPTED", "ACCEPTED", "DELIVERED", "STORED", "COLLAPSED"),
    analyticsLabel: fc.constantFrom("", "sale"),
    hour: fc.constantFrom(18, 19, 20),
  }),
  { minLength: 1, maxLength: 12 },
);
/** Generates sequences of operations on a store. */
const steps = fc.array(
  fc.oneof(
    { weight: 4, arbitrary: someEvents.map((append) => ({ append })) },
    { weight: 2, arbitrary: fc.constant("rollUp" as const) },
    { weight: 2, arbitrary: fc.constant("expire" as const) },
    fc.constantFrom(...OFFSETS).map((seal) => ({ seal })),
  ),
  { minLength: 3, maxLength: 16 },
);

/** Reads the number of messages by day. */
async function messagesByDay(store: Store, project = PROJECT): Promise<Record<Day, number>> {
  const batches = await store.readEntries({ project, until: LAST_DAY, limit: 10_000 });
  return Object.fromEntries(
    batches.flatMap(({ length, days, counts }) =>
      Array.from({ length }, (_, i) => [days[i], counts[0]?.[i]]),
    ),
  );
}

/** Returns an event of a random history that begins on day `first`. */
function eventOf(
  first: Day,
  { offset, hour, ...event }: { offset: number; hour: number; messageId: string; eventType: string },
): NaiveEvent {
  const eventTime = new Date((first + offset) * 86_400_000 + hour * 3_600_000).toISOString();
  return accepted({ ...event, eventTime });
}

async function expire(store: Store, entriesUntil?: Day): Promise<void> {
  for (const { project, oldest } of await store.expiredProjects(entriesUntil)) {
    for (;;) {
      const days = await store.expiredDays({ project, entriesUntil, limit: 3 });
      if (days.length === 0) break;
      expect(days[0]).toBeGreaterThanOrEqual(oldest);
      await store.removeExpired(project, days, entriesUntil);
    }
  }
}

/** Tests retention for any engine, with a function that reopens the store. */
export function describeRetention(
  storeOf: () => Store,
  reopen: () => Promise<void>,
  runs: (all: number) => number,
): void {
  describe("a sealed day", () => {
    it("drops and counts its events, but keeps other days in the same append", async () => {
      await storeOf().append(PROJECT, blocksOf(messageOn([DAY - 1, DAY, DAY + 1])));
      await settle(storeOf());
      await storeOf().seal(DAY);
      const late = messageOn([DAY - 30, DAY - 1, DAY, DAY + 1], "late");
      expect(await storeOf().append(PROJECT, blocksOf(late))).toEqual({ tooLate: 3 });
      expect(await storeOf().staleDays({ project: PROJECT, limit: 9 })).toEqual([DAY + 1]);
      await settle(storeOf());
      expect(await messagesByDay(storeOf())).toEqual({ [DAY - 1]: 1, [DAY]: 1, [DAY + 1]: 2 });
    });

    it("drops events even in projects and on days without data", async () => {
      await storeOf().seal(DAY);
      expect(await storeOf().append(OTHER_PROJECT, blocksOf(messageOn([DAY - 400, DAY])))).toEqual({
        tooLate: 2,
      });
      expect(await storeOf().staleProjects()).toEqual([]);
      expect(await storeOf().isEmpty()).toBe(true);
    });

    it("does not change events of later days in the same append, in any column", async () => {
      const label = (day: Day, i: number) =>
        messageOn([day], `m${i}`).map((event) => ({
          ...event,
          appId: `app-${i % 3}`,
          analyticsLabel: `l${i % 7}`,
          notification: i % 2 === 0,
        }));
      const events = Array.from({ length: 60 }, (_, i) => label(DAY + (i % 4) - 1, i)).flat();
      const proxied = events.map((event) => ({ ...event, eventType: "PROXY_PROXIED" }));
      await storeOf().seal(DAY);
      const { tooLate } = await storeOf().append(PROJECT, blocksOf([...events, ...proxied]));
      expect(tooLate).toBe(60);
      await settle(storeOf());
      const open = [...events, ...proxied].filter(
        ({ eventTime }) => Date.parse(eventTime) > (DAY + 1) * 86_400_000,
      );
      const batches = await storeOf().readEntries({ project: PROJECT, until: LAST_DAY, limit: 1_000 });
      const listed = batches.flatMap(({ length, appIds, labels, counts }) =>
        Array.from({ length }, (_, i) => [appIds[i], labels[i], counts[0]?.[i], counts[1]?.[i]]),
      );
      const expected = naiveRollup(open).map((entry) => [
        entry.appId,
        entry.analyticsLabel,
        entry.countMessagesAccepted,
        entry.countNotificationsAccepted,
      ]);
      expect(listed.sort()).toEqual(expected.sort());
    });

    it("keeps its entries when it is rolled up again", async () => {
      for (const project of [PROJECT, OTHER_PROJECT]) {
        await storeOf().append(project, blocksOf(messageOn([DAY - 1, DAY, DAY + 1])));
      }
      await settle(storeOf());
      const before = await messagesByDay(storeOf());
      const version = await storeOf().version(PROJECT, LAST_DAY);
      await storeOf().seal(DAY);
      await expire(storeOf());
      expect(await storeOf().version(PROJECT, LAST_DAY)).toBe(version);
      for (const project of [PROJECT, OTHER_PROJECT]) {
        expect(await messagesByDay(storeOf(), project)).toEqual(before);
      }
      expect(await storeOf().rollUp(PROJECT, [DAY + 1, DAY, DAY - 1])).toBe(3);
      expect(await messagesByDay(storeOf())).toEqual(before);
    });

    it("has entries for all events from before it was sealed, in any history", async () => {
      const store = storeOf();
      // Sealing is final and affects all projects. Each history therefore has later days than the last one.
      let first = DAY;
      await fc.assert(
        fc.asyncProperty(steps, async (history) => {
          first += OFFSETS.length;
          const project = String(first);
          const listed = (): Promise<unknown[]> => list(store, "app", project);
          const taken: NaiveEvent[] = [];
          let sealedUntil = first - 1;
          for (const step of history) {
            if (step === "rollUp") await settle(store);
            else if (typeof step === "object" && "append" in step) {
              const open = step.append.filter(({ offset }) => first + offset > sealedUntil);
              taken.push(...open.map((event) => eventOf(first, event)));
              const events = step.append.map((event) => eventOf(first, event));
              const { tooLate } = await store.append(project, blocksOf(events));
              expect(tooLate).toBe(events.length - open.length);
            } else {
              const before = await listed();
              if (step === "expire") await expire(store);
              else {
                sealedUntil = Math.max(sealedUntil, first + step.seal);
                await store.seal(first + step.seal);
              }
              expect(await listed()).toEqual(before);
            }
          }
          await settle(store);
          expect(await listed()).toEqual(naiveRollup(taken).map(naiveJson));
        }),
        { numRuns: runs(20) },
      );
    });

    it("is rolled up with all events that were stored before", async () => {
      await storeOf().append(PROJECT, blocksOf(messageOn([DAY])));
      await settle(storeOf());
      await storeOf().append(PROJECT, blocksOf(messageOn([DAY], "stale")));
      await storeOf().seal(DAY);
      expect(await storeOf().expiredProjects()).toEqual([]);
      await storeOf().removeExpired(PROJECT, [DAY], DAY);
      expect(await messagesByDay(storeOf())).toEqual({ [DAY]: 1 });
      await settle(storeOf());
      expect(await storeOf().expiredProjects()).toEqual([{ project: PROJECT, days: 1, oldest: DAY }]);
      await expire(storeOf());
      expect(await messagesByDay(storeOf())).toEqual({ [DAY]: 2 });
    });

    it("counts each event of concurrent appends once, either as stored or as too late", async () => {
      const append = (i: number) => storeOf().append(PROJECT, blocksOf(messageOn([DAY], `m${i}`)));
      const appends = Array.from({ length: 30 }, (_, i) => append(i));
      await appends[0];
      const sealing = storeOf().seal(DAY);
      appends.push(...Array.from({ length: 30 }, (_, i) => append(30 + i)));
      const tooLate = (await Promise.all(appends)).reduce((sum, response) => sum + response.tooLate, 0);
      await sealing;
      await settle(storeOf());
      await expire(storeOf());
      expect((await messagesByDay(storeOf()))[DAY] ?? 0).toBe(60 - tooLate);
      expect(tooLate).toBeGreaterThan(0);
      expect(tooLate).toBeLessThan(60);
    });

    it("stays sealed after a restart, and after an earlier day is sealed", async () => {
      await storeOf().append(PROJECT, blocksOf(messageOn([DAY])));
      await settle(storeOf());
      await storeOf().seal(DAY);
      await expire(storeOf());
      await reopen();
      await storeOf().seal(DAY - 10);
      expect(await storeOf().append(PROJECT, blocksOf(messageOn([DAY, DAY + 1], "late")))).toEqual({
        tooLate: 1,
      });
      expect(await storeOf().expiredProjects()).toEqual([]);
      expect(await storeOf().isEmpty()).toBe(false);
    });

    it("does not make a project with former events count as empty", async () => {
      await storeOf().append(PROJECT, blocksOf(messageOn([DAY])));
      await settle(storeOf());
      await storeOf().seal(DAY);
      await expire(storeOf(), DAY);
      expect(await messagesByDay(storeOf())).toEqual({});
      expect(await storeOf().isEmpty()).toBe(false);
    });
  });

  describe("expired delivery data", () => {
    it("is removed with its days, which stay sealed and change their versions", async () => {
      const days = [0, 1, 2, 3, 4].map((i) => DAY - i);
      for (const project of [PROJECT, OTHER_PROJECT]) {
        await storeOf().append(project, blocksOf(messageOn(days)));
      }
      await settle(storeOf());
      await storeOf().seal(DAY - 1);
      const versions = () => Promise.all([-4, -3, 0].map((i) => storeOf().version(PROJECT, DAY + i)));
      const [older, oldest, newest] = await versions();
      expect(await storeOf().removeExpired(PROJECT, [DAY - 3], DAY - 3)).toBe(1);
      const after = await versions();
      expect(after[0]).toBe(older);
      expect(after[1]).not.toBe(oldest);
      expect(after[2]).not.toBe(newest);
      expect(await messagesByDay(storeOf())).toEqual({ [DAY]: 1, [DAY - 1]: 1, [DAY - 2]: 1, [DAY - 4]: 1 });
      expect(await storeOf().expiredDays({ project: PROJECT, entriesUntil: DAY - 3, limit: 2 })).toEqual([
        DAY - 4,
        DAY - 2,
      ]);
      expect(
        await storeOf().expiredDays({ project: PROJECT, entriesUntil: DAY - 3, after: DAY - 4, limit: 9 }),
      ).toEqual([DAY - 2, DAY - 1]);
      await expire(storeOf(), DAY - 3);
      for (const project of [PROJECT, OTHER_PROJECT]) {
        expect(await messagesByDay(storeOf(), project)).toEqual({ [DAY]: 1, [DAY - 1]: 1, [DAY - 2]: 1 });
      }
      expect(await storeOf().append(PROJECT, blocksOf(messageOn([DAY - 3], "late")))).toEqual({ tooLate: 1 });
      expect(await storeOf().listApps({ project: PROJECT, until: LAST_DAY, limit: 9 })).toEqual([
        { appId: "app", firstDay: DAY - 2, lastDay: DAY },
      ]);
    });

    it("is kept while its day is not sealed", async () => {
      await storeOf().append(PROJECT, blocksOf(messageOn([DAY])));
      await settle(storeOf());
      await storeOf().seal(DAY - 1);
      expect(await storeOf().expiredProjects(DAY)).toEqual([]);
      await storeOf().removeExpired(PROJECT, [DAY], DAY);
      expect(await messagesByDay(storeOf())).toEqual({ [DAY]: 1 });
      await storeOf().append(PROJECT, blocksOf(messageOn([DAY], "late")));
      await settle(storeOf());
      expect(await messagesByDay(storeOf())).toEqual({ [DAY]: 2 });
    });
  });
}
