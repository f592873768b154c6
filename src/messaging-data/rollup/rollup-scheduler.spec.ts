import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { type Day, dayOfCivil, LAST_DAY } from "../../store/day.js";
import { DuckDbStore } from "../../store/duckdb/duckdb-store.js";
import type { MessageEventStore, ProjectDay } from "../../store/message-event-store.js";
import { StoreUnavailableError } from "../../store/store-error.js";
import { blocksOf } from "../../store/testing/test-events.js";
import { RollupScheduler } from "./rollup-scheduler.js";

const PROJECT = "123456789012";
const DAY = dayOfCivil(2026, 3, 5);

let directory: string;
let store: DuckDbStore;
let scheduler: RollupScheduler | undefined;

/** What happened, in order. */
let rolledUp: Day[];
let failures: { day: Day | undefined; error: unknown }[];
const observer = {
  rolledUp: ({ day }: ProjectDay) => void rolledUp.push(day),
  failed: (day: ProjectDay | undefined, error: unknown) => void failures.push({ day: day?.day, error }),
};

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "waybill-rollup-"));
  store = await DuckDbStore.open({ directory, memoryLimit: "256MB" });
  rolledUp = [];
  failures = [];
});
afterEach(async () => {
  vi.useRealTimers();
  await scheduler?.stop();
  await store.close();
  await rm(directory, { recursive: true });
});

function schedulerOf(over: Partial<MessageEventStore> = {}): RollupScheduler {
  scheduler = new RollupScheduler(
    {
      append: (project, events) => store.append(project, events),
      isEmpty: () => store.isEmpty(),
      staleDays: () => store.staleDays(),
      rollUp: (day) => store.rollUp(day),
      ...over,
    },
    observer,
  );
  return scheduler;
}

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

async function listed(): Promise<number> {
  const read = await store.readEntries({ project: PROJECT, appId: "app", until: LAST_DAY, limit: 10 });
  return read.reduce((sum, { counts }) => sum + (counts[0]?.reduce((a, b) => a + b, 0) ?? 0), 0);
}

const soon = { timeout: 5_000, interval: 5 };

describe("RollupScheduler", () => {
  it("rolls a day up after its events were stored, and again after more were", async () => {
    const scheduler = schedulerOf();
    scheduler.start();
    for (const count of [1, 2, 3]) {
      await append(`m${count}`);
      scheduler.notice();
      await vi.waitFor(async () => expect(await listed()).toBe(count), soon);
    }
    expect(await store.staleDays()).toEqual([]);
    expect(failures).toEqual([]);
  });

  it("begins with what an earlier run left stale", async () => {
    await append("a", "2026-03-07");
    await store.close();
    store = await DuckDbStore.open({ directory, memoryLimit: "256MB" });
    schedulerOf().start();
    await vi.waitFor(() => expect(rolledUp).toEqual([DAY + 2]), soon);
  });

  it("rolls up while notices never pause", async () => {
    const scheduler = schedulerOf();
    await append("m");
    const notices = setInterval(() => scheduler.notice(), 5);
    try {
      await vi.waitFor(async () => expect(await listed()).toBe(1), soon);
    } finally {
      clearInterval(notices);
    }
  });

  it("leaves the store alone while nothing is stale", async () => {
    vi.useFakeTimers();
    let asked = 0;
    await append("m");
    schedulerOf({
      staleDays: () => {
        asked++;
        return store.staleDays();
      },
    }).start();
    await vi.advanceTimersByTimeAsync(50);
    await vi.waitUntil(() => rolledUp.length === 1, soon);
    // A minute of polling, a step at a time, as the store answers in its own time.
    for (let i = 0; i < 600; i++) {
      await vi.advanceTimersByTimeAsync(100);
      await store.check();
    }
    expect(asked).toBeLessThan(10);
    expect(asked).toBeGreaterThanOrEqual(2);
  });

  it("tries again after a failure, each time after a longer rest, and tells of it", async () => {
    vi.useFakeTimers();
    const error = new StoreUnavailableError("no space");
    const attempts: number[] = [];
    await append("m");
    schedulerOf({
      rollUp: async (day) => {
        attempts.push(performance.now());
        if (attempts.length < 4) throw error;
        await store.rollUp(day);
      },
    }).start();
    for (let step = 0; step < 2_000 && rolledUp.length === 0; step++) {
      await vi.advanceTimersByTimeAsync(50);
      await store.check();
    }
    expect(failures).toEqual(Array.from({ length: 3 }, () => ({ day: DAY, error })));
    const [first = 0, second = 0, third = 0] = attempts.slice(1).map((at, i) => at - (attempts[i] ?? 0));
    expect(first).toBeGreaterThanOrEqual(1_000);
    expect(second).toBeGreaterThan(first);
    expect(third).toBeGreaterThan(second);
    expect(await listed()).toBe(1);
  });

  it("tries again when the store cannot even say what is stale", async () => {
    let left = 1;
    await append("m");
    schedulerOf({
      staleDays: async () => {
        if (left-- > 0) throw new StoreUnavailableError("away");
        return store.staleDays();
      },
    }).start();
    await vi.waitFor(async () => expect(await listed()).toBe(1), soon);
    expect(failures).toEqual([{ day: undefined, error: new StoreUnavailableError("away") }]);
  });

  it("rolls up the other days although one fails, which has to wait even while notices come", async () => {
    await append("bad", "2026-03-06");
    await append("good");
    const scheduler = schedulerOf({
      rollUp: async (day) => {
        if (day.day === DAY + 1) throw new StoreUnavailableError("too large");
        await store.rollUp(day);
      },
    });
    const started = performance.now();
    scheduler.start();
    await vi.waitFor(() => expect(rolledUp).toEqual([DAY]), soon);
    for (const count of [2, 3, 4]) {
      await append(`good ${count}`);
      scheduler.notice();
      await vi.waitFor(() => expect(rolledUp).toHaveLength(count), soon);
    }
    expect(new Set(failures.map(({ day }) => day))).toEqual(new Set([DAY + 1]));
    // Its first retry comes after a second, the next after two more, however many notices there were.
    expect(failures.length).toBeLessThanOrEqual(1 + (performance.now() - started) / 1000);
    expect(scheduler.lag(Date.now() + 60_000)).toBeGreaterThanOrEqual(60_000);
  });

  it("has no lag once nothing is stale", async () => {
    await append("m");
    const scheduler = schedulerOf();
    scheduler.start();
    await vi.waitFor(() => expect(rolledUp).toHaveLength(1), soon);
    expect(scheduler.lag(Date.now() + 60_000)).toBe(0);
  });

  it("stops after the rollup under way, and starts no other", async () => {
    await append("a", "2026-03-05");
    await append("b", "2026-03-06");
    let begun: () => void = () => {};
    let release: () => void = () => {};
    const underWay = new Promise<void>((resolve) => {
      begun = resolve;
    });
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const scheduler = schedulerOf({
      rollUp: async (day) => {
        begun();
        await held;
        await store.rollUp(day);
      },
    });
    scheduler.start();
    await underWay;
    let stopped = false;
    const stop = scheduler.stop().then(() => {
      stopped = true;
    });
    await store.check();
    expect(stopped).toBe(false);
    release();
    await stop;
    expect(rolledUp).toHaveLength(1);
    scheduler.notice();
    expect(await store.staleDays()).toHaveLength(1);
  });
});
