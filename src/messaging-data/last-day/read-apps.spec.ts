import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { COUNTS, type DayEntries } from "../../store/delivery-data-store.js";
import { DuckDbStore } from "../../store/duckdb/duckdb-store.js";
import { readApps } from "./read-apps.js";

const [PROJECT, DAY] = ["123456789012", 20_000];
const { signal } = new AbortController();

let directory: string;
let store: DuckDbStore;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "waybill-last-day-"));
  store = await DuckDbStore.open({ directory, memoryLimit: "256MB" });
});
afterAll(async () => {
  await store.close();
  await rm(directory, { recursive: true });
});

interface App {
  readonly labels: number;
  readonly delivered: number;
  readonly accepted?: number;
}

/** Entries of apps with the given number of labels, each with 10 accepted messages by default, of which some are delivered. */
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

it("sums up the entries of the day by app, however many there are", async () => {
  await store.publish(PROJECT, DAY - 1, [entriesOf({ a: { labels: 3, delivered: 1 } })]);
  await store.publish(PROJECT, DAY, [
    // Apps that begin and end within a read, and one that does not fit into any.
    entriesOf({
      a: { labels: 1_999, delivered: 5 },
      b: { labels: 1, delivered: 0 },
      c: { labels: 2, delivered: 9 },
      // Its entries lack their figures.
      "c-unknown": { labels: 2, delivered: 0, accepted: 0 },
    }),
    entriesOf({ d: { labels: 4_100, delivered: 8 } }),
  ]);
  await store.publish("1", DAY, [entriesOf({ another: { labels: 1, delivered: 1 } })]);
  expect(await readApps(store, PROJECT, DAY, signal)).toEqual([
    { project: PROJECT, app: "d", accepted: 41_000, delivered: 32_800 },
    { project: PROJECT, app: "a", accepted: 19_990, delivered: 9_995 },
    { project: PROJECT, app: "c", accepted: 20, delivered: 18 },
    { project: PROJECT, app: "b", accepted: 10, delivered: 0 },
    { project: PROJECT, app: "", accepted: 0, delivered: 0 },
  ]);
});

it("has only the sum of no apps for a day without entries", async () => {
  const none = [{ project: PROJECT, app: "", accepted: 0, delivered: 0 }];
  expect(await readApps(store, PROJECT, DAY + 1, signal)).toEqual(none);
});

it("stops when it is told to", async () => {
  const reason = new Error("stopping");
  await expect(readApps(store, PROJECT, DAY, AbortSignal.abort(reason))).rejects.toBe(reason);
});
