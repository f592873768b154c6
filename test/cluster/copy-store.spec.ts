import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { readKeys, sharedKey } from "../../src/control/keys.js";
import { type HistoryEntry, RECORD_KINDS } from "../../src/control/records.js";
import { type Day, LAST_DAY } from "../../src/model/day.js";
import { StoreOpenError } from "../../src/model/store-error.js";
import type { Copying } from "../../src/store/copy/copy-data.js";
import { COUNTS, type DayEntries } from "../../src/store/delivery-data-store.js";
import type { Store } from "../../src/store/store.js";
import type { NaiveEvent } from "../../src/store/testing/naive-rollup.js";
import {
  accepted,
  blocksOf,
  history,
  OTHER_PROJECT,
  PROJECT,
  settle,
} from "../../src/store/testing/test-events.js";
import { Cut, cutAfter, Move } from "../support/cluster/copying.js";
import { holdingProxy } from "../support/cluster/holding-proxy.js";
import { sharedChdb } from "../support/cluster/shared-servers.js";

/** Days of the events of `history`, and days between and around them. */
const DAYS = ["2026-03-06", "2026-03-07", "2026-03-08", "2026-03-09", "2026-11-01", "2026-11-02"].map(
  (text): Day => Date.parse(text) / 86_400_000,
);
const project = fc.constantFrom(PROJECT, OTHER_PROJECT);
const someEvents: fc.Arbitrary<readonly NaiveEvent[]> = history;
const day = fc.constantFrom(...DAYS);

const step = fc.oneof(
  { weight: 3, arbitrary: fc.record({ kind: fc.constant("append" as const), project, events: someEvents }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("settle" as const) }) },
  fc.record({ kind: fc.constant("publish" as const), project, day, entries: fc.nat({ max: 3 }) }),
  fc.record({ kind: fc.constant("seal" as const), day }),
  fc.record({
    kind: fc.constant("expire" as const),
    project,
    entriesUntil: fc.option(day, { nil: undefined }),
  }),
);
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

const someEntries = (length: number): DayEntries => ({
  length,
  appIds: Array.from({ length }, (_, i) => `other-app-${i}`),
  labels: Array.from({ length }, (_, i) => (i === 0 ? "" : "ä")),
  counts: COUNTS.map((_, index) => Float64Array.from({ length }, (_, i) => 100 * i + index)),
});

async function take(store: Store, taken: Step): Promise<void> {
  switch (taken.kind) {
    case "append":
      await store.append(taken.project, blocksOf(taken.events));
      return;
    case "settle":
      return settle(store);
    case "publish":
      return store.publish(taken.project, [{ day: taken.day, entries: [someEntries(taken.entries)] }]);
    case "seal":
      return store.seal(taken.day);
    case "expire": {
      const { project, entriesUntil } = taken;
      const days = await store.expiredDays({ project, entriesUntil, limit: 9 });
      if (days.length > 0) await store.removeExpired(project, days, entriesUntil);
    }
  }
}

/** Contents of a store that its copy must also have. */
async function shownBy(store: Store) {
  const ofProject = async (project: string) => ({
    entries: (await store.readEntries({ project, until: LAST_DAY, limit: 10_000 })).flatMap(
      ({ length, days, appIds, labels, counts }) =>
        Array.from({ length }, (_, i) => [
          days[i],
          appIds[i],
          labels[i],
          ...counts.map((column) => column[i]),
        ]),
    ),
    stale: await store.staleDays({ project, limit: 99 }),
    expired: await store.expiredDays({ project, entriesUntil: LAST_DAY, limit: 99 }),
  });
  const { waitingEvents, waitingDays, waitingSince } = await store.figures();
  return {
    projects: await Promise.all([PROJECT, OTHER_PROJECT].map(ofProject)),
    waiting: { waitingEvents, waitingDays, waitingSince },
    isEmpty: await store.isEmpty(),
  };
}

async function move<T>(work: (move: Move) => Promise<T>, url?: string): Promise<T> {
  const begun = await Move.begin(url);
  return work(begun).finally(() => begun.end());
}

/** Performs steps with the embedded store. @returns its contents. */
const embeddedAfter = (move: Move, steps: readonly Step[]) =>
  move.embedded(async (store) => {
    for (const taken of steps) await take(store, taken);
    return shownBy(store);
  });

const noonOf = (day: number): string => new Date(day * 86_400_000 + 72_000_000).toISOString();
const [DAY = 0, , LATER = 0] = DAYS;
const events = (day: Day, ...labels: readonly string[]) =>
  labels.flatMap((analyticsLabel) => {
    const event = accepted({ messageId: `${day}/${analyticsLabel}`, eventTime: noonOf(day), analyticsLabel });
    return [event, { ...event, eventType: "DELIVERED" }];
  });
const append = (...each: ReturnType<typeof events>[]): Step => ({
  kind: "append",
  project: PROJECT,
  events: each.flat(),
});

/**
 * Days in every state: rolled up, published by a mirror, both, sealed, without message states, and due for a rollup.
 */
const EVERYTHING: readonly Step[] = [
  append(...DAYS.slice(0, 5).map((day) => events(day, "", "a", "B"))),
  { kind: "settle" },
  { kind: "publish", project: PROJECT, day: LATER, entries: 2 },
  { kind: "publish", project: OTHER_PROJECT, day: DAY, entries: 3 },
  { kind: "seal", day: DAY },
  { kind: "expire", project: PROJECT, entriesUntil: undefined },
  append(...DAYS.slice(2).map((day) => events(day, "B", "b"))),
  { kind: "seal", day: LATER },
];

const changeOf = (revision: number): HistoryEntry => ({
  kind: RECORD_KINDS.appAttestConfig.name,
  key: `${PROJECT}/app`,
  revision,
  time: 1_000_000 + revision,
  value: { config: { tokenTtl: `${3_600 + revision}s` }, revision },
  note: { principal: "editor@example.com", updateMask: "tokenTtl", previous: {} },
});
const CHANGES = [changeOf(1), changeOf(2)];

/** Control data with a history, and optionally another record. */
const recordsOf = (history: readonly HistoryEntry[], document?: string): NonNullable<Copying["records"]> => ({
  allHistory: async function* () {
    yield history;
  },
  allRecords: async function* () {
    const last = history.at(-1);
    if (last?.value !== undefined) yield [{ ...last, value: last.value, isFollowed: true }];
    if (document !== undefined)
      yield [{ kind: "webhook", key: "a/1", value: document, revision: 9, isFollowed: false }];
  },
});

/** Number of batches after which a copy is interrupted. */
const CUTS = [0, 2, 7];
const LATE = DAYS.flatMap((day) => events(day, "a", "c"));

it("a copy has the same figures in the cluster as in the embedded store, even with late events and after interruptions", async () => {
  const late = fc.tuple(project, someEvents);
  const cut = fc.nat({ max: 12 });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 12 }), cut, late, (steps, batches, late) =>
      move(async (move) => {
        const shown = await embeddedAfter(move, steps);
        const cut = await move.copy((source) => cutAfter(source, batches)).catch((error: unknown) => error);
        if (cut instanceof Cut) expect((await move.copy()).problems).toEqual([]);
        else expect(cut).toMatchObject({ problems: [] });
        expect(await move.clustered(shownBy)).toEqual(shown);
        const goOn = async (store: Store) => {
          const { tooLate } = await store.append(late[0], blocksOf(late[1]));
          await settle(store);
          return { tooLate, projects: (await shownBy(store)).projects };
        };
        expect(await move.clustered(goOn)).toEqual(await move.embedded(goOn));
      }),
    ),
    {
      numRuns: 6,
      examples: CUTS.map((batches): [Step[], number, [typeof PROJECT, readonly NaiveEvent[]]] => [
        [...EVERYTHING],
        batches,
        [PROJECT, LATE],
      ]),
    },
  );
});

describe("waybill copy into a cluster", () => {
  it("rejects a cluster that has a complete copy", () =>
    move(async (move) => {
      await embeddedAfter(move, EVERYTHING);
      await move.copy();
      await expect(move.copy()).rejects.toThrow(/^the PostgreSQL database .* has a complete copy;/);
    }));

  test.each<[what: string, step: Step | undefined, changes: readonly HistoryEntry[]]>([
    ["days", append(events(LATER + 1, "later")), CHANGES],
    ["sealed days", { kind: "seal", day: LATER + 1 }, CHANGES],
    ["changes", undefined, [...CHANGES, changeOf(3)]],
  ])("rejects a cluster with part of a copy that has other %s", (_, step, changes) =>
    move(async (move) => {
      await embeddedAfter(move, EVERYTHING);
      const cut = move.copy((source) => cutAfter(source, 3), { records: recordsOf(CHANGES) });
      await expect(cut).rejects.toBeInstanceOf(Cut);
      if (step !== undefined) await embeddedAfter(move, [step]);
      await expect(move.copy(undefined, { records: recordsOf(changes) })).rejects.toThrow(
        /has part of a copy of other data;/,
      );
      if (step === undefined) await move.copy(undefined, { records: recordsOf(CHANGES) });
    }),
  );

  it("skips days that an earlier attempt has copied, and reports its progress", () =>
    move(async (move) => {
      await embeddedAfter(move, EVERYTHING);
      const read: string[] = [];
      let [total, done] = [0, 0];
      const copy = (batches: number) =>
        move.copy(
          (source) => {
            const cut = cutAfter(source, batches);
            return {
              ...cut,
              states: (project, days) => {
                read.push(`${project} ${days}`);
                return cut.states(project, days);
              },
            };
          },
          {
            onTotal: (rows) => {
              total = rows;
              done = 0;
            },
            onRows: (rows) => {
              done += rows;
            },
          },
        );
      await expect(copy(7)).rejects.toBeInstanceOf(Cut);
      const copied = read.splice(0);
      const begun = copied.pop();
      expect(copied.length).toBeGreaterThan(0);
      expect(done).toBeLessThan(total);
      const { states, entries } = await copy(Number.POSITIVE_INFINITY);
      expect(read[0]).toBe(begun);
      expect(read.filter((days) => copied.includes(days))).toEqual([]);
      expect([done, total]).toEqual(new Array(2).fill(states + entries));
    }));

  it("copies each configuration change and each key once", () =>
    move(async (move) => {
      await embeddedAfter(move, EVERYTHING);
      const keys = new Map([["page-token.key", "secret"]]);
      const cut = move.copy((source) => cutAfter(source, 3), { records: recordsOf(CHANGES), keys });
      await expect(cut).rejects.toBeInstanceOf(Cut);
      const copied = await move.copy(undefined, { records: recordsOf(CHANGES), keys });
      expect(copied).toMatchObject({ changes: 2, problems: [] });
      const control = move.control();
      const kinds = [RECORD_KINDS.appAttestConfig];
      expect(await control.records.history({ kinds, limit: 10 })).toEqual(CHANGES);
      expect(await control.records.get(RECORD_KINDS.appAttestConfig, `${PROJECT}/app`)).toMatchObject({
        revision: 2,
        value: { revision: 2 },
      });
      expect(await readKeys(control.records)).toEqual(keys);
    }));

  it("rejects a cluster with other keys", () =>
    move(async (move) => {
      await embeddedAfter(move, EVERYTHING);
      await sharedKey(move.control().records, "page-token.key", () => "another");
      const rejected = move.copy(undefined, { keys: new Map([["page-token.key", "secret"]]) });
      await expect(rejected).rejects.toThrow(/^the target already has a different key: page-token.key in /);
    }));

  it("rejects a cluster with other control data", () =>
    move(async (move) => {
      await embeddedAfter(move, EVERYTHING);
      await move.control().copy.addRecords([], [changeOf(1)]);
      await expect(move.copy(undefined, { records: recordsOf([changeOf(2)]) })).rejects.toThrow(
        /^the PostgreSQL database .* has other data;/,
      );
    }));

  it("reports missing changes, and leaves the copy incomplete", () =>
    move(async (move) => {
      await embeddedAfter(move, EVERYTHING);
      const { copy } = move.control();
      const losing = Object.assign(copy, { historyLength: async () => 1 });
      for (let attempt = 0; attempt < 2; attempt++) {
        const { problems } = await move.copy(undefined, { records: recordsOf(CHANGES), copy: losing });
        expect(problems).toEqual(["the history has 1 changes instead of 2"]);
      }
    }));

  it("copies the control data of services as it is at the last attempt", () =>
    move(async (move) => {
      await embeddedAfter(move, EVERYTHING);
      const copyWith = (text: string, over: Partial<Copying> = {}) =>
        move.copy(undefined, {
          records: recordsOf(CHANGES, text),
          ...over,
        });
      const { records, copy } = move.control();
      const remembered = async () => (await records.get(RECORD_KINDS.webhook, "a/1"))?.value;
      await copyWith("1", { copy: Object.assign(copy, { historyLength: async () => 0 }) });
      expect(await remembered()).toBe("1");
      expect((await copyWith("2")).problems).toEqual([]);
      expect(await remembered()).toBe("2");
    }));

  it("stores each entry once, even if the response to an insert is lost", async () => {
    const proxy = await holdingProxy(await sharedChdb());
    await move(async (move) => {
      const shown = await embeddedAfter(move, EVERYTHING);
      const stored = proxy.hold(/^INSERT INTO \S+\.entries /);
      const copied = move.copy();
      await stored;
      proxy.cut();
      expect((await copied).problems).toEqual([]);
      expect(await move.clustered(shownBy)).toEqual(shown);
    }, proxy.url).finally(() => proxy.close());
  });

  it("rejects a cluster with other data in any table", () =>
    move(async (move) => {
      await embeddedAfter(move, EVERYTHING);
      await move.clustered((store) => store.append(PROJECT, blocksOf(events(LATER, "other"))));
      await expect(move.copy()).rejects.toThrow(/^the ClickHouse database has other data;/);
      await move.loseControl();
      await expect(move.copy()).rejects.toThrow(StoreOpenError);
    }));

  it("rejects a cluster that has sealed days", () =>
    move(async (move) => {
      await embeddedAfter(move, EVERYTHING);
      await move.clustered((store) => store.seal(DAY));
      await expect(move.copy()).rejects.toThrow(/^the PostgreSQL database .* has other data;/);
    }));

  it("reports each count that differs, and leaves the copy incomplete", () =>
    move(async (move) => {
      await embeddedAfter(move, EVERYTHING);
      async function* nothing() {}
      const { problems } = await move.copy((source) => ({
        ...cutAfter(source, Number.POSITIVE_INFINITY),
        states: nothing,
        entries: (project, first, last) => (first <= DAY ? nothing() : source.entries(project, first, last)),
      }));
      expect(problems).toContain(
        "project 123456789012, 2026-03-08: the number of messages is 0 instead of 4",
      );
      expect(problems.filter((line) => line.includes("the sum of")).length).toBeGreaterThan(0);
      await expect(move.copy()).resolves.toMatchObject({ problems });
    }));
});
