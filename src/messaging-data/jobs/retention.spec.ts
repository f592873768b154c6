import { withResolver } from "@waybill/client/support";
import { afterEach, beforeEach, expect, it, test, vi } from "vitest";
import { PATIENCE_MS } from "../../../test/support/poll.js";
import { testDirectory } from "../../../test/support/test-directory.js";
import { ProcessLeases } from "../../control/embedded/process-leases.js";
import { ProjectJob } from "../../jobs/project-job.js";
import { systemClock } from "../../model/clock.js";
import { type Day, dayOfCivil, FIRST_DAY, LAST_DAY, startOfDay } from "../../model/day.js";
import { StoreUnavailableError } from "../../model/store-error.js";
import { DuckDbStore } from "../../store/duckdb/duckdb-store.js";
import type { RetentionStore } from "../../store/retention-store.js";
import { accepted, blocksOf, OTHER_PROJECT, PROJECT, settle } from "../../store/testing/test-events.js";
import { AgreedTime, expiredAt, expiredSince, type Retention, retentionWork } from "./retention.js";

const TODAY = dayOfCivil(2026, 3, 5);
const DAYS = 86_400_000;

let store: DuckDbStore;
let job: ProjectJob | undefined;
let now: number;
let done: { project: string; days: readonly Day[] }[];
let failures: unknown[];

beforeEach(async () => {
  store = await DuckDbStore.open({ directory: await testDirectory(), memoryLimit: "256MB" });
  now = startOfDay(TODAY) + 1;
  done = [];
  failures = [];
});
afterEach(async () => {
  await job?.runner.stop();
  await store.close();
});

function start(retention: Retention, over: Partial<RetentionStore> = {}): ProjectJob {
  const methods: RetentionStore = {
    seal: (...call) => store.seal(...call),
    expiredProjects: (...call) => store.expiredProjects(...call),
    expiredDays: (...call) => store.expiredDays(...call),
    removeExpired: (...call) => store.removeExpired(...call),
    ...over,
  };
  job = new ProjectJob(
    retentionWork(methods, retention, async () => now),
    new ProcessLeases(systemClock),
    {
      done: (project, days) => void done.push({ project, days }),
      failed: (error) => void failures.push(error),
    },
  );
  job.runner.start();
  return job;
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

it("retention removes expired days of all projects, oldest first, and also seals days without data", async () => {
  for (const project of [PROJECT, OTHER_PROJECT]) await append(project, [1, 2, 3, 4, 5]);
  await settle(store);
  const job = start({ messages: 2 * DAYS, deliveryData: 4 * DAYS });
  await vi.waitFor(() => expect(done).toHaveLength(2), soon);
  expect(new Set(done.map(({ project }) => project))).toEqual(new Set([PROJECT, OTHER_PROJECT]));
  for (const { days } of done) expect(days).toEqual([TODAY - 5, TODAY - 4, TODAY - 3]);
  for (const project of [PROJECT, OTHER_PROJECT]) expect(await listed(project)).toEqual([1, 2, 3, 4]);
  expect(await append("3", [1, 2, 3, 400], "late")).toEqual({ tooLate: 2 });
  await vi.waitFor(() => expect(job.dueDays).toBe(0), soon);
  expect(failures).toEqual([]);
});

it("retention waits for the rollup of events that were stored before their day was sealed", async () => {
  await append(PROJECT, [3]);
  await settle(store);
  await append(PROJECT, [3], "stale");
  const job = start({ messages: 2 * DAYS });
  await vi.waitFor(async () => expect(await append(PROJECT, [3], "late")).toEqual({ tooLate: 1 }), soon);
  expect(await store.expiredProjects()).toEqual([]);
  expect(done).toEqual([]);
  await settle(store);
  job.runner.notice();
  await vi.waitFor(() => expect(done).toEqual([{ project: PROJECT, days: [TODAY - 3] }]), soon);
  const [entry] = await store.readEntries({ project: PROJECT, until: LAST_DAY, limit: 9 });
  expect(entry?.counts[0]?.[0]).toBeGreaterThanOrEqual(2);
});

it("retention continues with the next day when time passes", async () => {
  await append(PROJECT, [1, 2]);
  await settle(store);
  const job = start({ deliveryData: 2 * DAYS });
  await vi.waitFor(async () => expect(await append(PROJECT, [3], "late")).toEqual({ tooLate: 1 }), soon);
  expect(await listed()).toEqual([1, 2]);
  now += DAYS;
  job.runner.notice();
  await vi.waitFor(async () => expect(await listed()).toEqual([1]), soon);
});

it("retention keeps everything if no period is configured", async () => {
  const seal = vi.fn();
  const job = start({}, { seal });
  await append(PROJECT, [400]);
  await settle(store);
  job.runner.notice();
  await new Promise((resolve) => setTimeout(resolve, 500));
  expect(seal).not.toHaveBeenCalled();
  expect(await listed()).toEqual([400]);
});

it("retention retries after a failure, and shows a growing lag in the meantime", async () => {
  await append(PROJECT, [5]);
  await settle(store);
  const error = new StoreUnavailableError("no space");
  let left = 1;
  const { promise: mended, resolve: mend } = withResolver();
  const job = start(
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
  expect(job.lag(now)).toBe(2 * DAYS + 1);
  mend();
  await vi.waitFor(() => expect(job.lag(now)).toBe(0), soon);
  expect([done.length, failures]).toEqual([1, [error]]);
});

const NOON = Date.UTC(2026, 10, 24, 12);
const YEARS = 5 * 365 * 86_400_000;
const MINUTE = 60_000;

let ahead: number;
let passed: number;
let time: AgreedTime;
beforeEach(() => {
  ahead = 0;
  passed = 0;
  time = new AgreedTime({ wall: () => NOON + passed + ahead, monotonic: () => 1_000 + passed });
});

/** Reads the time every second for some time. @returns how far the last result is ahead. */
function readFor(milliseconds: number): number | undefined {
  let last: number | undefined;
  for (const end = passed + milliseconds; passed < end; ) {
    passed += 1_000;
    last = time.now();
  }
  return last === undefined ? undefined : last - NOON - passed;
}

it("AgreedTime returns undefined in the first minutes, and then follows the clock", () => {
  expect(readFor(5 * MINUTE - 1_000)).toBeUndefined();
  for (let i = 0; i < 30; i++) expect(readFor(MINUTE)).toBe(0);
});

it.each([1_000, MINUTE, 4 * MINUTE])(
  "AgreedTime ignores a clock that is ahead for %d ms at any time",
  (wrong) => {
    for (let i = 0; i < 11; i++) {
      readFor(10 * MINUTE + i * 30_000);
      ahead = YEARS;
      expect(readFor(wrong)).toBe(0);
      ahead = 0;
      expect(readFor(1_000)).toBe(0);
    }
  },
);

it("AgreedTime returns whole milliseconds, which databases need, even though the monotonic clock has fractions", () => {
  let passed = 0.3;
  const fractional = new AgreedTime({ wall: () => NOON + Math.floor(passed), monotonic: () => 0.1 + passed });
  for (; passed < 3_600_000; passed += 60_000.7) {
    const now = fractional.now() ?? NOON;
    expect(Number.isInteger(now)).toBe(true);
    expect(now).toBeLessThanOrEqual(NOON + passed);
  }
  expect(fractional.now()).toBeGreaterThan(NOON + passed - 2);
});

it("AgreedTime ignores a clock that is ahead when the server starts", () => {
  ahead = YEARS;
  expect(readFor(4 * MINUTE)).toBeUndefined();
  ahead = 0;
  expect(readFor(MINUTE)).toBe(0);
});

it("AgreedTime follows a clock that stays ahead within ten minutes, for example after the machine was suspended", () => {
  readFor(7 * MINUTE);
  ahead = 86_400_000;
  expect(readFor(4 * MINUTE)).toBe(0);
  expect(readFor(6 * MINUTE)).toBe(86_400_000);
});

it("AgreedTime immediately follows a clock that is set back", () => {
  readFor(7 * MINUTE);
  ahead = -86_400_000;
  expect(readFor(1_000)).toBe(-86_400_000);
});

it("AgreedTime compares readings even if hours have passed between them", () => {
  readFor(7 * MINUTE);
  passed += 60 * MINUTE;
  ahead = YEARS;
  expect(readFor(1_000)).toBe(0);
});

const DAY = dayOfCivil(2026, 3, 5);
/** Midnight in Los Angeles after the day. */
const END = Date.parse("2026-03-06T08:00:00Z");

test.each([
  ["nothing", {}, undefined],
  ["messages", { messages: 5 * DAYS }, { sealedUntil: DAY - 5 }],
  ["delivery data", { deliveryData: 5 * DAYS }, { sealedUntil: DAY - 5, entriesUntil: DAY - 5 }],
  [
    "messages before delivery data",
    { messages: 5 * DAYS, deliveryData: 9 * DAYS },
    { sealedUntil: DAY - 5, entriesUntil: DAY - 9 },
  ],
  [
    "delivery data before messages",
    { messages: 9 * DAYS, deliveryData: 5 * DAYS },
    { sealedUntil: DAY - 5, entriesUntil: DAY - 5 },
  ],
])("expiredAt expires %s", (_, retention, expected) => {
  expect(expiredAt(END, retention)).toEqual(expected);
});

it("a day expires exactly one retention period after it has ended", () => {
  const retention = { messages: 2 * DAYS };
  const since = expiredSince(DAY, END + 9 * DAYS, retention);
  expect(since).toBe(END + 2 * DAYS);
  expect(expiredAt(since - 1, retention)).toEqual({ sealedUntil: DAY - 1 });
  expect(expiredAt(since, retention)).toEqual({ sealedUntil: DAY });
});

test.each([
  ["its messages", { messages: 2 * DAYS }, 9, 2],
  ["its messages, then its delivery data", { messages: 2 * DAYS, deliveryData: 5 * DAYS }, 4, 2],
  ["its delivery data", { messages: 2 * DAYS, deliveryData: 5 * DAYS }, 5, 5],
  ["its delivery data before its messages", { messages: 5 * DAYS, deliveryData: 2 * DAYS }, 9, 2],
])("expiredSince returns when a day loses %s", (_, retention, daysLater, expected) => {
  expect(expiredSince(DAY, END + daysLater * DAYS, retention)).toBe(END + expected * DAYS);
});

it("a retention of the maximum duration expires no day", () => {
  const expired = expiredAt(END, { messages: 315_576_000_000_000 });
  expect(expired?.sealedUntil).toBeLessThan(FIRST_DAY);
});
