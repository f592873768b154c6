import { afterAll, beforeAll, expect, it } from "vitest";
import { fileDirectory } from "../../../test/support/test-directory.js";
import { MAX_MEASURED_APPS } from "../../limits/data-limits.js";
import { COUNTS, type DayEntries } from "../../store/delivery-data-store.js";
import { DuckDbStore } from "../../store/duckdb/duckdb-store.js";
import { type AppFigures, LargestApps, LastDayFigures, readApps } from "./last-day.js";

const of = (project: string, app: string, accepted: number, delivered = 0): AppFigures => ({
  project,
  app,
  accepted,
  delivered,
});

function largestOf(figures: Iterable<AppFigures>): readonly AppFigures[] {
  const largest = new LargestApps();
  for (const app of figures) largest.add(app);
  return largest.all();
}

it("LargestApps returns a few apps unchanged, largest first, followed by the sums of other apps", () => {
  expect(
    largestOf([
      of("1", "", 7, 6),
      of("1", "a", 1, 1),
      of("2", "a", 5, 4),
      of("2", "", 0),
      of("1", "", 2, 1),
      of("1", "b", 3, 2),
    ]),
  ).toEqual([of("2", "a", 5, 4), of("1", "b", 3, 2), of("1", "a", 1, 1), of("1", "", 9, 7), of("2", "", 0)]);
});

it.each([1, 2, 3.5])(
  "LargestApps selects the largest of %d times its maximum, and sums up the other apps",
  (times) => {
    const count = times * MAX_MEASURED_APPS;
    // In no particular order: 11 and the number of apps have no common divisor.
    const apps = Array.from({ length: count }, (_, i) => (i * 11) % count).map((size) =>
      of(String(size % 2), `app-${size}`, size, size / 2),
    );
    const figures = largestOf(apps);
    const kept = figures.filter(({ app }) => app !== "");
    expect(kept.map(({ accepted }) => accepted)).toEqual(
      Array.from({ length: MAX_MEASURED_APPS }, (_, i) => count - 1 - i),
    );
    expect(figures.length - kept.length).toBe(times === 1 ? 0 : 2);
    for (const project of ["0", "1"]) {
      for (const column of ["accepted", "delivered"] as const) {
        const sum = (all: readonly AppFigures[]): number =>
          all.filter((app) => app.project === project).reduce((total, app) => total + app[column], 0);
        expect(sum(figures)).toBe(sum(apps));
      }
    }
  },
);

it("LastDayFigures returns each project's latest figures", () => {
  const figures = new LastDayFigures();
  expect([figures.byApp, [...figures.days]]).toEqual([[], []]);
  figures.set("1", 20_000, [{ project: "1", app: "gone", accepted: 9, delivered: 9 }]);
  figures.set("2", 20_000, [{ project: "2", app: "b", accepted: 2, delivered: 1 }]);
  figures.set("1", 20_001, [{ project: "1", app: "a", accepted: 3, delivered: 2 }]);
  expect(figures.byApp).toEqual([
    { project: "1", app: "a", accepted: 3, delivered: 2 },
    { project: "2", app: "b", accepted: 2, delivered: 1 },
  ]);
  expect([...figures.days]).toEqual([
    ["1", 20_001],
    ["2", 20_000],
  ]);
});

it("LastDayFigures lists the largest apps of all projects, and lists an app again when it is large enough", () => {
  const figures = new LastDayFigures();
  const small = { project: "2", app: "small", accepted: 1, delivered: 1 };
  figures.set("2", 20_000, [small, { project: "2", app: "", accepted: 4, delivered: 2 }]);
  const others = () => figures.byApp.filter(({ app }) => app === "");
  figures.set(
    "1",
    20_000,
    Array.from({ length: MAX_MEASURED_APPS }, (_, i) => ({
      project: "1",
      app: `app-${i}`,
      accepted: 2,
      delivered: 1,
    })),
  );
  expect(figures.byApp).not.toContainEqual(small);
  expect(others()).toEqual([{ project: "2", app: "", accepted: 5, delivered: 3 }]);
  figures.set("1", 20_000, []);
  expect(figures.byApp).toContainEqual(small);
  expect(others()).toEqual([{ project: "2", app: "", accepted: 4, delivered: 2 }]);
});

const [PROJECT, DAY] = ["123456789012", 20_000];
const { signal } = new AbortController();

const directory = fileDirectory();
let store: DuckDbStore;

beforeAll(async () => {
  store = await DuckDbStore.open({ directory, memoryLimit: "256MB" });
});
afterAll(() => store.close());

interface App {
  readonly labels: number;
  readonly delivered: number;
  readonly accepted?: number;
}

/** Entries of apps by their number of labels. Each has 10 accepted messages by default, and delivered ones. */
function entriesOf(apps: Readonly<Record<string, App>>): DayEntries {
  const rows = Object.entries(apps).flatMap(([appId, { labels, delivered, accepted = 10 }]) =>
    Array.from({ length: labels }, (_, i) => ({ appId, label: `label-${i}`, delivered, accepted })),
  );
  return {
    length: rows.length,
    appIds: rows.map(({ appId }) => appId),
    labels: rows.map(({ label }) => label),
    counts: COUNTS.map((name) =>
      Float64Array.from(rows, ({ delivered, accepted }) => {
        if (name === "count_messages_accepted") return accepted;
        return name === "delivered" ? delivered : 1_000;
      }),
    ),
  };
}

it("readApps sums up entries by app, even if there are many", async () => {
  await store.publish(PROJECT, [{ day: DAY - 1, entries: [entriesOf({ a: { labels: 3, delivered: 1 } })] }]);
  await store.publish(PROJECT, [
    {
      day: DAY,
      entries: [
        // Apps with entries that fit into one read, and one app with more.
        entriesOf({
          a: { labels: 1_999, delivered: 5 },
          b: { labels: 1, delivered: 0 },
          c: { labels: 2, delivered: 9 },
          // Its entries lack figures.
          "c-unknown": { labels: 2, delivered: 0, accepted: 0 },
        }),
        entriesOf({ d: { labels: 4_100, delivered: 8 } }),
      ],
    },
  ]);
  await store.publish("1", [{ day: DAY, entries: [entriesOf({ another: { labels: 1, delivered: 1 } })] }]);
  expect(await readApps(store, PROJECT, DAY, signal)).toEqual([
    { project: PROJECT, app: "d", accepted: 41_000, delivered: 32_800 },
    { project: PROJECT, app: "a", accepted: 19_990, delivered: 9_995 },
    { project: PROJECT, app: "c", accepted: 20, delivered: 18 },
    { project: PROJECT, app: "b", accepted: 10, delivered: 0 },
    { project: PROJECT, app: "", accepted: 0, delivered: 0 },
  ]);
});

it("readApps returns an empty sum for a day without entries", async () => {
  const none = [{ project: PROJECT, app: "", accepted: 0, delivered: 0 }];
  expect(await readApps(store, PROJECT, DAY + 1, signal)).toEqual(none);
});

it("readApps stops when its signal aborts", async () => {
  const reason = new Error("stopping");
  await expect(readApps(store, PROJECT, DAY, AbortSignal.abort(reason))).rejects.toBe(reason);
});
