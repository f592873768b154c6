import { withResolver } from "@waybill/client/support";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { PATIENCE_MS } from "../../../test/support/poll.js";
import { testDirectory } from "../../../test/support/test-directory.js";
import { ProcessLeases } from "../../control/embedded/process-leases.js";
import type { Fence } from "../../control/lease-store.js";
import { ProjectJob, type WorkObserver } from "../../jobs/project-job.js";
import { systemClock } from "../../model/clock.js";
import { type Day, dayOfCivil, LAST_DAY } from "../../model/day.js";
import type { ListedDays } from "../../model/due-days.js";
import { StoreUnavailableError } from "../../model/store-error.js";
import { DuckDbStore } from "../../store/duckdb/duckdb-store.js";
import type { Store } from "../../store/store.js";
import { blocksOf } from "../../store/testing/test-events.js";
import { type RollupStore, rollupWork } from "./rollup-work.js";

const PROJECT = "123456789012";
const DAY = dayOfCivil(2026, 3, 5);

let directory: string;
let store: Store;
let job: ProjectJob | undefined;

/** Days rolled up so far, in order. */
let rolledUp: Day[];
let listed: ListedDays;
let failures: { days: readonly Day[] | undefined; error: unknown }[];
const observer: WorkObserver = {
  done: (_, days) => void rolledUp.push(...days),
  failed: (error, attempt) => void failures.push({ days: attempt?.days, error }),
};

beforeEach(async () => {
  directory = await testDirectory();
  store = await DuckDbStore.open({ directory, memoryLimit: "256MB" });
  listed = { until: LAST_DAY, since: 0 };
  rolledUp = [];
  failures = [];
});
afterEach(async () => {
  vi.useRealTimers();
  await job?.runner.stop();
  await store.close();
});

function jobOf(over: Partial<RollupStore> = {}): ProjectJob {
  const work = rollupWork(
    {
      staleProjects: (listed) => store.staleProjects(listed),
      staleDays: (query) => store.staleDays(query),
      rollUp: (...call) => store.rollUp(...call),
      ...over,
    },
    () => listed,
  );
  job = new ProjectJob(work, new ProcessLeases(systemClock), observer);
  return job;
}

it.each([
  [
    "is slow",
    (signal?: AbortSignal) => new Promise<never>((_, reject) => signal?.addEventListener("abort", reject)),
  ],
  ["fails", () => Promise.reject(new StoreUnavailableError("out of memory"))],
])(
  "the rollup job lists another project's event while the rollup of one project %s",
  async (_, rollUpOfBad) => {
    const bad = "666";
    const event = { eventTime: "2026-03-05T20:00:00Z", eventType: "ACCEPTED", usageReportingOptIn: true };
    await store.append(bad, blocksOf([{ appId: "app", messageId: "m", ...event }]));
    const stop = new AbortController();
    let attempts = 0;
    jobOf({
      rollUp: (project, days, fence) => {
        if (project !== bad) return store.rollUp(project, days, fence);
        attempts++;
        return rollUpOfBad(stop.signal);
      },
    }).runner.start();
    await expect.poll(() => attempts).toBeGreaterThan(0);
    await append("m");
    job?.runner.notice();
    await expect.poll(listedMessages).toBe(1);
    expect(await store.staleDays({ project: bad, limit: 10 })).toEqual([DAY]);
    stop.abort();
  },
);

const append = (messageId: string, date = "2026-03-05") =>
  store.append(
    PROJECT,
    blocksOf([
      {
        appId: "app",
        messageId,
        eventTime: `${date}T20:00:00Z`,
        eventType: "ACCEPTED",
        usageReportingOptIn: true,
      },
    ]),
  );

async function listedMessages(): Promise<number> {
  const read = await store.readEntries({ project: PROJECT, appId: "app", until: LAST_DAY, limit: 10 });
  return read.reduce((sum, { counts }) => sum + (counts[0]?.reduce((a, b) => a + b, 0) ?? 0), 0);
}

const soon = { timeout: PATIENCE_MS, interval: 5 };

describe("the rollup job", () => {
  it("passes the lease's fencing number to the store, which can reject an older number", async () => {
    await append("a");
    const fences: (Fence | undefined)[] = [];
    jobOf({
      rollUp: (project, days, fence) => {
        fences.push(fence);
        return store.rollUp(project, days, fence);
      },
    }).runner.start();
    await vi.waitFor(() => expect(rolledUp).toHaveLength(1), soon);
    expect(fences).toEqual([{ lease: "rollup", number: 1 }]);
  });

  it("rolls up a day only once the day is listed", async () => {
    listed = { until: DAY - 1, since: Date.now() - 60_000 };
    await append("before");
    const job = jobOf();
    job.runner.start();
    await append("of a listed day", "2026-03-04");
    job.runner.notice();
    await vi.waitFor(() => expect(rolledUp).toEqual([DAY - 1]), soon);
    expect(await store.staleProjects(listed)).toEqual([]);

    listed = { until: DAY, since: Date.now() };
    job.runner.notice();
    await vi.waitFor(() => expect(rolledUp).toEqual([DAY - 1, DAY]), soon);
    expect(await listedMessages()).toBe(2);
  });

  it("rolls up a day after its events were stored, and again after more events", async () => {
    const job = jobOf();
    job.runner.start();
    for (const count of [1, 2, 3]) {
      await append(`m${count}`);
      job.runner.notice();
      await vi.waitFor(async () => expect(await listedMessages()).toBe(count), soon);
    }
    expect(await store.staleProjects()).toEqual([]);
    expect(failures).toEqual([]);
  });

  it("starts with the days that an earlier run has left stale", async () => {
    await append("a", "2026-03-07");
    await store.close();
    store = await DuckDbStore.open({ directory, memoryLimit: "256MB" });
    jobOf().runner.start();
    await vi.waitFor(() => expect(rolledUp).toEqual([DAY + 2]), soon);
  });

  it("rolls up days even if notices keep arriving", async () => {
    const job = jobOf();
    job.runner.start();
    await append("m");
    const notices = setInterval(() => job.runner.notice(), 5);
    try {
      await vi.waitFor(async () => expect(await listedMessages()).toBe(1), soon);
    } finally {
      clearInterval(notices);
    }
  });

  it("rarely queries the store while no day is stale", async () => {
    vi.useFakeTimers();
    let asked = 0;
    await append("m");
    jobOf({
      staleProjects: () => {
        asked++;
        return store.staleProjects();
      },
    }).runner.start();
    await vi.advanceTimersByTimeAsync(50);
    await vi.waitUntil(() => rolledUp.length === 1, soon);
    // A minute of polling, in steps, since the store runs in real time.
    for (let i = 0; i < 600; i++) {
      await vi.advanceTimersByTimeAsync(100);
      await store.check();
    }
    expect(asked).toBeLessThan(10);
    expect(asked).toBeGreaterThanOrEqual(2);
  });

  it("retries after a failure with growing pauses, and reports each failure", async () => {
    vi.useFakeTimers();
    const error = new StoreUnavailableError("no space");
    const attempts: number[] = [];
    await append("m");
    jobOf({
      rollUp: async (project, days) => {
        attempts.push(performance.now());
        if (attempts.length < 4) throw error;
        return store.rollUp(project, days);
      },
    }).runner.start();
    for (let step = 0; step < 2_000 && rolledUp.length === 0; step++) {
      await vi.advanceTimersByTimeAsync(50);
      await store.check();
    }
    expect(failures).toEqual(Array.from({ length: 3 }, () => ({ days: [DAY], error })));
    const [first = 0, second = 0, third = 0] = attempts.slice(1).map((at, i) => at - (attempts[i] ?? 0));
    expect(first).toBeGreaterThanOrEqual(1_000);
    expect(second).toBeGreaterThan(first);
    expect(third).toBeGreaterThan(second);
    expect(await listedMessages()).toBe(1);
  });

  it("retries if the store could not list the stale days", async () => {
    let left = 1;
    await append("m");
    jobOf({
      staleProjects: async () => {
        if (left-- > 0) throw new StoreUnavailableError("away");
        return store.staleProjects();
      },
    }).runner.start();
    await vi.waitFor(async () => expect(await listedMessages()).toBe(1), soon);
    expect(failures).toEqual([{ days: undefined, error: new StoreUnavailableError("away") }]);
  });

  it("rolls up other days while one day fails, and pauses the failing day despite notices", async () => {
    await append("bad", "2026-03-06");
    await append("good");
    const job = jobOf({
      rollUp: async (project, days) => {
        if (days.includes(DAY + 1)) throw new StoreUnavailableError("too large");
        return store.rollUp(project, days);
      },
    });
    const started = performance.now();
    job.runner.start();
    await vi.waitFor(() => expect(rolledUp).toEqual([DAY]), soon);
    for (const count of [2, 3, 4]) {
      await append(`good ${count}`);
      job.runner.notice();
      await vi.waitFor(() => expect(rolledUp).toHaveLength(count), soon);
    }
    // The first attempt was for both days together.
    expect(failures[0]?.days).toEqual([DAY + 1, DAY]);
    const alone = failures.filter(({ days }) => days?.length === 1);
    expect(new Set(alone.flatMap(({ days }) => days))).toEqual(new Set([DAY + 1]));
    // Its first retry comes after a second, the next after two more, regardless of the number of notices.
    expect(alone.length).toBeLessThanOrEqual(1 + (performance.now() - started) / 1000);
    expect(job.lag(Date.now() + 60_000)).toBeGreaterThanOrEqual(60_000);
  });

  it("shows no lag when no day is stale", async () => {
    await append("m");
    const job = jobOf();
    job.runner.start();
    await vi.waitFor(() => expect(rolledUp).toHaveLength(1), soon);
    await vi.waitFor(() => expect(job.lag(Date.now() + 60_000)).toBe(0), soon);
    expect(job.dueDays).toBe(0);
  });

  it.each([
    ["at most two seconds", false, 7],
    ["four times as long as its rollup, which counts the whole day", true, 4],
  ])("pauses a day %s while events keep arriving", async (_, countsWholeDays, rollups) => {
    vi.useFakeTimers();
    const job = jobOf({
      countsWholeDays,
      staleProjects: async () => [{ project: PROJECT, days: 1, since: 0 }],
      staleDays: async ({ before = LAST_DAY }) => (DAY < before ? [DAY] : []),
      rollUp: () => new Promise((resolve) => setTimeout(resolve, 1_000, 1)),
    });
    job.runner.start();
    await vi.advanceTimersByTimeAsync(20_000);
    expect(rolledUp).toHaveLength(rollups);
  });

  it("stops after the rollup in progress", async () => {
    await append("a", "2026-03-05");
    await append("b", "2026-03-06");
    const { promise: underWay, resolve: begun } = withResolver();
    const { promise: held, resolve: release } = withResolver();
    const job = jobOf({
      rollUp: async (project, days) => {
        begun();
        await held;
        return store.rollUp(project, days.slice(0, 1));
      },
    });
    job.runner.start();
    await underWay;
    let stopped = false;
    const stop = job.runner.stop().then(() => {
      stopped = true;
    });
    await store.check();
    expect(stopped).toBe(false);
    release();
    await stop;
    expect(rolledUp).toHaveLength(1);
    job.runner.notice();
    expect(await store.staleDays({ project: PROJECT, limit: 9 })).toEqual([DAY]);
  });
});
