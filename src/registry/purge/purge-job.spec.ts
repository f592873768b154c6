import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { ProcessLeases } from "../../control/embedded/process-leases.js";
import { systemClock } from "../../model/clock.js";
import type { ProjectNumber } from "../../model/names.js";
import { PurgeJob } from "./purge-job.js";

const HOUR = 3_600;

let leases: ProcessLeases;
let jobs: PurgeJob[];
/** Number of steps that each due project still needs. */
let left: Map<ProjectNumber, number>;
/** Log of the events, in order. */
let events: string[];
let now: number | undefined;
let failing: ProjectNumber | undefined;
/** Duration of a step, in seconds. */
let stepSeconds: number;

beforeEach(() => {
  vi.useFakeTimers();
  leases = new ProcessLeases(systemClock);
  [jobs, left, events, now, failing, stepSeconds] = [[], new Map(), [], 1_000, undefined, 0];
});
afterEach(async () => {
  await stop();
  vi.useRealTimers();
});

const pass = (seconds: number) => vi.advanceTimersByTimeAsync(1_000 * seconds);

async function stop(): Promise<void> {
  const stopped = Promise.all(jobs.splice(0).map(({ runner }) => runner.stop(0)));
  await pass(30);
  await stopped;
}

function start(): void {
  const job = new PurgeJob({
    source: {
      dueForPurge: async (at) => {
        expect(at).toBe(now);
        return [...left.keys()];
      },
      purged: async (project) => {
        left.delete(project);
      },
    },
    erase: [
      async (project) => {
        if (project === failing) throw new Error("unavailable");
        await new Promise((resolve) => setTimeout(resolve, 1_000 * stepSeconds));
        const steps = left.get(project) ?? 0;
        left.set(project, Math.max(0, steps - 1));
        if (steps > 0) events.push(`erased ${project}`);
        return steps === 0;
      },
      async (project) => {
        events.push(`checked ${project}`);
        return true;
      },
    ],
    leases,
    time: async () => now,
    clock: systemClock,
    observer: {
      purged: (project) => events.push(`purged ${project}`),
      failed: (error, project) => events.push(`failed ${project}: ${(error as Error).message}`),
    },
  });
  jobs.push(job);
  job.runner.start();
}

it("PurgeJob erases one project after another, in steps, and reports each after a second check", async () => {
  left = new Map([
    ["1", 2],
    ["2", 1],
  ]);
  start();
  await pass(HOUR - 1);
  expect(events).toEqual(["erased 1", "erased 1", "checked 1", "erased 2", "checked 2"]);
  events = [];
  await pass(120);
  expect(events).toEqual(["checked 1", "purged 1", "checked 2", "purged 2"]);
  await pass(HOUR);
  expect(events).toHaveLength(4);
});

it("PurgeJob erases data that arrived before the second check, and checks again after that", async () => {
  left = new Map([["1", 1]]);
  start();
  await pass(60);
  left.set("1", 1);
  events = [];
  await pass(HOUR + 60);
  expect(events).toEqual(["erased 1", "checked 1"]);
  await pass(HOUR);
  expect(events.slice(2)).toEqual(["checked 1", "purged 1"]);
});

it("PurgeJob erases other projects while one fails, and tries that one again", async () => {
  left = new Map([
    ["1", 1],
    ["2", 1],
  ]);
  failing = "1";
  start();
  await pass(1);
  expect(events).toEqual(["failed 1: unavailable", "erased 2", "checked 2"]);
  [events, failing] = [[], undefined];
  await pass(61);
  expect(events).toEqual(["erased 1", "checked 1"]);
});

it("PurgeJob erases nothing while the time is unknown", async () => {
  left = new Map([["1", 1]]);
  now = undefined;
  start();
  await pass(HOUR);
  expect(events).toEqual([]);
  now = 2_000;
  await pass(61);
  expect(events).toEqual(["erased 1", "checked 1"]);
});

it("PurgeJob continues in another process, which also checks twice", async () => {
  left = new Map([["1", 3]]);
  stepSeconds = 10;
  start();
  start();
  await pass(25);
  await stop();
  stepSeconds = 0;
  start();
  await pass(HOUR + 60);
  expect(events.filter((event) => event === "erased 1")).toHaveLength(3);
  expect(events.at(-1)).toBe("purged 1");
});

it("PurgeJob pauses after a step for as long as the step lasted", async () => {
  left = new Map([["1", 100]]);
  stepSeconds = 5;
  start();
  await pass(61);
  expect(events).toHaveLength(6);
});
