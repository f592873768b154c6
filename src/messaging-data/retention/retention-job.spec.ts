import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { PATIENCE_MS } from "../../../test/support/poll.js";
import { ProcessLeases } from "../../control/process/process-leases.js";
import { systemClock } from "../../model/clock.js";
import { type Day, dayOfCivil, LAST_DAY, startOfDay } from "../../model/day.js";
import { StoreUnavailableError } from "../../model/store-error.js";
import { DuckDbStore } from "../../store/duckdb/duckdb-store.js";
import type { RetentionStore } from "../../store/retention-store.js";
import { accepted, blocksOf, OTHER_PROJECT, PROJECT, settle } from "../../store/testing/test-events.js";
import { JobRunner } from "../jobs/job-runner.js";
import type { Retention } from "./expired-days.js";
import { retentionJob } from "./retention-job.js";

const TODAY = dayOfCivil(2026, 3, 5);
const DAYS = 86_400_000;

let directory: string;
let store: DuckDbStore;
let runner: JobRunner | undefined;
let now: number;
let done: { project: string; days: readonly Day[] }[];
let failures: unknown[];

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "waybill-retention-"));
  store = await DuckDbStore.open({ directory, memoryLimit: "256MB" });
  now = startOfDay(TODAY) + 1;
  done = [];
  failures = [];
});
afterEach(async () => {
  await runner?.stop();
  await store.close();
  await rm(directory, { recursive: true });
});

function start(retention: Retention, over: Partial<RetentionStore> = {}): JobRunner {
  const methods: RetentionStore = {
    seal: (...call) => store.seal(...call),
    expiredProjects: (...call) => store.expiredProjects(...call),
    expiredDays: (...call) => store.expiredDays(...call),
    removeExpired: (...call) => store.removeExpired(...call),
    ...over,
  };
  runner = new JobRunner(
    retentionJob(methods, retention, async () => now),
    new ProcessLeases(systemClock),
    {
      done: (project, days) => void done.push({ project, days }),
      failed: (error) => void failures.push(error),
    },
  );
  runner.start();
  return runner;
}

const append = (project: string, daysAgo: readonly number[], messageId = "m") =>
  store.append(
    project,
    blocksOf(
      daysAgo.map((ago) =>
        accepted({ messageId, eventTime: new Date(startOfDay(TODAY - ago) + 1_000).toISOString() }),
      ),
    ),
  );

async function listed(project = PROJECT): Promise<number[]> {
  const batches = await store.readEntries({ project, until: LAST_DAY, limit: 100 });
  return batches.flatMap(({ days }) => Array.from(days, (day) => TODAY - day));
}

const soon = { timeout: PATIENCE_MS, interval: 5 };

it("removes expired days of all projects, the oldest first, and seals days without data", async () => {
  for (const project of [PROJECT, OTHER_PROJECT]) await append(project, [1, 2, 3, 4, 5]);
  await settle(store);
  const runner = start({ messages: 2 * DAYS, deliveryData: 4 * DAYS });
  await vi.waitFor(() => expect(done).toHaveLength(2), soon);
  expect(new Set(done.map(({ project }) => project))).toEqual(new Set([PROJECT, OTHER_PROJECT]));
  for (const { days } of done) expect(days).toEqual([TODAY - 5, TODAY - 4, TODAY - 3]);
  for (const project of [PROJECT, OTHER_PROJECT]) expect(await listed(project)).toEqual([1, 2, 3, 4]);
  expect(await append("3", [1, 2, 3, 400], "late")).toEqual({ tooLate: 2 });
  await vi.waitFor(() => expect(runner.dueDays).toBe(0), soon);
  expect(failures).toEqual([]);
});

it("waits for the rollup of events that were stored before the day was sealed", async () => {
  await append(PROJECT, [3]);
  await settle(store);
  await append(PROJECT, [3], "stale");
  const runner = start({ messages: 2 * DAYS });
  await vi.waitFor(async () => expect(await append(PROJECT, [3], "late")).toEqual({ tooLate: 1 }), soon);
  expect(await store.expiredProjects()).toEqual([]);
  expect(done).toEqual([]);
  await settle(store);
  runner.notice();
  await vi.waitFor(() => expect(done).toEqual([{ project: PROJECT, days: [TODAY - 3] }]), soon);
  const [entry] = await store.readEntries({ project: PROJECT, until: LAST_DAY, limit: 9 });
  expect(entry?.counts[0]?.[0]).toBeGreaterThanOrEqual(2);
});

it("goes on with the next day when time passes", async () => {
  await append(PROJECT, [1, 2]);
  await settle(store);
  const runner = start({ deliveryData: 2 * DAYS });
  await vi.waitFor(async () => expect(await append(PROJECT, [3], "late")).toEqual({ tooLate: 1 }), soon);
  expect(await listed()).toEqual([1, 2]);
  now += DAYS;
  runner.notice();
  await vi.waitFor(async () => expect(await listed()).toEqual([1]), soon);
});

it("keeps everything without a retention", async () => {
  const seal = vi.fn();
  const runner = start({}, { seal });
  await append(PROJECT, [400]);
  await settle(store);
  runner.notice();
  await new Promise((resolve) => setTimeout(resolve, 500));
  expect(seal).not.toHaveBeenCalled();
  expect(await listed()).toEqual([400]);
});

it("tries again after a failure, and reports it with its growing lag", async () => {
  await append(PROJECT, [5]);
  await settle(store);
  const error = new StoreUnavailableError("no space");
  let left = 1;
  let mend = (): void => {};
  const mended = new Promise<void>((resolve) => {
    mend = resolve;
  });
  const runner = start(
    { messages: 2 * DAYS },
    {
      removeExpired: async (...call) => {
        if (left-- > 0) throw error;
        await mended;
        return store.removeExpired(...call);
      },
    },
  );
  await vi.waitFor(() => expect(failures).toEqual([error]), soon);
  // The day ended 4 days and a millisecond ago.
  expect(runner.lag(now)).toBe(2 * DAYS + 1);
  mend();
  await vi.waitFor(() => expect(runner.lag(now)).toBe(0), soon);
  expect([done.length, failures]).toEqual([1, [error]]);
});
