import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { type Day, dayOfCivil, LAST_DAY } from "../../model/day.js";
import { StoreUnavailableError } from "../../model/store-error.js";
import { DuckDbStore } from "../../store/duckdb/duckdb-store.js";
import { blocksOf } from "../../store/testing/test-events.js";
import { type RollupObserver, RollupScheduler, type RollupStore } from "./rollup-scheduler.js";

const PROJECT = "123456789012";
const DAY = dayOfCivil(2026, 3, 5);

let directory: string;
let store: DuckDbStore;
let scheduler: RollupScheduler | undefined;

/** Days rolled up so far, in order. */
let rolledUp: Day[];
let failures: { days: readonly Day[] | undefined; error: unknown }[];
const observer: RollupObserver = {
  rolledUp: (_, days) => void rolledUp.push(...days),
  failed: (error, attempt) => void failures.push({ days: attempt?.days, error }),
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

function schedulerOf(over: Partial<RollupStore> = {}): RollupScheduler {
  scheduler = new RollupScheduler(
    {
      staleProjects: () => store.staleProjects(),
      staleDays: (query) => store.staleDays(query),
      rollUp: (project, days) => store.rollUp(project, days),
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
  it("rolls a day up after its events were stored, and again after further ones", async () => {
    const scheduler = schedulerOf();
    scheduler.start();
    for (const count of [1, 2, 3]) {
      await append(`m${count}`);
      scheduler.notice();
      await vi.waitFor(async () => expect(await listed()).toBe(count), soon);
    }
    expect(await store.staleProjects()).toEqual([]);
    expect(failures).toEqual([]);
  });

  it("starts with the days that an earlier run left stale", async () => {
    await append("a", "2026-03-07");
    await store.close();
    store = await DuckDbStore.open({ directory, memoryLimit: "256MB" });
    schedulerOf().start();
    await vi.waitFor(() => expect(rolledUp).toEqual([DAY + 2]), soon);
  });

  it("rolls up even if notices never pause", async () => {
    const scheduler = schedulerOf();
    await append("m");
    const notices = setInterval(() => scheduler.notice(), 5);
    try {
      await vi.waitFor(async () => expect(await listed()).toBe(1), soon);
    } finally {
      clearInterval(notices);
    }
  });

  it("rarely queries the store while nothing is stale", async () => {
    vi.useFakeTimers();
    let asked = 0;
    await append("m");
    schedulerOf({
      staleProjects: () => {
        asked++;
        return store.staleProjects();
      },
    }).start();
    await vi.advanceTimersByTimeAsync(50);
    await vi.waitUntil(() => rolledUp.length === 1, soon);
    // A minute of polling, in steps, since the store answers in real time.
    for (let i = 0; i < 600; i++) {
      await vi.advanceTimersByTimeAsync(100);
      await store.check();
    }
    expect(asked).toBeLessThan(10);
    expect(asked).toBeGreaterThanOrEqual(2);
  });

  it("retries after a failure with growing delays, and reports each failure", async () => {
    vi.useFakeTimers();
    const error = new StoreUnavailableError("no space");
    const attempts: number[] = [];
    await append("m");
    schedulerOf({
      rollUp: async (...call) => {
        attempts.push(performance.now());
        if (attempts.length < 4) throw error;
        return store.rollUp(...call);
      },
    }).start();
    for (let step = 0; step < 2_000 && rolledUp.length === 0; step++) {
      await vi.advanceTimersByTimeAsync(50);
      await store.check();
    }
    expect(failures).toEqual(Array.from({ length: 3 }, () => ({ days: [DAY], error })));
    const [first = 0, second = 0, third = 0] = attempts.slice(1).map((at, i) => at - (attempts[i] ?? 0));
    expect(first).toBeGreaterThanOrEqual(1_000);
    expect(second).toBeGreaterThan(first);
    expect(third).toBeGreaterThan(second);
    expect(await listed()).toBe(1);
  });

  it("retries after the store failed to list what is stale", async () => {
    let left = 1;
    await append("m");
    schedulerOf({
      staleProjects: async () => {
        if (left-- > 0) throw new StoreUnavailableError("away");
        return store.staleProjects();
      },
    }).start();
    await vi.waitFor(async () => expect(await listed()).toBe(1), soon);
    expect(failures).toEqual([{ days: undefined, error: new StoreUnavailableError("away") }]);
  });

  it("rolls up other days while one fails, which has to wait regardless of notices", async () => {
    await append("bad", "2026-03-06");
    await append("good");
    const scheduler = schedulerOf({
      rollUp: async (project, days) => {
        if (days.includes(DAY + 1)) throw new StoreUnavailableError("too large");
        return store.rollUp(project, days);
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
    // The first attempt was for both days together.
    expect(failures[0]?.days).toEqual([DAY + 1, DAY]);
    const alone = failures.filter(({ days }) => days?.length === 1);
    expect(new Set(alone.flatMap(({ days }) => days))).toEqual(new Set([DAY + 1]));
    // Its first retry comes after a second, the next after two more, regardless of the number of notices.
    expect(alone.length).toBeLessThanOrEqual(1 + (performance.now() - started) / 1000);
    expect(scheduler.lag(Date.now() + 60_000)).toBeGreaterThanOrEqual(60_000);
  });

  it("has no lag once nothing is stale", async () => {
    await append("m");
    const scheduler = schedulerOf();
    scheduler.start();
    await vi.waitFor(() => expect(rolledUp).toHaveLength(1), soon);
    await vi.waitFor(() => expect(scheduler.lag(Date.now() + 60_000)).toBe(0), soon);
    expect(scheduler.staleDays).toBe(0);
  });

  it("stops after the rollup in progress, and starts no other", async () => {
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
      rollUp: async (project, days) => {
        begun();
        await held;
        return store.rollUp(project, days.slice(0, 1));
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
    expect(await store.staleDays({ project: PROJECT, limit: 9 })).toEqual([DAY]);
  });

  describe("with thousands of stale days", () => {
    const OTHER = "210987654321";
    const BUSY = 2_000;

    /**
     * Returns an in-memory store with the given stale days, and a record of the turns in which they were
     * rolled up.
     */
    function staleStore(stale: Record<string, Day[]>) {
      const projects = new Map(
        Object.entries(stale).map(([project, days]) => [project, new Set([...days].sort((a, b) => b - a))]),
      );
      const turns: { project: string; days: readonly Day[] }[] = [];
      let longestAnswer = 0;
      const inMemory: RollupStore = {
        staleProjects: async () =>
          [...projects]
            .filter(([, days]) => days.size > 0)
            .map(([project, days]) => ({ project, days: days.size, since: 0 })),
        staleDays: async ({ project, before = Number.POSITIVE_INFINITY, limit }) => {
          const answer = [...(projects.get(project) ?? [])].filter((day) => day < before).slice(0, limit);
          longestAnswer = Math.max(longestAnswer, answer.length);
          return answer;
        },
        rollUp: async (project, days) => {
          turns.push({ project, days });
          for (const day of days) projects.get(project)?.delete(day);
          return days.length;
        },
      };
      return { inMemory, projects, turns, longestAnswer: () => longestAnswer };
    }
    const manyDays = Array.from({ length: BUSY }, (_, i) => DAY - i);

    it("gives projects turns, each starting with recent days", async () => {
      const { inMemory, turns, longestAnswer } = staleStore({
        [PROJECT]: manyDays,
        [OTHER]: manyDays.slice(0, 600),
      });
      schedulerOf(inMemory).start();
      await vi.waitFor(() => expect(rolledUp).toHaveLength(BUSY + 600), soon);
      const order = turns.map(({ project }) => project);
      expect(order.slice(0, 6)).toEqual([PROJECT, OTHER, PROJECT, OTHER, PROJECT, OTHER]);
      for (const project of [PROJECT, OTHER]) {
        const days = turns.filter((turn) => turn.project === project).flatMap((turn) => turn.days);
        expect(days).toEqual(manyDays.slice(0, days.length));
      }
      expect(turns.every(({ days }) => days.length <= 256)).toBe(true);
      expect(longestAnswer()).toBeLessThanOrEqual(256);
    });

    it("serves a new project right after the turn in progress", async () => {
      const { inMemory, projects, turns } = staleStore({ [PROJECT]: manyDays, "3": manyDays, "4": manyDays });
      const scheduler = schedulerOf({
        ...inMemory,
        rollUp: async (project, days) => {
          if (turns.length === 4) {
            projects.set(OTHER, new Set([DAY]));
            scheduler.notice();
          }
          return inMemory.rollUp(project, days);
        },
      });
      scheduler.start();
      await vi.waitFor(() => expect(turns.length).toBeGreaterThan(5), soon);
      expect(turns[5]).toEqual({ project: OTHER, days: [DAY] });
    });

    it("finds the days that can be rolled up beyond those that rest", async () => {
      const { inMemory, projects, turns } = staleStore({ [PROJECT]: manyDays.slice(0, 600) });
      const scheduler = schedulerOf({
        ...inMemory,
        rollUp: async (project, days) => {
          await new Promise((resolve) => setTimeout(resolve, 60));
          return inMemory.rollUp(project, days);
        },
      });
      scheduler.start();
      await vi.waitFor(() => expect(rolledUp).toHaveLength(600), soon);
      const before = turns.length;
      projects.set(PROJECT, new Set(manyDays.slice(0, 601)));
      scheduler.notice();
      await vi.waitFor(() => expect(rolledUp).toHaveLength(1_201), soon);
      // The others rest for nine times as long as their rollups took.
      expect(turns[before]?.days).toEqual([DAY - 600]);
      expect(
        turns
          .slice(before)
          .flatMap(({ days }) => days)
          .sort((a, b) => b - a),
      ).toEqual(manyDays.slice(0, 601));
    });

    it("isolates a failing day with smaller turns, and rolls up all others", async () => {
      const bad = DAY - 77;
      const { inMemory } = staleStore({ [PROJECT]: manyDays.slice(0, 300) });
      schedulerOf({
        ...inMemory,
        rollUp: async (project, days) => {
          if (days.includes(bad)) throw new StoreUnavailableError("damaged");
          return inMemory.rollUp(project, days);
        },
      }).start();
      await vi.waitFor(() => expect(rolledUp).toHaveLength(299), soon);
      expect(rolledUp).not.toContain(bad);
      expect(failures.length).toBeLessThan(30);
    });

    it("pauses when every rollup fails", async () => {
      vi.useFakeTimers();
      let attempts = 0;
      const { inMemory } = staleStore({ [PROJECT]: manyDays });
      schedulerOf({
        ...inMemory,
        rollUp: async () => {
          attempts++;
          throw new StoreUnavailableError("away");
        },
      }).start();
      await vi.advanceTimersByTimeAsync(10_000);
      expect(attempts).toBeGreaterThan(20);
      expect(attempts).toBeLessThan(110);
    });
  });
});
