import fc from "fast-check";
import { expect, it } from "vitest";
import { MessageEvent_EventTypeSchema as EventTypeSchema } from "../../../gen/waybill/messagingdata/v1beta1/message_event_pb.js";
import { LAST_DAY } from "../../../model/day.js";
import { COUNTS, type EntryColumns } from "../../delivery-data-store.js";
import type { Store } from "../../store.js";
import { list } from "../list-entries.js";
import { type NaiveEvent, naiveJson, naiveRollup } from "../naive-rollup.js";
import {
  accepted,
  blockOf,
  blocksOf,
  history,
  OTHER_PROJECT,
  PROJECT,
  settle,
  shortHistory,
} from "../test-events.js";

/** Returns the first entry's counts by name. */
const countsOf = (batch: EntryColumns | undefined): Record<string, number | undefined> =>
  Object.fromEntries(COUNTS.map((name, index) => [name, batch?.counts[index]?.[0]]));

/** Tests of rollups, for any engine. */
export function describeRollup(storeOf: () => Store, runs: (all: number) => number): void {
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
            await storeOf().append(number, blocksOf(shuffled.slice(start, start + size)));
            // Rollups between blocks make later events late.
            if ((random.next().value as number) % 2 === 0) await settle(storeOf());
          }
          await settle(storeOf());
          const expected = naiveRollup(events as NaiveEvent[]);
          for (const appId of ["app", "app-2"]) {
            const of = expected.filter((entry) => entry.appId === appId);
            expect(await list(storeOf(), appId, number)).toEqual(of.map(naiveJson));
          }
        },
      ),
      { numRuns: runs(60) },
    );
  });

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
    await storeOf().append(PROJECT, blocksOf(events));
    await settle(storeOf());
    expect(await list(storeOf(), "app")).toEqual(naiveRollup(events).map(naiveJson));
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
    const unknown = Array.from({ length: 31 - last }, (_, i) => blockOf([notification], () => last + 1 + i));
    await storeOf().append(PROJECT, [...blocksOf(known), ...unknown]);
    await settle(storeOf());
    expect(await list(storeOf(), "app")).toEqual(naiveRollup(known).map(naiveJson));
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
      late.push(accepted({ messageId, analyticsLabel: `late-${messageId}`, eventType: lateType, eventTime }));
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
    for (const [project, rollups] of [
      [PROJECT, [[[...sent, ...early]], [late]]],
      [OTHER_PROJECT, [[late], [sent], [early], [late]]],
      ["3000000", [[late, sent, early]]],
      ["3000001", [[early, late, sent]]],
    ] as const) {
      for (const imports of rollups) {
        for (const events of imports) await storeOf().append(project, blocksOf(events));
        await settle(storeOf());
      }
      expect(await list(storeOf(), "app", project)).toEqual(expected);
    }
  });

  it("counts proxy results only for notifications", async () => {
    const proxied = (messageId: string, notification: boolean) => [
      accepted({ messageId, notification }),
      { ...accepted({ messageId }), eventType: "PROXY_PROXIED", eventTime: "2026-03-05T12:00:01Z" },
    ];
    await storeOf().append(PROJECT, blocksOf([...proxied("a", false), ...proxied("b", true)]));
    await settle(storeOf());
    const [entry] = await storeOf().readEntries({
      project: PROJECT,
      appId: "app",
      until: LAST_DAY,
      limit: 9,
    });
    expect(countsOf(entry)).toMatchObject({
      count_messages_accepted: 2,
      count_notifications_accepted: 1,
      proxied: 1,
    });
  });

  it("computes the same result for days rolled up together as separately", async () => {
    let project = 2_000_000;
    await fc.assert(
      fc.asyncProperty(shortHistory, async (events) => {
        const [together, alone] = [String(project++), String(project++)];
        const append = async (appended: typeof events): Promise<void> => {
          for (const number of [together, alone]) await storeOf().append(number, blocksOf(appended));
        };
        await append(events);
        // One day's first events are counted before the second append, and those on other days after it.
        const first = await storeOf().staleDays({ project: together, limit: 1 });
        if (first.length > 0) await storeOf().rollUp(together, first);
        await append(events.filter((_, index) => index % 2 === 0));
        const stale = (number: string) => storeOf().staleDays({ project: number, limit: 100 });
        const days = await stale(together);
        for (let done = 0; done < days.length; ) done += await storeOf().rollUp(together, days.slice(done));
        for (const day of await stale(alone)) expect(await storeOf().rollUp(alone, [day])).toBe(1);
        for (const appId of ["app", "app-2"]) {
          expect(await list(storeOf(), appId, together)).toEqual(await list(storeOf(), appId, alone));
        }
      }),
      { numRuns: runs(40) },
    );
  });

  it("prefers the smaller label, then no notification, among simultaneous ACCEPTED events", async () => {
    for (const [messageId, labels] of Object.entries({ x: ["b", "a"], y: ["", "a"], z: ["B", "a"] })) {
      await storeOf().append(
        PROJECT,
        blocksOf(labels.map((analyticsLabel) => accepted({ messageId, analyticsLabel, notification: true }))),
      );
    }
    await storeOf().append(
      PROJECT,
      blocksOf([accepted({ messageId: "x", analyticsLabel: "a", notification: false })]),
    );
    await settle(storeOf());
    expect(await list(storeOf(), "app")).toMatchObject([
      { data: { countMessagesAccepted: "1", countNotificationsAccepted: "1" } },
      { analyticsLabel: "B", data: { countMessagesAccepted: "1", countNotificationsAccepted: "1" } },
      { analyticsLabel: "a", data: { countMessagesAccepted: "1" } },
    ]);
  });
}
