import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { testDirectory } from "../../../test/support/test-directory.js";
import { ApiError } from "../../api/api-error.js";
import { MAX_EVALUATED_APPS, MAX_EVALUATED_DAYS, MAX_EVALUATED_LABELS } from "../../limits/data-limits.js";
import { COUNTS, type DayEntries, type HistoryQuery } from "../../store/delivery-data-store.js";
import { DuckDbStore } from "../../store/duckdb/duckdb-store.js";
import { AppIncidents, type EvaluatedStore } from "./app-incidents.js";

const PROJECT = "123456789012";
const UNTIL = 20_000;
const { signal } = new AbortController();
const isMirrored = () => false;

let store: DuckDbStore;

beforeEach(async () => {
  store = await DuckDbStore.open({ directory: await testDirectory(), memoryLimit: "256MB" });
});
afterEach(() => store.close());

/** Messages of a label on a day, with the number of deliveries. */
interface Row {
  readonly appId?: string;
  readonly label: string;
  readonly accepted?: number;
  readonly delivered: number;
}

function entriesOf(rows: readonly Row[]): DayEntries {
  const column = (countOf: (row: Row) => number) => Float64Array.from(rows.map(countOf));
  return {
    length: rows.length,
    appIds: rows.map(({ appId = "app" }) => appId),
    labels: rows.map(({ label }) => label),
    counts: COUNTS.map((name) => {
      if (name === "count_messages_accepted") return column(({ accepted = 1_000 }) => accepted);
      return column(({ delivered }) => (name === "delivered" ? delivered : 0));
    }),
  };
}

/** Publishes recent days. `daysAgo` counts back from the last listed day. */
async function publish(rowsOf: (daysAgo: number) => readonly Row[], days = 60): Promise<void> {
  for (let daysAgo = days - 1; daysAgo >= 0; daysAgo--) {
    await store.publish(PROJECT, [{ day: UNTIL - daysAgo, entries: [entriesOf(rowsOf(daysAgo))] }]);
  }
}

/** About 90 % of 1,000, slightly different from day to day. */
const usual = (daysAgo: number): number => 900 + ((daysAgo * 7) % 11) - 5;

const shortly = (incidents: Awaited<ReturnType<AppIncidents["of"]>>) =>
  incidents.map(({ appId, label, outcome, startDay, endDay }) => [
    appId,
    label,
    outcome,
    startDay - UNTIL,
    endDay === undefined ? undefined : endDay - UNTIL,
  ]);

function counted(): { readonly from: EvaluatedStore; readonly reads: string[] } {
  const reads: string[] = [];
  return {
    reads,
    from: {
      version: (...call) => store.version(...call),
      listApps: (...call) => store.listApps(...call),
      sumEntries: (...call) => store.sumEntries(...call),
      digestCounts: (...call) => store.digestCounts(...call),
      readHistories: (query, signal) => {
        reads.push(query.appId);
        return store.readHistories(query, signal);
      },
    },
  };
}

describe("AppIncidents", () => {
  const faulty = (daysAgo: number): Row[] => [
    { label: "cart_reminder", delivered: daysAgo < 10 ? 360 : usual(daysAgo) },
    { label: "promo", delivered: usual(daysAgo + 3) },
    { label: "news", delivered: usual(daysAgo + 5) },
    { appId: "other", label: "promo", delivered: daysAgo === 20 ? 300 : usual(daysAgo) },
  ];

  it("evaluates published days up to the last listed day", async () => {
    await publish(faulty);
    const incidents = new AppIncidents(store, isMirrored);
    const found = await incidents.of({ project: PROJECT, appId: "app", until: UNTIL }, signal);
    expect(shortly(found)).toEqual([["app", "cart_reminder", "delivered", -9, undefined]]);
    const before = await incidents.of({ project: PROJECT, appId: "app", until: UNTIL - 10 }, signal);
    expect(before).toEqual([]);
    expect(await incidents.of({ project: PROJECT, appId: "unknown", until: UNTIL }, signal)).toEqual([]);
  });

  it("ignores days on which entries have no figures", async () => {
    const missing = (daysAgo: number, label: string): boolean =>
      daysAgo === 40 || (label === "promo" && daysAgo % 5 === 0) || (label === "news" && daysAgo < 6);
    const unknown = { accepted: 0, delivered: 0 };
    await publish((daysAgo) =>
      faulty(daysAgo).map((row) => (missing(daysAgo, row.label) ? { ...row, ...unknown } : row)),
    );
    const apps = { project: PROJECT, appId: "app", until: UNTIL };
    const found = await new AppIncidents(store, () => true).of(apps, signal);
    expect(shortly(found)).toEqual([["app", "cart_reminder", "delivered", -9, undefined]]);
    await publish((daysAgo) => faulty(daysAgo).filter(({ label }) => !missing(daysAgo, label)));
    expect(await new AppIncidents(store, () => true).of(apps, signal)).toEqual(found);
  });

  it("returns the incidents of all apps, newest first", async () => {
    await publish(faulty);
    const found = await new AppIncidents(store, isMirrored).of({ project: PROJECT, until: UNTIL }, signal);
    expect(shortly(found).map(([appId, , , start]) => [appId, start])).toEqual([
      ["app", -9],
      ["other", -20],
    ]);
  });

  it("evaluates an app again only after a day of the project was published", async () => {
    await publish(faulty, 40);
    const { from, reads } = counted();
    const incidents = new AppIncidents(from, isMirrored);
    const find = (until = UNTIL) => incidents.of({ project: PROJECT, until }, signal);
    await find();
    await incidents.of({ project: PROJECT, appId: "app", until: UNTIL }, signal);
    await find();
    expect(reads).toEqual(["app", "other"]);
    await store.publish(PROJECT, [
      { day: UNTIL + 1, entries: [entriesOf([{ label: "promo", delivered: 0 }])] },
    ]);
    await find();
    expect(reads).toHaveLength(2);
    await find(UNTIL + 1);
    expect(reads).toHaveLength(4);
    await store.publish(PROJECT, [
      { day: UNTIL, entries: [entriesOf([{ label: "promo", delivered: 900 }])] },
    ]);
    await find();
    expect(reads).toHaveLength(6);
  });

  it("does not evaluate an app again if a publication leaves its counts unchanged", async () => {
    await publish(faulty, 40);
    const { from, reads } = counted();
    const incidents = new AppIncidents(from, isMirrored);
    const find = () => incidents.of({ project: PROJECT, until: UNTIL }, signal);
    const before = await find();
    await store.publish(PROJECT, [{ day: UNTIL - 20, entries: [entriesOf(faulty(20))] }]);
    expect(await find()).toEqual(before);
    expect(reads).toEqual(["app", "other"]);
    const repaired = faulty(20).map((row) =>
      row.appId === "other" ? { ...row, delivered: usual(20) } : row,
    );
    await store.publish(PROJECT, [{ day: UNTIL - 20, entries: [entriesOf(repaired)] }]);
    expect(shortly(before).map(([appId]) => appId)).toEqual(["app", "other"]);
    expect(shortly(await find()).map(([appId]) => appId)).toEqual(["app"]);
    expect(reads).toEqual(["app", "other", "other"]);
  });
});

describe("AppIncidents under load", () => {
  /** A store with apps that have any number of labels and days. */
  const large = (labels: number, days: number, asked: HistoryQuery[] = []): EvaluatedStore => ({
    version: async () => "1",
    digestCounts: async () => "1",
    listApps: async () => [],
    sumEntries: async () => [
      {
        length: days,
        days: Array.from({ length: days }, (_, i) => UNTIL - i),
        counts: COUNTS.map(() => new Float64Array(days).fill(labels * 1_000)),
      },
    ],
    readHistories: async (query) => {
      asked.push(query);
      return Array.from({ length: labels }, (_, i) => ({
        label: `label-${i}`,
        days: Int32Array.from({ length: days }, (_, d) => UNTIL - days + 1 + d),
        counts: query.counts.map((name) =>
          new Float64Array(days).fill(name === "count_messages_accepted" ? 1_000 : 100),
        ),
      }));
    },
  });

  it("lets other work run while it evaluates 2,000 labels with 365 days", async () => {
    let turns = 0;
    let running = true;
    const others = (): void => {
      turns++;
      if (running) setImmediate(others);
    };
    setImmediate(others);
    await new AppIncidents(large(2_000, 365), isMirrored).of(
      { project: PROJECT, appId: "app", until: UNTIL },
      signal,
    );
    running = false;
    // At least one tick per twenty labels: the event loop never waits for the whole evaluation.
    expect(turns).toBeGreaterThan(100);
  });

  it("evaluates only the last days and the largest labels", async () => {
    const asked: HistoryQuery[] = [];
    await new AppIncidents(large(1, 10, asked), isMirrored).of(
      { project: PROJECT, appId: "app", until: UNTIL },
      signal,
    );
    expect(asked).toMatchObject([
      { since: UNTIL - MAX_EVALUATED_DAYS + 1, until: UNTIL, labels: MAX_EVALUATED_LABELS },
    ]);
  });

  it("evaluates one app at a time, for all callers", async () => {
    let [running, most] = [0, 0];
    const { readHistories, ...others } = large(1, 10);
    const incidents = new AppIncidents(
      {
        ...others,
        readHistories: async (...call) => {
          most = Math.max(most, ++running);
          await new Promise(setImmediate);
          running--;
          return readHistories(...call);
        },
      },
      isMirrored,
    );
    const apps = Array.from({ length: 5 }, (_, i) => ({ project: String(i), appId: "app", until: UNTIL }));
    await Promise.all(apps.map((app) => incidents.of(app, signal)));
    expect(most).toBe(1);
  });

  it("evaluates an app once for all waiting callers", async () => {
    const asked: HistoryQuery[] = [];
    const incidents = new AppIncidents(large(1, 10, asked), isMirrored);
    const app = { project: PROJECT, appId: "app", until: UNTIL };
    await Promise.all([1, 2, 3].map(() => incidents.of(app, signal)));
    expect(asked).toHaveLength(1);
  });

  it("stops when its signal aborts, and continues with the next app", async () => {
    const incidents = new AppIncidents(large(2_000, 365), isMirrored);
    const controller = new AbortController();
    const given = incidents.of({ project: "1", appId: "app", until: UNTIL }, controller.signal);
    const next = incidents.of({ project: "2", appId: "app", until: UNTIL }, signal);
    setImmediate(() => controller.abort("gone"));
    await expect(given).rejects.toBe("gone");
    await expect(next).resolves.toEqual([]);
  });

  it("rejects a project with too many apps", async () => {
    const { listApps: _, ...others } = large(1, 1);
    const incidents = new AppIncidents(
      {
        ...others,
        listApps: async ({ limit }) =>
          Array.from({ length: Math.min(limit, MAX_EVALUATED_APPS + 5) }, (_, i) => ({
            appId: `app-${i}`,
            firstDay: UNTIL,
            lastDay: UNTIL,
          })),
      },
      isMirrored,
    );
    const rejected = incidents.of({ project: PROJECT, until: UNTIL }, signal);
    await expect(rejected).rejects.toThrow(ApiError);
    await expect(rejected).rejects.toMatchObject({ reason: "TOO_MANY_APPS" });
  });
});
