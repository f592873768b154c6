import { beforeEach, expect, it } from "vitest";
import { testDirectory } from "../../../../test/support/test-directory.js";
import { accepted, blocksOf, OTHER_PROJECT, PROJECT, settle } from "../../testing/test-events.js";
import { Database, type DuckDbOptions } from "../database.js";
import { DuckDbStore } from "../duckdb-store.js";
import { eraseSome } from "./erasure.js";

let options: DuckDbOptions;
beforeEach(async () => {
  options = { directory: await testDirectory(), memoryLimit: "256MB" };
});

const messages = (count: number, name: string) =>
  blocksOf(
    Array.from({ length: count }, (_, i) => accepted({ messageId: `${name}${i}`, analyticsLabel: `${i}` })),
  );

it("erases a limited number of rows in each step, stale days first", async () => {
  const store = await DuckDbStore.open(options);
  for (const project of [PROJECT, OTHER_PROJECT]) await store.append(project, messages(25, "a"));
  await settle(store);
  await store.append(PROJECT, messages(12, "b"));
  await store.close();
  const database = await Database.open(options);
  const connection = await database.connect();
  const left = async (project: string): Promise<unknown> => {
    const tables = ["stale_days", "message_states", "counted_days", "entries"];
    const counts = tables.map(
      (table) => `(SELECT count(*)::INTEGER FROM ${table} WHERE project = ${project})`,
    );
    return (await connection.runAndReadAll(`SELECT ${counts.join(", ")}`)).getRows()[0];
  };
  const steps = [];
  for (let rows = -1; rows !== 0; ) {
    rows = await eraseSome(connection, PROJECT, 10);
    steps.push([rows, await left(PROJECT)]);
  }
  expect(steps).toEqual([
    [1, [0, 37, 1, 25]],
    [10, [0, 27, 1, 25]],
    [10, [0, 17, 1, 25]],
    [10, [0, 7, 1, 25]],
    [7, [0, 0, 1, 25]],
    [1, [0, 0, 0, 25]],
    [10, [0, 0, 0, 15]],
    [10, [0, 0, 0, 5]],
    [5, [0, 0, 0, 0]],
    [0, [0, 0, 0, 0]],
  ]);
  expect(await left(OTHER_PROJECT)).toEqual([0, 25, 1, 25]);
  database.close();
});
