import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { MessageEvent_EventTypeSchema as EventTypeSchema } from "../../gen/waybill/messagingdata/v1beta1/message_event_pb.js";
import { type Day, LAST_DAY } from "../../model/day.js";
import type { NameLimits } from "../../model/names.js";
import { StoreUnavailableError } from "../../model/store-error.js";
import { COUNTS, type EntryColumns, type EntryPosition, type EntryQuery } from "../delivery-data-store.js";
import type { Store } from "../store.js";
import { describeErasure } from "./erasure-conformance.js";
import { describeHistories } from "./histories-conformance.js";
import { list, placesOf, toJson } from "./list-entries.js";
import { describeMirror } from "./mirror/mirror-conformance.js";
import { readTexts, responseOf } from "./mirror/responses-conformance.js";
import { readVersions, versionOf } from "./mirror/versions-conformance.js";
import { type NaiveEvent, naiveJson, naiveRollup } from "./naive-rollup.js";
import { describeNameLimits } from "./name-limits-conformance.js";
import { describePublish } from "./publish-conformance.js";
import { describeReads } from "./reads-conformance.js";
import { describeRetention } from "./retention-conformance.js";
import { describeSnapshot } from "./snapshot-conformance.js";
import type { StoreUnderTest } from "./store-under-test.js";
import { accepted, blockOf, blocksOf, history, OTHER_PROJECT, PROJECT, settle } from "./test-events.js";

/** Returns the first entry's counts by name. */
const countsOf = (batch: EntryColumns | undefined): Record<string, number | undefined> =>
  Object.fromEntries(COUNTS.map((name, index) => [name, batch?.counts[index]?.[0]]));

/** Options of {@link describeStore}. */
interface SuiteOptions {
  /** Opens a snapshot directory. Omitted for stores without snapshots. */
  readonly openCopy?: (directory: string) => Promise<Store>;
  /** Fraction of random histories to try. Less than 1 for engines with slow calls. */
  readonly share?: number;
}

/** Tests any engine, with a function that opens it. */
export function describeStore(
  name: string,
  setUp: () => Promise<StoreUnderTest>,
  { openCopy, share = 1 }: SuiteOptions = {},
): void {
  const runs = (all: number): number => Math.ceil(share * all);
  describeReads(name, setUp, runs);

  describe(name, () => {
    let subject: StoreUnderTest;
    let store: Store;

    beforeEach(async () => {
      subject = await setUp();
      store = await subject.open();
    });
    afterEach(async () => {
      await store.close();
      await subject.dispose();
    });

    it("matches the naive rollup for any order, repetition and grouping of events", async () => {
      let project = 1_000_000;
      await fc.assert(
        fc.asyncProperty(
          history,
          fc.integer({ min: 1, max: 5 }),
          fc.infiniteStream(fc.nat()),
          async (events, blocks, random) => {
            const number = String(project++);
            const shuffled = [...events, ...events.slice(0, 3)]
              .map((event) => ({ event, at: random.next().value as number }))
              .sort((a, b) => a.at - b.at)
              .map(({ event }) => event);
            const size = Math.ceil(shuffled.length / blocks) || 1;
            for (let start = 0; start < shuffled.length; start += size) {
              await store.append(number, blocksOf(shuffled.slice(start, start + size)));
              // Rollups between blocks make later events late.
              if ((random.next().value as number) % 2 === 0) await settle(store);
            }
            await settle(store);
            const expected = naiveRollup(events as NaiveEvent[]);
            for (const appId of ["app", "app-2"]) {
              const of = expected.filter((entry) => entry.appId === appId);
              expect(await list(store, appId, number)).toEqual(of.map(naiveJson));
            }
          },
        ),
        { numRuns: runs(60) },
      );
    }, 120_000);

    it("matches the naive rollup for a message with one or two types of event", async () => {
      const types = EventTypeSchema.values.slice(1).map(({ name }) => name);
      const pairs = types.flatMap((type, index) => types.slice(index).map((other) => [type, other]));
      const events = pairs.flatMap((pair, index) => {
        const of = { messageId: `m${index}`, analyticsLabel: `label${index}`, notification: true };
        const others = pair.map((eventType) => ({
          ...accepted(of),
          eventType,
          eventTime: "2026-03-05T12:00:01Z",
        }));
        return [accepted(of), ...others];
      });
      await store.append(PROJECT, blocksOf(events));
      await settle(store);
      expect(await list(store, "app")).toEqual(naiveRollup(events).map(naiveJson));
    });

    it("ignores events with a type that is not in the contract", async () => {
      const notification = accepted({ notification: true });
      const known = [
        notification,
        ...["DELIVERED", "PROXY_FAILED"].map((eventType) => ({
          ...notification,
          eventType,
          eventTime: "2026-03-05T12:00:01Z",
        })),
      ];
      const last = Math.max(...EventTypeSchema.values.map(({ number }) => number));
      // Times before the known results. These events must not replace the known results.
      const unknown = Array.from({ length: 31 - last }, (_, i) =>
        blockOf([notification], () => last + 1 + i),
      );
      await store.append(PROJECT, [...blocksOf(known), ...unknown]);
      await settle(store);
      expect(await list(store, "app")).toEqual(naiveRollup(known).map(naiveJson));
    });

    it("computes the same result for late events as for early ones", async () => {
      const types = EventTypeSchema.values.slice(1).map(({ name }) => name);
      const sent: NaiveEvent[] = [];
      const early: NaiveEvent[] = [];
      const late: NaiveEvent[] = [];
      const add = (types: readonly string[], lateType: string, eventTime: string): void => {
        const messageId = `m${sent.length}`;
        const of = accepted({ messageId, analyticsLabel: `early-${messageId}`, notification: true });
        sent.push(of);
        early.push(
          ...types.map((eventType, i) => ({ ...of, eventType, eventTime: `2026-03-05T12:00:0${2 - i}Z` })),
        );
        late.push(
          accepted({ messageId, analyticsLabel: `late-${messageId}`, eventType: lateType, eventTime }),
        );
      };
      for (const type of types) {
        for (const other of types) {
          add([type], other, "2026-03-05T11:59:59Z");
          add([type], other, "2026-03-05T12:00:03Z");
          // The late event is earlier than all others of its type.
          add([type, other], type, "2026-03-05T11:59:59Z");
        }
      }
      const expected = naiveRollup([...sent, ...early, ...late]).map(naiveJson);
      for (const [project, parts] of [
        [PROJECT, [[...sent, ...early], late]],
        [OTHER_PROJECT, [late, sent, early, late]],
      ] as const) {
        for (const events of parts) {
          await store.append(project, blocksOf(events));
          await settle(store);
        }
        expect(await list(store, "app", project)).toEqual(expected);
      }
    });

    it("counts proxy results only for notifications", async () => {
      const proxied = (messageId: string, notification: boolean) => [
        accepted({ messageId, notification }),
        { ...accepted({ messageId }), eventType: "PROXY_PROXIED", eventTime: "2026-03-05T12:00:01Z" },
      ];
      await store.append(PROJECT, blocksOf([...proxied("a", false), ...proxied("b", true)]));
      await settle(store);
      const [entry] = await store.readEntries({ project: PROJECT, appId: "app", until: LAST_DAY, limit: 9 });
      expect(countsOf(entry)).toMatchObject({
        count_messages_accepted: 2,
        count_notifications_accepted: 1,
        proxied: 1,
      });
    });

    it("computes the same result for days rolled up together as separately", async () => {
      let project = 2_000_000;
      await fc.assert(
        fc.asyncProperty(history, async (events) => {
          const [together, alone] = [String(project++), String(project++)];
          for (const number of [together, alone]) await store.append(number, blocksOf(events));
          const days = await store.staleDays({ project: together, limit: 100 });
          for (let done = 0; done < days.length; ) done += await store.rollUp(together, days.slice(done));
          for (const day of days) expect(await store.rollUp(alone, [day])).toBe(1);
          for (const appId of ["app", "app-2"]) {
            expect(await list(store, appId, together)).toEqual(await list(store, appId, alone));
          }
        }),
        { numRuns: runs(40) },
      );
    }, 60_000);

    it("lists stale days newest first, up to a limit, until they are rolled up", async () => {
      const first = Date.UTC(2026, 0, 1) / 86_400_000;
      const ahead = [0, 1, 2, 3, 10, 11, 40];
      const events = ahead.map((days) =>
        accepted({
          messageId: `m${days}`,
          eventTime: new Date((first + days) * 86_400_000 + 7.2e7).toISOString(),
        }),
      );
      await store.append(PROJECT, blocksOf(events));
      await store.append(PROJECT, blocksOf(events.slice(0, 2)));
      await store.append(OTHER_PROJECT, blocksOf(events.slice(0, 3)));
      expect([...(await store.staleProjects())].sort((a, b) => a.days - b.days)).toMatchObject([
        { project: OTHER_PROJECT, days: 3 },
        { project: PROJECT, days: 7 },
      ]);
      const stale = (before?: Day) => store.staleDays({ project: PROJECT, before, limit: 3 });
      expect(await stale()).toEqual([first + 40, first + 11, first + 10]);
      expect(await stale(first + 10)).toEqual([first + 3, first + 2, first + 1]);
      expect(await stale(first + 1)).toEqual([first]);
      expect(await stale(first)).toEqual([]);

      // Leaves adjacent days, and the days of another project, stale.
      const done = await store.rollUp(PROJECT, [first + 40, first + 10, first + 1]);
      expect(done).toBeGreaterThanOrEqual(1);
      const rest = [40, 10, 1].slice(done);
      expect(await store.staleDays({ project: PROJECT, limit: 9 })).toEqual(
        ahead
          .filter((days) => rest.includes(days) || ![40, 10, 1].includes(days))
          .map((days) => first + days)
          .sort((a, b) => b - a),
      );
      expect(await list(store, "app")).toHaveLength(done);
      expect(await list(store, "app", OTHER_PROJECT)).toEqual([]);
    });

    it("prefers the smaller label, then no notification, among simultaneous ACCEPTED events", async () => {
      for (const [messageId, labels] of Object.entries({ x: ["b", "a"], y: ["", "a"], z: ["B", "a"] })) {
        await store.append(
          PROJECT,
          blocksOf(
            labels.map((analyticsLabel) => accepted({ messageId, analyticsLabel, notification: true })),
          ),
        );
      }
      await store.append(
        PROJECT,
        blocksOf([accepted({ messageId: "x", analyticsLabel: "a", notification: false })]),
      );
      await settle(store);
      expect(await list(store, "app")).toMatchObject([
        { data: { countMessagesAccepted: "1", countNotificationsAccepted: "1" } },
        { analyticsLabel: "B", data: { countMessagesAccepted: "1", countNotificationsAccepted: "1" } },
        { analyticsLabel: "a", data: { countMessagesAccepted: "1" } },
      ]);
    });

    it("lists newest days first, then labels in byte order, starting with the empty label", async () => {
      const labels = ["b", "", "Z", "a", "~", "0", "-", "%"];
      const days = ["2025-12-31", "2026-03-05", "2024-02-29"];
      const events = days.flatMap((day) =>
        labels.map((analyticsLabel) =>
          accepted({ messageId: `${day}${analyticsLabel}`, eventTime: `${day}T20:00:00Z`, analyticsLabel }),
        ),
      );
      await store.append(PROJECT, blocksOf(events));
      await settle(store);
      const ordered = ["", "%", "-", "0", "Z", "a", "b", "~"];
      expect(
        (await store.readEntries({ project: PROJECT, appId: "app", until: LAST_DAY, limit: 100 })).flatMap(
          ({ labels }) => labels,
        ),
      ).toEqual([...ordered, ...ordered, ...ordered]);
    });

    it("reads pages that start after an entry, and only days up to the requested one", async () => {
      const events = Array.from({ length: 60 }, (_, i) =>
        accepted({
          messageId: `m${i}`,
          eventTime: new Date(Date.UTC(2026, 0, 1 + (i % 6), 20)).toISOString(),
          analyticsLabel: `label-${i % 10}`,
        }),
      );
      await store.append(PROJECT, blocksOf(events));
      await settle(store);
      const whole = await list(store, "app");
      expect(whole).toHaveLength(30);
      for (const limit of [1, 7, 30, 31]) {
        const pages: unknown[] = [];
        let after: EntryPosition | undefined;
        for (;;) {
          const page = await store.readEntries({
            project: PROJECT,
            appId: "app",
            until: LAST_DAY,
            limit,
            ...(after && { after }),
          });
          const last = page.at(-1);
          if (last === undefined || last.length === 0) break;
          pages.push(...toJson(page));
          after = { day: last.days[last.length - 1] ?? 0, label: last.labels[last.length - 1] ?? "" };
        }
        expect(pages).toEqual(whole);
      }
      const until = Date.UTC(2026, 0, 3) / 86_400_000;
      expect(await list(store, "app", PROJECT, until)).toEqual(whole.slice(15));
    });

    it("separates projects and apps with identical message ids", async () => {
      await store.append(PROJECT, blocksOf([accepted({}), accepted({ appId: "other" })]));
      await store.append(OTHER_PROJECT, blocksOf([accepted({ notification: true })]));
      await settle(store);
      expect(await list(store, "app")).toMatchObject([{ data: { countMessagesAccepted: "1" } }]);
      expect(await list(store, "other")).toHaveLength(1);
      expect(await list(store, "app", OTHER_PROJECT)).toMatchObject([
        { data: { countNotificationsAccepted: "1" } },
      ]);
      expect(await list(store, "other", OTHER_PROJECT)).toEqual([]);
      expect(await list(store, "unknown")).toEqual([]);
    });

    describeHistories(() => store, runs);
    describePublish(() => store);
    if (openCopy !== undefined) describeSnapshot(() => store, openCopy);
    else {
      it("has no snapshots", () => {
        expect(store.snapshot).toBeUndefined();
      });
    }
    const reopenWith = async (nameLimits?: NameLimits): Promise<Store> => {
      await store.close();
      store = await subject.open(nameLimits);
      return store;
    };
    const reopen = async (): Promise<void> => {
      await reopenWith();
    };
    describeNameLimits(reopenWith);
    describeErasure(
      () => store,
      reopenWith,
      () => subject.compactFiles(store),
    );
    describeRetention(() => store, reopen, runs);
    describeMirror(() => store, reopen, runs);

    it("measures its messages and pending work", async () => {
      expect(await store.figures()).toMatchObject({
        messages: 0,
        waitingEvents: 0,
        waitingDays: 0,
        sealedDays: 0,
      });
      await store.append(PROJECT, blocksOf([accepted({}), accepted({ eventType: "DELIVERED" })]));
      const waiting = await store.figures();
      expect(waiting).toMatchObject({ waitingEvents: 2, waitingDays: 1, sealedDays: 0 });
      expect(waiting.waitingSince).toBeGreaterThan(Date.now() - 60_000);
      await settle(store);
      await store.seal(LAST_DAY);
      const done = { waitingEvents: 0, waitingDays: 0, waitingSince: undefined, sealedDays: 1 };
      const figures = await store.figures();
      expect(figures).toMatchObject(done);
      // An engine may count a message several times while its events are not merged.
      expect([1, 2]).toContain(figures.messages);
      expect(Object.values(figures.bytes).reduce((sum, bytes) => sum + bytes)).toBeGreaterThan(0);
    });

    it("publishes a day as a whole, and changes all versions that include it", async () => {
      const day = Date.UTC(2026, 2, 5) / 86_400_000;
      const versions = () =>
        Promise.all([store.version(PROJECT, day - 1), store.version(PROJECT, day), store.version("1", day)]);
      const before = await versions();
      expect(await store.isEmpty()).toBe(true);
      await store.append(PROJECT, blocksOf([accepted({})]));
      expect(await store.isEmpty()).toBe(false);
      expect(await list(store, "app")).toEqual([]);
      await settle(store);
      const after = await versions();
      expect(after.map((version, index) => version !== before[index])).toEqual([false, true, false]);
      expect(await list(store, "app")).toHaveLength(1);
    });

    it("never shows part of a day while the day is rolled up again", async () => {
      const events = Array.from({ length: 3000 }, (_, i) =>
        accepted({ messageId: `${i}`, analyticsLabel: `l${i % 300}` }),
      );
      await store.append(PROJECT, blocksOf(events));
      await settle(store);
      let done = false;
      const again = (async () => {
        for (let i = 0; i < 10; i++) {
          await store.append(PROJECT, blocksOf(events.slice(0, 2)));
          await settle(store);
        }
        done = true;
      })();
      const sizes = new Set<number>();
      while (!done) sizes.add((await list(store, "app")).length);
      await again;
      expect([...sizes]).toEqual([300]);
    });

    it("keeps a day stale until a rollup includes all its events, even across a restart", async () => {
      await store.append(PROJECT, blocksOf([accepted({})]));
      await store.close();
      store = await subject.open();
      const stale = await store.staleProjects();
      expect(stale).toMatchObject([{ project: PROJECT, days: 1 }]);
      expect(stale[0]?.since).toBeLessThanOrEqual(Date.now());
      expect(await store.staleDays({ project: PROJECT, limit: 9 })).toEqual([
        Date.UTC(2026, 2, 5) / 86_400_000,
      ]);
      await settle(store);
      expect(await store.staleProjects()).toEqual([]);
      await store.append(PROJECT, blocksOf([accepted({ messageId: "late" })]));
      expect(await store.staleProjects()).toMatchObject([{ project: PROJECT, days: 1 }]);
      await settle(store);
      await store.close();
      store = await subject.open();
      expect(await list(store, "app")).toMatchObject([{ data: { countMessagesAccepted: "2" } }]);
    });

    it("stores a block with thousands of distinct labels and apps, over many days", async () => {
      const events = Array.from({ length: 20_000 }, (_, i) =>
        accepted({
          appId: `app-${i % 5000}`,
          messageId: `m${i}`,
          analyticsLabel: `label-${i}`,
          eventTime: new Date(Date.UTC(2026, 0, 1 + (i % 50), 20)).toISOString(),
        }),
      );
      await store.append(PROJECT, blocksOf(events));
      await store.append(PROJECT, blocksOf(events.slice(0, 100)));
      await settle(store);
      expect(await list(store, "app-7")).toMatchObject([
        { analyticsLabel: "label-10007" },
        { analyticsLabel: "label-15007" },
        { analyticsLabel: "label-5007" },
        { analyticsLabel: "label-7" },
      ]);
    });

    it("stores blocks that are appended concurrently", async () => {
      await Promise.all(
        Array.from({ length: 50 }, (_, i) =>
          store.append(
            i % 2 === 0 ? PROJECT : OTHER_PROJECT,
            blocksOf([accepted({ messageId: `m${i}`, analyticsLabel: `l${i % 3}` })]),
          ),
        ),
      );
      await settle(store);
      const total = async (project: string) =>
        (await store.readEntries({ project, appId: "app", until: LAST_DAY, limit: 10 }))
          .flatMap(({ counts }) => [...(counts[0] ?? [])])
          .reduce((sum, count) => sum + count, 0);
      expect(await total(PROJECT)).toBe(25);
      expect(await total(OTHER_PROJECT)).toBe(25);
    });

    it("serializes concurrent rollups", async () => {
      await store.append(PROJECT, blocksOf([accepted({})]));
      await Promise.all([1, 2, 3].map(() => settle(store)));
      expect(await list(store, "app")).toHaveLength(1);
    });

    describe("an aborted signal", () => {
      const bigDay = Array.from({ length: 20_000 }, (_, i) =>
        accepted({ messageId: `${i}`, analyticsLabel: `l${i}` }),
      );
      const query: EntryQuery = { project: PROJECT, appId: "app", until: LAST_DAY, limit: 20_000 };
      const read = async (signal?: AbortSignal) => placesOf(await store.readEntries(query, signal)).length;
      const outcomeOf = (work: Promise<unknown>) =>
        work.then(
          (result) => ({ result }),
          (reason: unknown) => ({ reason }),
        );
      const newControllers = () => Array.from({ length: 40 }, () => new AbortController());

      it("cancels queued and running reads", async () => {
        await store.append(PROJECT, blocksOf(bigDay));
        await settle(store);
        const controllers = newControllers();
        const reads = controllers.map(({ signal }) => outcomeOf(read(signal)));
        for (const [i, controller] of controllers.entries()) controller.abort(`reason ${i}`);
        expect(await Promise.all(reads)).toEqual(controllers.map((_, i) => ({ reason: `reason ${i}` })));
        expect(await read()).toBe(20_000);
      });

      it("cancels a read at any moment, and no other read", async () => {
        await store.append(PROJECT, blocksOf(bigDay));
        await settle(store);
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
          return outcomeOf(store.append(PROJECT, blocksOf(events), signal));
        });
        for (const controller of controllers) controller.abort("gone");
        const outcomes = await Promise.all(appends);
        await settle(store);
        const entries = (await list(store, "app")) as { analyticsLabel: string; data: object }[];
        const counts = new Map(entries.map(({ analyticsLabel, data }) => [analyticsLabel, data]));
        for (const [i, outcome] of outcomes.entries()) {
          const data = counts.get(`append-${i}`);
          if ("reason" in outcome) expect([outcome.reason, data]).toEqual(["gone", undefined]);
          else expect(data).toMatchObject({ countMessagesAccepted: "2" });
        }
        expect(outcomes).toContainEqual({ reason: "gone" });
      });

      it("cancels queued sums and app lists", async () => {
        await store.append(PROJECT, blocksOf(bigDay));
        await settle(store);
        const groupBy = new Set(["label"] as const);
        const sums = { project: PROJECT, until: LAST_DAY, groupBy, limit: 20_000 };
        const apps = { project: PROJECT, until: LAST_DAY, limit: 10 };
        const controllers = newControllers();
        const reads = controllers.map(({ signal }, i) =>
          outcomeOf(i % 2 === 0 ? store.sumEntries(sums, signal) : store.listApps(apps, signal)),
        );
        for (const [i, controller] of controllers.entries()) controller.abort(`reason ${i}`);
        expect(await Promise.all(reads)).toEqual(controllers.map((_, i) => ({ reason: `reason ${i}` })));
        expect((await store.sumEntries(sums)).reduce((sum, { length }) => sum + length, 0)).toBe(20_000);
        expect(await store.listApps(apps)).toHaveLength(1);
      });

      it("cancels rollups, which publish nothing, and succeed the next time", async () => {
        await store.append(PROJECT, blocksOf([accepted({})]));
        const days = await store.staleDays({ project: PROJECT, limit: 10 });
        for (const controller of newControllers().slice(0, 3)) {
          const rollup = outcomeOf(store.rollUp(PROJECT, days, undefined, controller.signal));
          controller.abort("gone");
          expect(await rollup).toEqual({ reason: "gone" });
        }
        expect(await store.staleDays({ project: PROJECT, limit: 10 })).toEqual(days);
        expect(await list(store, "app")).toEqual([]);
        await settle(store);
        expect(await list(store, "app")).toHaveLength(1);
      });

      it("prevents calls after the abort", async () => {
        const signal = AbortSignal.abort("gone");
        expect(await outcomeOf(read(signal))).toEqual({ reason: "gone" });
        expect(await outcomeOf(store.append(PROJECT, blocksOf([accepted({})]), signal))).toEqual({
          reason: "gone",
        });
        expect(await store.isEmpty()).toBe(true);
      });
    });

    it("reports an unavailable store once it is closed", async () => {
      await store.check();
      await store.close();
      await expect(store.check()).rejects.toThrow(StoreUnavailableError);
      await expect(store.append(PROJECT, blocksOf([accepted({})]))).rejects.toThrow(StoreUnavailableError);
      await expect(list(store, "app")).rejects.toThrow(StoreUnavailableError);
      await expect(store.storeResponse(PROJECT, responseOf())).rejects.toThrow(StoreUnavailableError);
      await expect(readTexts(store)).rejects.toThrow(StoreUnavailableError);
      await expect(store.keepVersions(PROJECT, [versionOf()])).rejects.toThrow(StoreUnavailableError);
      await expect(readVersions(store)).rejects.toThrow(StoreUnavailableError);
      store = await subject.open();
    });
  });
}
