import { beforeEach, expect, it } from "vitest";
import { testDirectory } from "../../../../test/support/test-directory.js";
import { accepted, blocksOf, PROJECT, settle } from "../../testing/test-events.js";
import { Database, type DuckDbOptions } from "../database.js";
import { DuckDbStore } from "../duckdb-store.js";
import { removeSome } from "./expiry.js";

const DAY = Date.UTC(2026, 2, 5) / 86_400_000;

let options: DuckDbOptions;
beforeEach(async () => {
  options = { directory: await testDirectory(), memoryLimit: "256MB" };
});

const messages = (day: number, count: number, name = "m") =>
  blocksOf(
    Array.from({ length: count }, (_, i) =>
      accepted({ messageId: `${name}${i}`, eventTime: new Date(day * 86_400_000 + 7.2e7).toISOString() }),
    ),
  );

async function inStore(work: (store: DuckDbStore) => Promise<void>): Promise<void> {
  const store = await DuckDbStore.open(options);
  await work(store);
  await store.close();
}

it("removes a large day in steps, and its entries in the last one", async () => {
  await inStore(async (store) => {
    await store.append(PROJECT, messages(DAY, 25));
    await settle(store);
    await store.seal(DAY);
  });
  const database = await Database.open(options);
  const connection = await database.connect();
  const left = async (): Promise<unknown> => {
    const sql = `SELECT (SELECT count(*) FROM message_states), (SELECT count(*) FROM entries),
      (SELECT sum(messages)::INTEGER FROM counted_days)`;
    return (await connection.runAndReadAll(sql)).getRows()[0];
  };
  const steps = [];
  for (let i = 0; i < 3; i++) {
    steps.push(await removeSome(connection, PROJECT, [DAY], DAY, 10), await left());
  }
  expect(steps).toEqual([
    { days: 1, states: 10, hasMore: true },
    [15n, 1n, 25],
    { days: 1, states: 10, hasMore: true },
    [5n, 1n, 25],
    { days: 1, states: 5, hasMore: false },
    [0n, 0n, 0],
  ]);
  database.close();
});

it("skips days that are stale or not sealed, and keeps entries of days after entriesUntil", async () => {
  const days = [DAY - 2, DAY - 1, DAY, DAY + 1];
  await inStore(async (store) => {
    for (const day of days) await store.append(PROJECT, messages(day, 2));
    await settle(store);
    await store.append(PROJECT, messages(DAY, 1, "stale"));
    await store.seal(DAY);
  });
  const database = await Database.open(options);
  const connection = await database.connect();
  expect(await removeSome(connection, PROJECT, days, DAY - 2)).toMatchObject({ days: 4, hasMore: false });
  const daysIn = async (table: string): Promise<unknown[]> => {
    const result = await connection.runAndReadAll(`SELECT DISTINCT day FROM ${table} ORDER BY day`);
    return result.getRows().map(([day]) => day);
  };
  expect(await daysIn("message_states")).toEqual([DAY, DAY + 1]);
  expect(await daysIn("entries")).toEqual([DAY - 1, DAY, DAY + 1]);
  database.close();
});
