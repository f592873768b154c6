import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { poll } from "../../test/support/poll.js";
import { testDirectory } from "../../test/support/test-directory.js";
import type { EmbeddedRecords } from "../control/embedded/embedded-records.js";
import { ProcessLeases } from "../control/embedded/process-leases.js";
import { RECORD_KINDS } from "../control/records.js";
import { testRecords } from "../control/testing/test-records.js";
import { AdjustableClock, systemClock } from "../model/clock.js";
import { DuckDbStore } from "../store/duckdb/duckdb-store.js";
import { KnownGaps } from "./gaps/known-gaps.js";
import { MirrorJob, type MirrorObserver } from "./mirror-job.js";
import type { RoundSummary } from "./round/walk-app.js";
import { ArrayUpstream } from "./testing/array-upstream.js";
import { allOf, entriesOf, publishedIn } from "./testing/mirrored-entries.js";
import { UpstreamError } from "./upstream/upstream.js";

const PROJECT = "42";
const HOUR = 3_600_000;
const START = Date.UTC(2026, 10, 22, 12);
const TODAY = Math.floor(START / (24 * HOUR));
const SCHEDULE = { every: 6 * HOUR, jitter: HOUR };

let store: DuckDbStore;
let records: EmbeddedRecords;
let leases: ProcessLeases;
let dayClock: AdjustableClock;
let retentionTime: () => number | undefined;
let upstream: ArrayUpstream;
let rounds: RoundSummary[];
let failures: unknown[];
let jobs: MirrorJob[];
beforeEach(async () => {
  const directory = await testDirectory();
  store = await DuckDbStore.open({ directory, memoryLimit: "256MB" });
  records = await testRecords(directory);
  leases = new ProcessLeases(systemClock);
  dayClock = new AdjustableClock(systemClock, START);
  retentionTime = () => dayClock.wall();
  upstream = new ArrayUpstream(() => dayClock.wall());
  rounds = [];
  failures = [];
  jobs = [];
});
afterEach(async () => {
  await Promise.all(jobs.map((job) => job.runner.stop(0)));
  await store.close();
  expect(failures).toEqual([]);
});

const observer: MirrorObserver = {
  walked: () => {},
  unlisted: () => {},
  ended: (summary) => rounds.push(summary),
  failed: (error) => failures.push(error),
};

function open(apps?: readonly string[]): MirrorJob {
  const job = new MirrorJob({
    project: PROJECT,
    upstream,
    apps,
    schedule: SCHEDULE,
    lookInterval: 20,
    retention: { deliveryData: 30 * 24 * HOUR },
    retentionTime: async () => retentionTime(),
    store,
    records,
    leases,
    clock: systemClock,
    dayClock,
    observer,
  });
  jobs.push(job);
  return job;
}

const runNow = (job: MirrorJob, appId?: string) =>
  job.runNow({ appId, onBegin: () => {}, onWalked: () => {}, onEnd: () => {} }, new AbortController().signal);

const gapsOf = (apps?: readonly string[]) => {
  const terms = { apps, schedule: SCHEDULE, delay: 0, windowDays: 7 };
  return allOf(new KnownGaps(records, new Map([[PROJECT, terms]]), dayClock).read(PROJECT));
};

const roundsReach = (count: number) =>
  poll(
    () => rounds.length,
    (length) => length >= count,
  );

describe("MirrorJob", () => {
  it("reads all listed apps when it starts, and again after the clock was set", async () => {
    upstream.entries.set("a", entriesOf("a", [TODAY - 1]));
    upstream.entries.set("b", entriesOf("b", [TODAY - 1]));
    open().runner.start();
    await roundsReach(1);
    expect(rounds).toEqual([{ apps: 2, failed: 0, pages: 2, added: 2, changed: 0, unchanged: 0 }]);
    upstream.entries.set("c", entriesOf("c", [TODAY - 1]));
    dayClock.set({ time: START + 8 * HOUR });
    await roundsReach(2);
    expect(rounds[1]).toMatchObject({ apps: 3, added: 1 });
    dayClock.set({ time: START - 100 * HOUR });
    await roundsReach(3);
    expect(rounds[2]).toMatchObject({ apps: 3, added: 0 });
  });

  it("continues after a restart, and reads nothing before it is due", async () => {
    upstream.entries.set("a", entriesOf("a", [TODAY - 1]));
    const first = open(["a"]);
    first.runner.start();
    await roundsReach(1);
    await first.runner.stop(0);
    const second = open(["a"]);
    second.runner.start();
    await poll(() => second.known.apps.size, 1);
    expect(upstream.walked).toEqual(["a"]);
    dayClock.set({ time: START + 8 * HOUR });
    await roundsReach(2);
    expect(upstream.walked).toEqual(["a", "a"]);
  });

  it("parses an unchanged page only once, except in a requested round", async () => {
    upstream.entries.set("a", entriesOf("a", [TODAY - 1]));
    const job = open(["a"]);
    job.runner.start();
    await roundsReach(1);
    dayClock.set({ time: START + 8 * HOUR });
    await roundsReach(2);
    expect([upstream.walked.length, upstream.read]).toEqual([2, 1]);
    expect(await store.readResponses({ project: PROJECT, appId: "a", limit: 9 })).toHaveLength(2);
    await runNow(job);
    expect(upstream.read).toBe(2);
    upstream.entries.set("a", entriesOf("a", [TODAY - 1, TODAY]));
    dayClock.set({ time: START + 16 * HOUR });
    await roundsReach(4);
    expect(await publishedIn(store, PROJECT)).toHaveLength(2);
  });

  it("asks the store only once which days of an app have entries, even if none of them is recent", async () => {
    upstream.entries.set("a", entriesOf("a", [TODAY - 500]));
    retentionTime = () => undefined;
    await runNow(open(["a"]));
    upstream.entries.set("b", entriesOf("b", [TODAY - 500]));
    const sums = vi.spyOn(store, "sumEntries");
    const job = open(["a", "b"]);
    await runNow(job);
    await runNow(job);
    expect(sums.mock.calls.map(([{ appId }]) => appId)).toEqual(["a", "b"]);
  });

  it("runs in only one of several processes", async () => {
    const apps = Array.from({ length: 10 }, (_, index) => `app-${index}`);
    for (const app of apps) upstream.entries.set(app, entriesOf(app, [TODAY - 1]));
    for (let process = 0; process < 3; process++) open(apps).runner.start();
    await poll(
      () => jobs.map(({ known }) => known.apps.size),
      (sizes) => sizes.every((size) => size === apps.length),
    );
    expect([...upstream.walked].sort()).toEqual([...apps].sort());
  });

  it("reads one app or all apps immediately on request, even if they are not due", async () => {
    for (const app of ["a", "b"]) upstream.entries.set(app, entriesOf(app, [TODAY - 1]));
    const job = open();
    await runNow(job);
    await runNow(job, "b");
    expect(upstream.walked.sort()).toEqual(["a", "b", "b"]);
    expect(await publishedIn(store, PROJECT)).toHaveLength(2);
  });

  it("rejects a request for an app that it does not mirror", async () => {
    upstream.entries.set("a", entriesOf("a", [TODAY - 1]));
    const job = open();
    await runNow(job);
    expect(await runNow(job, "b")).toMatchObject({ message: "b is not among the mirrored apps" });
    expect([upstream.walked, [...job.known.apps.keys()]]).toEqual([["a"], ["a"]]);
  });

  it("removes an app from its state when the app is no longer mirrored, and keeps the app's entries", async () => {
    for (const app of ["a", "b"]) upstream.entries.set(app, entriesOf(app, [TODAY - 1]));
    await runNow(open(["a", "b"]));
    const job = open(["b"]);
    await runNow(job);
    expect([...job.known.apps.keys()]).toEqual(["b"]);
    expect(await publishedIn(store, PROJECT)).toHaveLength(2);
  });

  it("has no gaps for an app that is no longer in the configuration", async () => {
    upstream.failures.set("b", { afterPages: 0, error: new UpstreamError("form", "HTTP 404") });
    await runNow(open(["a", "b"]));
    expect(await gapsOf(["a", "b"])).toMatchObject([{ appId: "b", problem: "HTTP 404" }]);
    expect(await gapsOf(["a"])).toEqual([]);
    const job = open(["a"]);
    await runNow(job);
    expect([...job.known.apps.keys()]).toEqual(["a"]);
  });

  it("publishes no day that retention has removed, whatever the clock shows", async () => {
    upstream.entries.set("a", entriesOf("a", [TODAY - 1, TODAY - 20, TODAY - 40]));
    const job = open(["a"]);
    await runNow(job);
    expect(await publishedIn(store, PROJECT)).toHaveLength(2);
    upstream.entries.set("b", entriesOf("b", [TODAY - 1, TODAY - 20]));
    dayClock.set({ time: START + 20 * 24 * HOUR });
    await runNow(open(["b"]));
    expect(await publishedIn(store, PROJECT)).toHaveLength(3);
  });

  it.each([
    ["is not known yet", undefined, 3],
    ["does not follow a temporarily wrong clock", START, 2],
  ])("publishes all days that retention keeps by its own time, which %s", async (_, time, days) => {
    retentionTime = () => time;
    upstream.entries.set("a", entriesOf("a", [TODAY - 1, TODAY - 20, TODAY - 40]));
    dayClock.set({ time: START + 400 * 24 * HOUR });
    await runNow(open(["a"]));
    expect(await publishedIn(store, PROJECT)).toHaveLength(days);
  });

  it("never reads an app twice at the same time, even if many rounds are requested", async () => {
    upstream.entries.set("a", entriesOf("a", [TODAY - 1]));
    const [one, other] = [open(["a"]), open(["a"])];
    one.runner.start();
    await Promise.all([runNow(one), runNow(one), runNow(other)]);
    expect(upstream.maxWalksOfApp).toBe(1);
  });

  it.each<[string, readonly string[] | undefined]>([
    ["configured", ["a"]],
    ["listed", undefined],
  ])("reads known days from the store if a %s app has no recorded state", async (_, apps) => {
    upstream.entries.set("a", entriesOf("a", [TODAY - 9, TODAY - 8]));
    await runNow(open(apps));
    await records.change([{ kind: RECORD_KINDS.mirror, key: PROJECT, value: undefined }]);
    upstream.entries.set("a", entriesOf("a", [TODAY - 3]));
    const job = open(apps);
    await runNow(job);
    expect(job.known.apps.get("a")?.days).toEqual([
      [TODAY - 9, TODAY - 8],
      [TODAY - 3, TODAY - 3],
    ]);
  });
});

describe("MirrorJob after failures of upstream", () => {
  it("reports rejected credentials as a gap of all apps, until the credentials are accepted", async () => {
    const apps = ["a", "b", "c", "d", "e", "f"];
    for (const app of apps) upstream.entries.set(app, entriesOf(app, [TODAY - 1]));
    const job = open(apps);
    await runNow(job);
    const error = new UpstreamError("credentials", "HTTP 403: no");
    for (const app of apps) upstream.failures.set(app, { afterPages: 0, error });
    expect(await runNow(job)).toBe(error);
    expect(job.known.pause).toMatchObject({ kind: "credentials", count: 1 });
    expect((await gapsOf()).map(({ appId, kind, problem }) => [appId, kind, problem])).toEqual(
      apps.map((app) => [app, 3, "HTTP 403: no"]),
    );
    upstream.failures.clear();
    job.runner.start();
    dayClock.set({ time: START + 8 * HOUR });
    await poll(async () => (await gapsOf()).length, 0);
    expect(job.known.pause).toBeUndefined();
  });

  it("waits for Retry-After by the machine's clock", async () => {
    upstream.entries.set("a", []);
    upstream.failures.set("a", { afterPages: 0, error: new UpstreamError("unavailable", "429", 3_600_000) });
    const job = open(["a"]);
    job.runner.start();
    await roundsReach(1);
    dayClock.set({ time: START + 50 * HOUR });
    await poll(() => job.known.pause);
    const { retryAt = 0 } = job.known.pause ?? {};
    expect(retryAt - Date.now()).toBeGreaterThan(3_500_000);
    expect(upstream.walked).toEqual(["a"]);
    // As if the clock was set.
    upstream.failures.clear();
    job.runner.release();
    await roundsReach(2);
    expect(upstream.walked).toEqual(["a", "a"]);
    expect(job.known.pause).toBeUndefined();
  });

  it("retries the app that failed, and reads other apps when they are due", async () => {
    for (const app of ["a", "b"]) upstream.entries.set(app, entriesOf(app, [TODAY - 1]));
    upstream.failures.set("a", { afterPages: 0, error: new UpstreamError("form", "HTML") });
    open().runner.start();
    await roundsReach(1);
    upstream.failures.clear();
    await roundsReach(2);
    expect(rounds.map(({ apps, failed, added }) => [apps, failed, added])).toEqual([
      [2, 1, 1],
      [1, 0, 1],
    ]);
  });

  it("reads the apps that it knows if the app list cannot be read", async () => {
    upstream.entries.set("a", entriesOf("a", [TODAY - 1]));
    const job = open();
    upstream.listError = new UpstreamError("form", "HTML");
    expect(await runNow(job)).toBe(upstream.listError);
    upstream.listError = undefined;
    await runNow(job);
    upstream.listError = new UpstreamError("unavailable", "HTTP 503");
    expect(await runNow(job)).toBeUndefined();
    expect(upstream.walked).toEqual(["a", "a"]);
  });

  it("reports an unreadable app list as a gap of all apps, until the list can be read", async () => {
    const job = open();
    upstream.listError = new UpstreamError("credentials", "HTTP 403: no");
    await runNow(job);
    expect(await gapsOf()).toMatchObject([{ appId: "-", kind: 3, problem: "HTTP 403: no" }]);
    expect(rounds).toMatchObject([{ apps: 0, pages: 0 }]);
    upstream.listError = undefined;
    await runNow(job);
    expect(await gapsOf()).toEqual([]);
  });

  it("adds no more apps after ten thousand", async () => {
    upstream.entries.set("a", entriesOf("a", [TODAY - 1]));
    const job = open();
    await runNow(job);
    upstream.entries.clear();
    for (let app = 0; app < 10_000; app++) upstream.entries.set(`app-${app}`, []);
    await runNow(job);
    expect([...job.known.apps.keys()]).toEqual(["a"]);
    expect(await gapsOf()).toMatchObject([{ appId: "-", kind: 5 }]);
  });

  it("reports an unknown format until responses are readable again", async () => {
    upstream.entries.set("a", entriesOf("a", [TODAY - 1]));
    upstream.problems.push("unknown field data.foo");
    const job = open(["a"]);
    await runNow(job);
    expect(await gapsOf()).toMatchObject([
      { kind: 5, problem: "unknown field data.foo", since: expect.any(Number) },
    ]);
    upstream.problems.length = 0;
    await runNow(job);
    expect(await gapsOf()).toEqual([]);
  });
});
