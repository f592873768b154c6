import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { afterEach, beforeEach, expect, it } from "vitest";
import { rowEncoders } from "../../messaging-data/delivery-data/encode/row-encoders.js";
import { ENTRY_FORM } from "../../messaging-data/delivery-data/encode/row-form.js";
import { type NaiveEvent, naiveJson, naiveRollup } from "../../messaging-data/rollup/testing/naive-rollup.js";
import { LAST_DAY } from "../../model/day.js";
import { accepted, blocksOf, PROJECT, settle } from "../testing/test-events.js";
import { DuckDbStore } from "./duckdb-store.js";
import { earlierEvents } from "./testing/earlier-events.js";

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "waybill-store-"));
});
afterEach(() => rm(directory, { recursive: true }));

async function list(store: DuckDbStore): Promise<unknown[]> {
  const encoder = rowEncoders(ENTRY_FORM)("json");
  const batches = await store.readEntries({ project: PROJECT, until: LAST_DAY, limit: 10_000 });
  for (const batch of batches) encoder.add(batch, 0, batch.length);
  return JSON.parse(encoder.finish().bytes.toString()).androidDeliveryData;
}

const expected = (events: readonly NaiveEvent[]): unknown[] =>
  naiveRollup([...events])
    .map(naiveJson)
    .sort((a, b) => orderOf(a) - orderOf(b));

/** Lists of several apps have the newest day first. The sort keeps the order of apps and labels. */
const orderOf = (entry: unknown): number => -(entry as { date: { day: number } }).date.day;

it.each([1, 4])(
  "takes over the file of version %i: what it listed, what was stale, and what arrives later",
  async (version) => {
    const packed = await readFile(new URL(`./testing/version-${version}.duckdb.gz`, import.meta.url));
    await writeFile(join(directory, "waybill.duckdb"), gunzipSync(packed));
    const { rolledUp, stale } = earlierEvents();
    const open = () => DuckDbStore.open({ directory, memoryLimit: "256MB" });
    let store = await open();
    expect(await list(store)).toEqual(expected(rolledUp));
    await settle(store);
    expect(await list(store)).toEqual(expected([...rolledUp, ...stale]));
    await store.close();

    store = await open();
    expect(await store.staleProjects()).toEqual([]);
    const late = [
      // An earlier ACCEPTED gives the message another label.
      accepted({
        appId: "app0",
        messageId: "ACCEPTED DELIVERED",
        eventTime: "2026-03-08T19:00:00Z",
        analyticsLabel: "late",
      }),
      accepted({ messageId: "new", eventTime: "2026-03-08T19:00:00Z" }),
    ];
    await store.append(PROJECT, blocksOf(late));
    await settle(store);
    expect(await list(store)).toEqual(expected([...rolledUp, ...stale, ...late]));
    await store.close();
  },
);
