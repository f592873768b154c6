import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { testDirectory } from "../../../test/support/test-directory.js";
import { systemClock } from "../../model/clock.js";
import { FencedError, StoreUnavailableError } from "../../model/store-error.js";
import { DuckDbStore } from "../../store/duckdb/duckdb-store.js";
import type { Store } from "../../store/store.js";
import { ArrayUpstream } from "../testing/array-upstream.js";
import { entriesOf, entryOf, publishedIn } from "../testing/mirrored-entries.js";
import { HttpUpstream } from "../upstream/http-upstream.js";
import { scriptedUpstream } from "../upstream/testing/scripted-upstream.js";
import { StaticCredentials } from "../upstream/testing/static-credentials.js";
import { UpstreamError } from "../upstream/upstream.js";
import { type RoundParts, walkApps } from "./round.js";
import type { AppWalk } from "./walk-app.js";

const PROJECT = "42";
const DAY = 20_000;

let store: DuckDbStore;
let now: number;
let upstream: ArrayUpstream;
let published: AppWalk[];
let firstDay: number | undefined;
beforeEach(async () => {
  store = await DuckDbStore.open({ directory: await testDirectory(), memoryLimit: "256MB" });
  now = 1_000;
  upstream = new ArrayUpstream(() => now);
  published = [];
  firstDay = undefined;
});
afterEach(() => store.close());

const partsOf = (inStore: Store): RoundParts => ({
  upstream,
  store: inStore,
  project: PROJECT,
  known: new Map(),
  firstDay,
  lease: { fence: { lease: "mirror", number: 1 }, isLost: false },
  observer: {
    walked: () => {},
    published: async (walks) => {
      published.push(...walks);
    },
  },
});

const round = (apps: readonly string[], inStore: Store = store, signal = new AbortController().signal) =>
  walkApps(apps, partsOf(inStore), signal);

const versionsAsOf = (asOf: number) =>
  store.readVersions({
    project: PROJECT,
    from: { day: DAY + 100, appId: "", label: "" },
    to: { day: 0, appId: "~", label: "~" },
    asOf,
  });

describe("walkApps", () => {
  it("publishes the entries from upstream, and stores the responses", async () => {
    upstream.entries.set("a", [entryOf("a", DAY, ""), entryOf("a", DAY, "x"), entryOf("a", DAY - 1, "")]);
    upstream.entries.set("b", [entryOf("b", DAY, "")]);
    expect(await round(["a", "b"])).toBeUndefined();
    expect(await publishedIn(store, PROJECT)).toEqual([
      entryOf("a", DAY, "").original,
      entryOf("a", DAY, "x").original,
      entryOf("b", DAY, "").original,
      entryOf("a", DAY - 1, "").original,
    ]);
    const [response, ...others] = await store.readResponses({ project: PROJECT, appId: "b", limit: 9 });
    expect(others).toEqual([]);
    expect(response).toMatchObject({
      appId: "b",
      fetchedAt: 1_000,
      url: "https://upstream.example/b?page=0",
    });
    expect(Buffer.from(response?.body ?? []).toString()).toBe(entryOf("b", DAY, "").original);
  });

  it("stores only responses if no entry has changed", async () => {
    upstream.entries.set("a", entriesOf("a", [DAY, DAY - 1]));
    await round(["a"]);
    const [publish, keepVersions] = [vi.spyOn(store, "publish"), vi.spyOn(store, "keepVersions")];
    now = 2_000;
    await round(["a"]);
    expect(publish).not.toHaveBeenCalled();
    expect(keepVersions).not.toHaveBeenCalled();
    expect(published.map(({ changes: { rows, unchanged } }) => [rows.length, unchanged])).toEqual([
      [2, 0],
      [0, 2],
    ]);
  });

  it("replaces no entry that another process has published since a first round began", async () => {
    upstream.entries.set("a", [entryOf("a", DAY, "", 1)]);
    await round(["a"]);
    const before = await publishedIn(store, PROJECT);
    upstream.entries.set("a", [entryOf("a", DAY, "", 2)]);
    const isFirst = { ...partsOf(store), isFirst: true };
    const walking = walkApps(["a"], isFirst, new AbortController().signal);
    await expect(walking).rejects.toBeInstanceOf(FencedError);
    expect(await publishedIn(store, PROJECT)).toEqual(before);
    await round(["a"]);
    expect(await publishedIn(store, PROJECT)).not.toEqual(before);
    expect((await versionsAsOf(1_000)).map(({ original }) => original)).toEqual(before);
  });

  it("stores a complete page even if the round ends before the page is parsed", async () => {
    const server = await scriptedUpstream([{ body: { androidDeliveryData: [] } }]);
    const stop = new AbortController();
    // Called after a page was received.
    const wall = (): number => {
      stop.abort(new Error("stopped"));
      return 5_000;
    };
    const clock = { ...systemClock, wall };
    const credentials = new StaticCredentials(["s3cret"]);
    const options = { url: server.origin, project: "p", credentials, clock, today: () => DAY };
    const parts = { ...partsOf(store), upstream: new HttpUpstream(options) };
    await expect(walkApps(["a"], parts, stop.signal)).rejects.toThrow("stopped");
    await server.close();
    const kept = await store.readResponses({ project: PROJECT, appId: "a", limit: 9 });
    expect(kept.map(({ fetchedAt, body }) => [fetchedAt, Buffer.from(body).toString()])).toEqual([
      [5_000, '{"androidDeliveryData":[]}'],
    ]);
  });

  it("stores all pages while the clock stands still or is set back, even if the lease is lost", async () => {
    upstream.entries.set("a", entriesOf("a", [DAY, DAY - 1, DAY - 2, DAY - 3, DAY - 4, DAY - 5]));
    upstream.pageSize = 1;
    const times = [9_000, 9_000, 4_000, 4_000, 4_000, 4_000];
    const pagesOf = ArrayUpstream.prototype.pages.bind(upstream);
    const moving = vi.spyOn(upstream, "pages").mockImplementation(async function* (...call) {
      for await (const page of pagesOf(...call)) {
        now = times.shift() ?? now;
        yield page;
      }
    });
    const signal = new AbortController().signal;
    const parts = partsOf(store);
    const walking = walkApps(["a"], { ...parts, lease: { ...parts.lease, isLost: true } }, signal);
    await expect(walking).rejects.toThrow("another process");
    moving.mockRestore();
    const kept = await store.readResponses({ project: PROJECT, appId: "a", limit: 9 });
    expect(kept.map(({ fetchedAt }) => fetchedAt)).toEqual([9_000, 9_000, 4_000, 4_000, 4_000, 1_000]);
    expect(new Set(kept.map(({ url }) => url)).size).toBe(6);
  });

  it("stores responses for days before the retention, but does not publish these days", async () => {
    upstream.entries.set("a", entriesOf("a", [DAY, DAY - 1, DAY - 2]));
    firstDay = DAY - 1;
    await round(["a"]);
    const kept = entriesOf("a", [DAY, DAY - 1]).map(({ original }) => original);
    expect(await publishedIn(store, PROJECT)).toEqual(kept);
    expect(published.map(({ days }) => days)).toEqual([[DAY, DAY - 1]]);
    expect(await store.readResponses({ project: PROJECT, appId: "a", limit: 9 })).toHaveLength(1);
  });

  it("publishes at most 100 days in one step", async () => {
    const days = Array.from({ length: 230 }, (_, index) => DAY - 3 * index);
    upstream.entries.set("a", entriesOf("a", days));
    const publish = vi.spyOn(store, "publish");
    await round(["a"]);
    expect(publish.mock.calls.map(([, ofCall]) => ofCall.length)).toEqual([100, 100, 30]);
    expect(await publishedIn(store, PROJECT)).toHaveLength(230);
  });

  it("publishes days with many entries in several steps", async () => {
    const labels = Array.from({ length: 50_000 }, (_, index) => `l${index}`);
    const entries = [DAY, DAY - 1, DAY - 2].flatMap((day) => labels.map((label) => entryOf("a", day, label)));
    upstream.entries.set("a", entries);
    upstream.pageSize = entries.length;
    const publish = vi.spyOn(store, "publish");
    await round(["a"]);
    expect(publish.mock.calls.map(([, ofCall]) => ofCall.length)).toEqual([2, 1]);
    const stored = await store.readEntries({ project: PROJECT, until: DAY, limit: 200_000 });
    expect(stored.reduce((sum, { length }) => sum + length, 0)).toBe(entries.length);
  });

  it("publishes each day once for all apps, and keeps entries of other apps", async () => {
    const apps = Array.from({ length: 20 }, (_, index) => `app-${index}`);
    for (const app of apps) upstream.entries.set(app, entriesOf(app, [DAY, DAY - 1, DAY - 2]));
    await round(apps.slice(0, 5));
    const publish = vi.spyOn(store, "publish");
    await round(apps.slice(5));
    const days = publish.mock.calls.flatMap(([, ofCall]) => ofCall.map(({ day }) => day));
    expect(days.sort()).toEqual([DAY - 2, DAY - 1, DAY]);
    expect(await publishedIn(store, PROJECT)).toHaveLength(60);
  });

  it("stores the previous version of a changed entry", async () => {
    upstream.entries.set("a", entriesOf("a", [DAY, DAY - 1], 1));
    await round(["a"]);
    now = 2_000;
    upstream.entries.set("a", [entryOf("a", DAY, "", 2), entryOf("a", DAY - 1, "", 1)]);
    await round(["a"]);
    expect(await publishedIn(store, PROJECT)).toEqual([
      entryOf("a", DAY, "", 2).original,
      entryOf("a", DAY - 1, "", 1).original,
    ]);
    expect(await versionsAsOf(1_999)).toEqual([
      { day: DAY, appId: "a", label: "", fetchedAt: 1_000, original: entryOf("a", DAY, "", 1).original },
    ]);
  });

  it("keeps entries that upstream no longer lists", async () => {
    upstream.entries.set("a", entriesOf("a", [DAY, DAY - 1]));
    await round(["a"]);
    upstream.entries.set("a", entriesOf("a", [DAY + 1]));
    await round(["a"]);
    expect(await publishedIn(store, PROJECT)).toHaveLength(3);
  });

  it("sets increasing times for versions even after the clock was set back", async () => {
    for (const accepted of [1, 2, 3]) {
      upstream.entries.set("a", [entryOf("a", DAY, "", accepted)]);
      await round(["a"]);
      now -= 500;
    }
    const texts = (await Promise.all([1_000, 1_001, 1_002].map(versionsAsOf))).flat();
    expect(texts.map(({ fetchedAt, original: text }) => [fetchedAt, text])).toEqual([
      [1_000, entryOf("a", DAY, "", 1).original],
      [1_001, entryOf("a", DAY, "", 2).original],
      [1_001, entryOf("a", DAY, "", 2).original],
    ]);
    expect(await publishedIn(store, PROJECT)).toEqual([entryOf("a", DAY, "", 3).original]);
  });

  it("counts pages that were read before an error, and continues with other apps", async () => {
    upstream.pageSize = 1;
    const error = new UpstreamError("form", "half a page");
    for (const app of ["a", "b"]) upstream.entries.set(app, entriesOf(app, [DAY, DAY - 1]));
    upstream.failures.set("a", { afterPages: 1, error });
    expect(await round(["a", "b"])).toBeUndefined();
    expect(published.map(({ appId, pages, error }) => [appId, pages, error])).toContainEqual(["a", 1, error]);
    expect(await publishedIn(store, PROJECT)).toHaveLength(3);
  });

  it.each([
    ["rejects the credentials", new UpstreamError("credentials", "HTTP 403"), 4],
    ["sends Retry-After", new UpstreamError("unavailable", "HTTP 429", 60_000), 4],
    ["fails for several apps in a row", new UpstreamError("unavailable", "HTTP 503"), 8],
  ])("stops the round if upstream %s", async (_, error, most) => {
    const apps = Array.from({ length: 30 }, (__, index) => `app-${index}`);
    for (const app of apps) upstream.failures.set(app, { afterPages: 0, error });
    expect(await round(apps)).toBe(error);
    expect(upstream.walked.length).toBeLessThanOrEqual(most);
  });

  it("never reads an app twice at the same time, and reads no app after an abort", async () => {
    const apps = Array.from({ length: 12 }, (_, index) => `app-${index}`);
    for (const app of apps) upstream.entries.set(app, entriesOf(app, [DAY]));
    const controller = new AbortController();
    const reason = new Error("closing");
    const ended = round(apps, store, controller.signal).catch((error: unknown) => error);
    controller.abort(reason);
    expect(await ended).toBe(reason);
    expect(published).toEqual([]);
    await round(apps);
    expect(upstream.maxWalksOfApp).toBe(1);
    expect(published).toHaveLength(12);
  });

  it("rejects a project that has entries from events", async () => {
    const counts = entryOf("a", DAY, "").counts ?? [];
    const columns = counts.map((count) => Float64Array.of(count));
    await store.publish(PROJECT, [
      { day: DAY, entries: [{ length: 1, appIds: ["a"], labels: ["x"], counts: columns }] },
    ]);
    upstream.entries.set("a", entriesOf("a", [DAY]));
    await expect(round(["a"])).rejects.toThrow("computed from events");
  });
});

describe("walkApps, interrupted at any call of the store,", () => {
  /** A store that fails all changes from a call on, before or after they are done. */
  const failingAfter = (changes: number, isDone: boolean): Store => {
    let left = changes;
    return new Proxy<Store>(store, {
      get(target, name) {
        const member: unknown = Reflect.get(target, name);
        if (typeof member !== "function") return member;
        const call = member.bind(target) as (...given: unknown[]) => Promise<unknown>;
        if (!["publish", "keepVersions", "storeResponse"].includes(String(name))) return call;
        return async (...given: unknown[]) => {
          const fails = left-- <= 0;
          const result = fails && !isDone ? undefined : await call(...given);
          if (fails) throw new StoreUnavailableError("gone");
          return result;
        };
      },
    });
  };

  it("leaves nothing lost or duplicated after a complete round", async () => {
    const step = fc.record({
      accepted: fc.array(fc.integer({ min: 1, max: 3 }), { minLength: 4, maxLength: 4 }),
      cut: fc.option(fc.record({ after: fc.nat({ max: 6 }), isDone: fc.boolean() }), { nil: undefined }),
      passed: fc.integer({ min: -50, max: 50 }),
    });
    let project = 100;
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 5 }), async (steps) => {
        const own = String(project++);
        const apps = ["a", "b"];
        const roundOf = (inStore: Store) =>
          walkApps(apps, { ...partsOf(inStore), project: own }, new AbortController().signal);
        for (const { accepted, cut, passed } of steps) {
          now += passed;
          const entries = accepted.map((count, index) =>
            entryOf(apps[index % 2] ?? "", DAY - (index >> 1), "", count),
          );
          for (const app of apps)
            upstream.entries.set(
              app,
              entries.filter(({ appId }) => appId === app),
            );
          if (cut === undefined) await roundOf(store);
          else await roundOf(failingAfter(cut.after, cut.isDone)).catch(() => {});
        }
        await roundOf(store);
        const given = [...upstream.entries.values()].flat().map(({ original: text }) => text);
        expect((await publishedIn(store, own)).sort()).toEqual(given.sort());
        const again = vi.spyOn(store, "publish");
        await roundOf(store);
        expect(again).not.toHaveBeenCalled();
        again.mockRestore();
      }),
      { numRuns: 15 },
    );
  });
});
