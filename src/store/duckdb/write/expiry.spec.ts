import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { accepted, blocksOf, PROJECT, settle } from "../../testing/test-events.js";
import { Database } from "../database.js";
import { DuckDbStore } from "../duckdb-store.js";
import { removeSome } from "./expiry.js";

const DAY = Date.UTC(2026, 2, 5) / 86_400_000;

it("removes a large day in steps, and its entries with the last one", async () => {
  const options = { directory: await mkdtemp(join(tmpdir(), "waybill-store-")), memoryLimit: "256MB" };
  const store = await DuckDbStore.open(options);
  const events = Array.from({ length: 25 }, (_, i) => accepted({ messageId: `m${i}` }));
  await store.append(PROJECT, blocksOf(events));
  await settle(store);
  await store.seal(DAY);
  await store.close();
  const database = await Database.open(options);
  const connection = await database.connect();
  const left = async (): Promise<unknown> => {
    const sql = "SELECT (SELECT count(*) FROM message_states), (SELECT count(*) FROM entries)";
    return (await connection.runAndReadAll(sql)).getRows()[0];
  };
  const steps = [];
  for (let i = 0; i < 3; i++) {
    steps.push(await removeSome(connection, PROJECT, [DAY], DAY, 10), await left());
  }
  expect(steps).toEqual([
    { days: 1, states: 10, goesOn: true },
    [15n, 1n],
    { days: 1, states: 10, goesOn: true },
    [5n, 1n],
    { days: 1, states: 5, goesOn: false },
    [0n, 0n],
  ]);
  database.close();
  await rm(options.directory, { recursive: true });
});
