import { withResolver } from "@waybill/client/support";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { ProcessLeases } from "../control/embedded/process-leases.js";
import { systemClock } from "../model/clock.js";
import { type Job, JobRunner, type NextRun } from "./job-runner.js";

let leases: ProcessLeases;
let runners: JobRunner[];
/** Seconds since the start at which a job ran. */
let runs: number[];
let failures: unknown[];
let start: number;

beforeEach(() => {
  vi.useFakeTimers();
  leases = new ProcessLeases(systemClock);
  [runners, runs, failures] = [[], [], []];
  start = performance.now();
});
afterEach(async () => {
  const stopped = Promise.all(runners.map((runner) => runner.stop(0)));
  await vi.advanceTimersByTimeAsync(1_000);
  await stopped;
  vi.useRealTimers();
});

const pass = (seconds: number) => vi.advanceTimersByTimeAsync(1_000 * seconds);

async function started(over: Partial<Job> = {}, next: NextRun = { after: 60_000 }): Promise<JobRunner> {
  const job: Job = {
    name: "expiry",
    interval: 60_000,
    run: async () => {
      runs.push(Math.round((performance.now() - start) / 1_000));
      return next;
    },
    failed: (error) => failures.push(error),
    ...over,
  };
  const runner = new JobRunner(job, leases);
  runners.push(runner);
  runner.start();
  await pass(0);
  return runner;
}

const other = () => leases.acquire("expiry", "other", 10_000);

it("JobRunner runs a job at the start, at its interval, and after a notice", async () => {
  const runner = await started();
  await pass(70);
  runner.notice();
  await pass(1);
  expect(runs).toEqual([0, 60, 70]);
});

it("JobRunner acquires no lease while nothing is due", async () => {
  let isDue = false;
  await started({ isDue: async () => isDue });
  await pass(65);
  expect(runs).toEqual([]);
  isDue = true;
  await pass(60);
  expect(runs).toEqual([120]);
});

it("JobRunner releases the lease between runs, unless the job keeps it", async () => {
  await started();
  expect(await other()).toBeDefined();
  await leases.release("expiry", "other");
  await started({}, { after: 5_000, keepsLease: true });
  expect(await other()).toBeUndefined();
});

it("JobRunner waits while another process has the lease, and reports that it is displaced", async () => {
  await other();
  const displaced = vi.fn();
  await started({ displaced });
  expect([displaced.mock.calls.length, runs]).toEqual([1, []]);
  await pass(11);
  expect(runs).toHaveLength(1);
});

it("JobRunner waits until a lease is released if the wait ignores notices", async () => {
  const runner = await started({}, { after: 50_000, keepsLease: true, ignoresNotices: true });
  runner.notice();
  await pass(10);
  expect(runs).toEqual([0]);
  runner.release();
  await pass(0);
  expect(runs).toEqual([0, 10]);
});

it("JobRunner keeps the lease until parallel work has ended, and then runs again", async () => {
  const { promise: beside, resolve: end } = withResolver();
  await started({
    run: async (run) => {
      if (runs.push(0) === 1) run.continueBeside(beside);
      return { after: 60_000 };
    },
  });
  await pass(30);
  expect([runs.length, await other()]).toEqual([1, undefined]);
  end();
  await pass(0);
  expect(runs).toHaveLength(2);
  expect(await other()).toBeDefined();
});

it("JobRunner pauses after failures as the job determines", async () => {
  const error = new Error("away");
  await started({
    run: async () => {
      runs.push(Math.round((performance.now() - start) / 1_000));
      throw error;
    },
    pauseAfter: (count) => 1_000 * 2 ** count,
  });
  await pass(15);
  expect(runs).toEqual([0, 2, 6, 14]);
  expect(failures).toEqual([error, error, error, error]);
});

it("JobRunner aborts a run after the grace period, and reports no failure", async () => {
  const runner = await started({
    run: ({ signal }) =>
      new Promise((_, reject) => {
        signal.addEventListener("abort", () => reject(signal.reason));
      }),
  });
  let isStopped = false;
  const stopping = runner.stop(5_000).then(() => {
    isStopped = true;
  });
  await pass(4);
  expect(isStopped).toBe(false);
  await pass(1);
  await stopping;
  expect(failures).toEqual([]);
});

it("JobRunner does requested work after the current run, once the lease is free, until the request is aborted", async () => {
  const runner = await started({ pauseWithoutLease: 1 });
  await other();
  const { signal } = new AbortController();
  const result = runner.runNow(async ({ lease }) => lease.fence.number, signal);
  await pass(0);
  await leases.release("expiry", "other");
  expect(await result).toBe(3);
  await other();
  const ending = new AbortController();
  const ended = expect(runner.runNow(async () => 0, ending.signal)).rejects.toThrow("gone");
  ending.abort(new Error("gone"));
  await ended;
});

it("JobRunner.settled starts paused work and waits until the job is idle, up to a deadline", async () => {
  let left = 3;
  const runner = await started({ isIdle: async () => --left === 0 });
  const settled = runner.settled(Number.POSITIVE_INFINITY);
  await pass(1);
  await settled;
  expect([left, runs.length]).toEqual([0, 2]);
  left = -1;
  await runner.settled(performance.now());
  expect(left).toBe(-2);
});
