import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { ProcessLeases } from "../control/embedded/process-leases.js";
import type { LeaseStore } from "../control/lease-store.js";
import { systemClock } from "../model/clock.js";
import { type Day, dayOfCivil } from "../model/day.js";
import { FencedError, StoreOutageError, StoreUnavailableError } from "../model/store-error.js";
import { ProjectJob, type WorkObserver } from "./project-job.js";
import type { DueProject, ProjectWork } from "./project-work.js";

const PROJECT = "123456789012";
const DAY = dayOfCivil(2026, 3, 5);

let jobs: ProjectJob[];

/** Days done so far, in order. */
let done: Day[];
let failures: { days: readonly Day[] | undefined; error: unknown }[];
const observer: WorkObserver = {
  done: (_, days) => void done.push(...days),
  failed: (error, attempt) => void failures.push({ days: attempt?.days, error }),
};

beforeEach(() => {
  vi.useFakeTimers();
  jobs = [];
  done = [];
  failures = [];
});
afterEach(async () => {
  const stopping = Promise.all(jobs.map((job) => job.runner.stop()));
  // Ends the work in progress, which waits for these timers.
  await vi.advanceTimersByTimeAsync(200_000);
  vi.useRealTimers();
  await stopping;
});

function jobOf(work: ProjectWork, leases: LeaseStore = new ProcessLeases(systemClock)): ProjectJob {
  const job = new ProjectJob(work, leases, observer);
  jobs.push(job);
  return job;
}

describe("ProjectJob with thousands of due days", () => {
  const OTHER = "210987654321";
  const BUSY = 2_000;

  /** Returns work with these due days, and a record of the slots in which they were done. */
  function workOf(due: Record<string, Day[]>) {
    const projects = new Map(
      Object.entries(due).map(([project, days]) => [project, new Set([...days].sort((a, b) => b - a))]),
    );
    const slots: { project: string; days: readonly Day[] }[] = [];
    let longestResponse = 0;
    const work: ProjectWork = {
      name: "work",
      dueProjects: async () =>
        [...projects]
          .filter(([, days]) => days.size > 0)
          .map(([project, days]) => ({ project, days: days.size, since: 0 })),
      dueDays: async ({ project, after = Number.POSITIVE_INFINITY, limit }) => {
        const response = [...(projects.get(project) ?? [])].filter((day) => day < after).slice(0, limit);
        longestResponse = Math.max(longestResponse, response.length);
        return response;
      },
      run: async (project, days) => {
        slots.push({ project, days });
        for (const day of days) projects.get(project)?.delete(day);
        return days.length;
      },
    };
    return { work, projects, slots, longestResponse: () => longestResponse };
  }
  const manyDays = Array.from({ length: BUSY }, (_, i) => DAY - i);

  it("assigns slots to projects, each starting with the most urgent days", async () => {
    const { work, slots, longestResponse } = workOf({
      [PROJECT]: manyDays,
      [OTHER]: manyDays.slice(0, 600),
    });
    jobOf(work).runner.start();
    await vi.advanceTimersByTimeAsync(5_000);
    expect(done).toHaveLength(BUSY + 600);
    const order = slots.map(({ project }) => project);
    expect(order.slice(0, 6)).toEqual([PROJECT, OTHER, PROJECT, OTHER, PROJECT, OTHER]);
    for (const project of [PROJECT, OTHER]) {
      const days = slots.filter((slot) => slot.project === project).flatMap((slot) => slot.days);
      expect(days).toEqual(manyDays.slice(0, days.length));
    }
    expect(slots.every(({ days }) => days.length <= 256)).toBe(true);
    expect(longestResponse()).toBeLessThanOrEqual(256);
  });

  it("serves a new project right after the slot in progress", async () => {
    const { work, projects, slots } = workOf({ [PROJECT]: manyDays, "3": manyDays, "4": manyDays });
    const job = jobOf({
      ...work,
      run: async (project, days, fence, signal) => {
        if (slots.length === 4) {
          projects.set(OTHER, new Set([DAY]));
          job.runner.notice();
        }
        return work.run(project, days, fence, signal);
      },
    });
    job.runner.start();
    await vi.advanceTimersByTimeAsync(5_000);
    expect(slots[5]).toEqual({ project: OTHER, days: [DAY] });
  });

  it("finds due days beyond days that are pausing", async () => {
    const { work, projects, slots } = workOf({ [PROJECT]: manyDays.slice(0, 600) });
    const job = jobOf({
      ...work,
      run: async (project, days, fence, signal) => {
        await new Promise((resolve) => setTimeout(resolve, 150));
        return work.run(project, days, fence, signal);
      },
    });
    job.runner.start();
    // The job waits a quarter of a second for further notices, then works in three slots.
    await vi.advanceTimersByTimeAsync(700);
    expect(done).toHaveLength(600);
    const before = slots.length;
    projects.set(PROJECT, new Set(manyDays.slice(0, 601)));
    job.runner.notice();
    await vi.advanceTimersByTimeAsync(2_000);
    expect(done).toHaveLength(1_201);
    // The other days pause four times as long as their work lasted.
    expect(slots[before]?.days).toEqual([DAY - 600]);
    expect(
      slots
        .slice(before)
        .flatMap(({ days }) => days)
        .sort((a, b) => b - a),
    ).toEqual(manyDays.slice(0, 601));
  });

  it("isolates a failing day by smaller slots, and processes all other days", async () => {
    const bad = DAY - 77;
    const { work } = workOf({ [PROJECT]: manyDays.slice(0, 300) });
    jobOf({
      ...work,
      run: async (project, days, fence, signal) => {
        if (days.includes(bad)) throw new StoreUnavailableError("damaged");
        return work.run(project, days, fence, signal);
      },
    }).runner.start();
    await vi.advanceTimersByTimeAsync(5_000);
    expect(done).toHaveLength(299);
    expect(done).not.toContain(bad);
    expect(failures.length).toBeLessThan(30);
  });

  it("pauses when all work fails", async () => {
    let attempts = 0;
    const { work } = workOf({ [PROJECT]: manyDays });
    jobOf({
      ...work,
      run: async () => {
        attempts++;
        throw new StoreUnavailableError("away");
      },
    }).runner.start();
    await vi.advanceTimersByTimeAsync(10_000);
    expect(attempts).toBeGreaterThan(20);
    expect(attempts).toBeLessThan(110);
  });
});

describe("ProjectJob with parallel work", () => {
  const slowly = (milliseconds: number, signal?: AbortSignal) =>
    new Promise<void>((resolve, reject) => {
      const timer = setTimeout(resolve, milliseconds);
      signal?.addEventListener("abort", () => {
        clearTimeout(timer);
        reject(signal.reason);
      });
    });
  const nameOf = (project: string) => `p${project}`;

  /** Returns a job with a due day for each project, and a log of events with their second. */
  function jobWith(took: Record<string, number>, fails = false) {
    const due = new Set(Object.keys(took));
    const events: string[] = [];
    const start = performance.now();
    const note = (what: string, project: string) =>
      events.push(`${Math.floor((performance.now() - start) / 1_000)} ${what} ${nameOf(project)}`);
    const job = jobOf({
      name: "work",
      isParallel: true,
      dueProjects: async () => [...due].map((project) => ({ project, days: 1, since: 0 })),
      dueDays: async ({ project, after }) => (after === undefined && due.has(project) ? [DAY] : []),
      run: async (project, _days, _fence, signal) => {
        note("begin", project);
        try {
          await slowly(took[project] ?? 0, signal);
          if (fails) throw new StoreUnavailableError("no");
        } catch (error) {
          note("stop", project);
          throw error;
        }
        due.delete(project);
        note("end", project);
        return 1;
      },
    });
    job.runner.start();
    return { job, due, events };
  }

  it("assigns slots to other projects during a slow attempt, and keeps its lease", async () => {
    const { job, due, events } = jobWith({ 1: 30_000, 2: 100, 3: 100 });
    await vi.advanceTimersByTimeAsync(10_000);
    expect(events.slice(1)).toEqual(["0 begin p2", "0 end p2", "0 begin p3", "0 end p3"]);
    due.add("3");
    job.runner.notice();
    await vi.advanceTimersByTimeAsync(21_000);
    expect(events.slice(5)).toEqual(["10 begin p3", "10 end p3", "30 end p1"]);
    expect(failures).toEqual([]);
  });

  it("aborts a second slow attempt, and repeats it when the first one has ended", async () => {
    const { events } = jobWith({ 1: 10_000, 2: 20_000, 3: 100 });
    await vi.advanceTimersByTimeAsync(35_000);
    expect(events).toEqual([
      "0 begin p1",
      "0 begin p2",
      "1 stop p2",
      "1 begin p3",
      "1 end p3",
      "10 end p1",
      "10 begin p2",
      "30 end p2",
    ]);
    expect(failures).toEqual([]);
  });

  it("waits for a slow attempt when the runner stops", async () => {
    const { job, events } = jobWith({ 1: 5_000, 2: 100 });
    await vi.advanceTimersByTimeAsync(2_000);
    const stopped = job.runner.stop();
    await vi.advanceTimersByTimeAsync(4_000);
    await stopped;
    expect(events.at(-1)).toBe("5 end p1");
  });

  it("aborts a slow attempt that does not end within the grace period of a stop", async () => {
    const { job, events } = jobWith({ 1: 50_000, 2: 100 });
    await vi.advanceTimersByTimeAsync(2_000);
    const stopped = job.runner.stop(10_000);
    await vi.advanceTimersByTimeAsync(11_000);
    await stopped;
    expect(events.at(-1)).toBe("12 stop p1");
    expect(failures).toEqual([]);
  });

  it("aborts an attempt at its timeout, and doubles the timeout after a pause of four times the work", async () => {
    const { events } = jobWith({ 1: 100_000 });
    await vi.advanceTimersByTimeAsync(500_000);
    expect(events).toEqual(["0 begin p1", "60 stop p1", "300 begin p1", "400 end p1"]);
    expect(failures.map(({ error }) => String(error))).toEqual([
      "Error: the attempt has reached its time limit of 60 s",
    ]);
  });

  it("pauses a day in proportion to slow failures, up to ten minutes", async () => {
    const { events } = jobWith({ 1: 40_000 }, true);
    await vi.advanceTimersByTimeAsync(500_000);
    expect(events.filter((event) => event.includes("begin"))).toEqual([
      "0 begin p1",
      "200 begin p1",
      "400 begin p1",
    ]);
  });
});

describe("ProjectJob and its lease", () => {
  /** Returns work with one day that is always due, and the fencing numbers of its runs. */
  function dailyWork(onRun: (fence: number) => Promise<void>) {
    const fences: number[] = [];
    const work: ProjectWork = {
      name: "work",
      dueProjects: async () => [{ project: PROJECT, days: 1, since: 0 }],
      dueDays: async ({ after }) => (after === undefined ? [DAY] : []),
      run: async (_project, days, fence) => {
        fences.push(fence.number);
        await onRun(fence.number);
        return days.length;
      },
    };
    return { work, fences };
  }
  const pause = (milliseconds: number) => new Promise<void>((resolve) => setTimeout(resolve, milliseconds));

  it("runs in one of several processes while days are pausing, and in the next process after that one stops", async () => {
    let working = 0;
    let most = 0;
    const { work, fences } = dailyWork(async () => {
      most = Math.max(most, ++working);
      await pause(100);
      working--;
    });
    const leases = new ProcessLeases(systemClock);
    const some = [1, 2, 3].map(() => jobOf(work, leases));
    for (const job of some) job.runner.start();
    await vi.advanceTimersByTimeAsync(10_000);
    expect(new Set(fences).size).toBe(1);
    // Works for 100 ms, then pauses for 400 ms.
    expect(fences.length).toBeLessThan(21);
    for (const job of some.slice(0, 2)) {
      await job.runner.stop();
      await vi.advanceTimersByTimeAsync(5_000);
    }
    expect(most).toBe(1);
    expect(new Set(fences).size).toBe(3);
    expect(fences).toEqual(fences.toSorted((a, b) => a - b));
  });

  it("starts work that other processes make due while its own days are pausing", async () => {
    const due = new Set([DAY]);
    const job = jobOf({
      name: "work",
      maxRest: 60_000,
      dueProjects: async () => [...due].map(() => ({ project: PROJECT, days: 1, since: 0 })),
      dueDays: async ({ after = Number.POSITIVE_INFINITY }) => [...due].filter((day) => day < after),
      run: async (_project, days) => {
        await pause(10_000);
        for (const day of days) due.delete(day);
        return days.length;
      },
    });
    job.runner.start();
    await vi.advanceTimersByTimeAsync(11_000);
    expect(done).toEqual([DAY]);
    due.add(DAY - 1).add(DAY);
    await vi.advanceTimersByTimeAsync(12_000);
    expect(done).toEqual([DAY, DAY - 1]);
    await vi.advanceTimersByTimeAsync(40_000);
    expect(done).toEqual([DAY, DAY - 1, DAY]);
  });

  it("does no work, and shows no lag, while another process has the lease", async () => {
    const { work, fences } = dailyWork(() => pause(10));
    const leases = new ProcessLeases(systemClock);
    const other = await leases.acquire("work", "other", 10_000);
    const job = jobOf(work, leases);
    job.runner.start();
    await vi.advanceTimersByTimeAsync(9_000);
    expect(fences).toEqual([]);
    expect([job.lag(1_000), job.dueDays]).toEqual([0, 0]);
    await vi.advanceTimersByTimeAsync(3_000);
    expect(fences[0]).toBeGreaterThan(other?.fence ?? Number.NaN);
    expect([job.lag(1_000), job.dueDays]).toEqual([1_000, 1]);
  });

  it("extends its lease during long work, and releases it afterwards", async () => {
    const { work, fences } = dailyWork(() => pause(100_000));
    const leases = new ProcessLeases(systemClock);
    const job = jobOf(work, leases);
    job.runner.start();
    for (let i = 0; i < 9; i++) {
      await vi.advanceTimersByTimeAsync(10_000);
      expect(await leases.acquire("work", "other", 1)).toBeUndefined();
    }
    const stopping = job.runner.stop();
    await vi.advanceTimersByTimeAsync(20_000);
    await stopping;
    expect(await leases.acquire("work", "other", 1)).toBeDefined();
    expect(fences).toHaveLength(1);
  });

  it("stops after the slot during which it lost its lease", async () => {
    const projects = ["1", "2", "3"];
    const slots: string[] = [];
    let held = true;
    jobOf(
      {
        name: "work",
        dueProjects: async () => projects.map((project) => ({ project, days: 1, since: 0 })),
        dueDays: async () => [DAY],
        run: async (project) => {
          slots.push(project);
          held = false;
          await pause(60_000);
          return 1;
        },
      },
      {
        acquire: async () => (held ? { fence: 1 } : undefined),
        release: async () => {},
      },
    ).runner.start();
    await vi.advanceTimersByTimeAsync(200_000);
    expect(slots).toEqual(["1"]);
  });

  it("continues with a higher fencing number after its number was rejected", async () => {
    const { work, fences } = dailyWork(async (fence) => {
      await pause(100);
      if (fence === 1) throw new FencedError("a later holder has begun");
    });
    jobOf(work).runner.start();
    await vi.advanceTimersByTimeAsync(5_000);
    expect(fences.slice(0, 2)).toEqual([1, 2]);
  });

  it("reports that it could not acquire the lease, and tries again", async () => {
    const error = new StoreUnavailableError("away");
    const { work, fences } = dailyWork(() => pause(10));
    const leases = new ProcessLeases(systemClock);
    let attempts = 0;
    const acquire: LeaseStore["acquire"] = async (...call) => {
      if (++attempts < 3) throw error;
      return leases.acquire(...call);
    };
    jobOf(work, { acquire, release: (...call) => leases.release(...call) }).runner.start();
    await vi.advanceTimersByTimeAsync(3_000);
    expect(failures).toEqual([1, 2].map(() => ({ days: undefined, error })));
    expect(fences.length).toBeGreaterThan(0);
  });
});

it("ProjectJob pauses a busy project's days longer, until the project is no longer busy", async () => {
  let busy = true;
  const due = new Set([DAY, DAY - 1]);
  const work: ProjectWork = {
    name: "work",
    isBusy: () => busy,
    dueProjects: async () => [{ project: PROJECT, days: due.size, since: 0 }],
    dueDays: async () => [...due],
    run: async () => {
      await new Promise((resolve) => setTimeout(resolve, 100));
      return 1;
    },
  };
  const job = jobOf(work);
  job.runner.start();
  // The pause before each slot is nine times as long as all work since the last one.
  await vi.advanceTimersByTimeAsync(2_700);
  expect(done).toEqual([DAY, DAY, DAY - 1, DAY]);
  busy = false;
  job.runner.notice();
  await vi.advanceTimersByTimeAsync(500);
  expect(done).toHaveLength(6);
});

it("ProjectJob checks for due work at the work's own interval", async () => {
  const due: DueProject[] = [];
  const work: ProjectWork = {
    name: "polled",
    interval: 4_000,
    dueProjects: async () => [...due],
    dueDays: async () => (due.length > 0 ? [DAY] : []),
    run: async () => due.splice(0).length,
  };
  jobOf(work).runner.start();
  await vi.advanceTimersByTimeAsync(10_000);
  due.push({ project: PROJECT, days: 1, since: 0 });
  await vi.advanceTimersByTimeAsync(4_000);
  expect(done).toEqual([DAY]);
});

it("ProjectJob works immediately on pausing and waiting days when `settled` is called", async () => {
  let isFailing = true;
  let isReleased = false;
  const work: ProjectWork = {
    name: "waiting",
    dueProjects: async () => (isReleased && done.length > 0 ? [] : [{ project: PROJECT, days: 1, since: 0 }]),
    dueDays: async () => [DAY],
    release: () => {
      isReleased = true;
    },
    run: async () => {
      if (isFailing) throw new Error("away");
      return 1;
    },
  };
  const job = jobOf(work);
  job.runner.start();
  await vi.advanceTimersByTimeAsync(60_000);
  const { length } = failures;
  isFailing = false;
  const settled = job.runner.settled(Number.POSITIVE_INFINITY);
  // Far less than the day's pause, which is half a minute by now.
  await vi.advanceTimersByTimeAsync(2_000);
  await settled;
  expect([done, failures.length, isReleased]).toEqual([[DAY], length, true]);
});

it("ProjectJob works on a day within a second after a store outage, however long the outage was", async () => {
  let isAway = true;
  let isDue = true;
  const work: ProjectWork = {
    name: "work",
    maxRest: 60_000,
    dueProjects: async () => (isDue ? [{ project: PROJECT, days: 1, since: 0 }] : []),
    dueDays: async ({ after }) => (isDue && after === undefined ? [DAY] : []),
    run: async () => {
      // Attempts in the store.
      await new Promise((resolve) => setTimeout(resolve, 15_000));
      if (isAway) throw new StoreOutageError("ClickHouse", "away");
      isDue = false;
      return 1;
    },
    workMs: () => 100,
  };
  const job = jobOf(work);
  job.runner.start();
  await vi.advanceTimersByTimeAsync(300_000);
  expect(failures.length).toBeGreaterThan(10);
  isAway = false;
  await vi.advanceTimersByTimeAsync(31_000);
  expect(done).toEqual([DAY]);
  isDue = true;
  job.runner.notice();
  await vi.advanceTimersByTimeAsync(16_000);
  expect(done).toEqual([DAY, DAY]);
});
