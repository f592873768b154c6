import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, test } from "vitest";
import { systemClock } from "../model/clock.js";
import { openStore, storeSchema } from "./engines.js";

test.each([
  [undefined, { engine: "duckdb", memoryLimit: "320MB" }],
  [{}, { engine: "duckdb", memoryLimit: "320MB" }],
  [
    { memoryLimit: "1GB", threads: 2 },
    { engine: "duckdb", memoryLimit: "1GB", threads: 2 },
  ],
  [{ engine: "duckdb" }, { engine: "duckdb", memoryLimit: "320MB" }],
])("reads %j as options of the default engine", (given, options) => {
  expect(storeSchema.prefault({}).parse(given)).toEqual(options);
});

it("opens the engine that its options name, in the data directory", async () => {
  const directory = await mkdtemp(join(tmpdir(), "waybill-engines-"));
  const store = await openStore(storeSchema.parse({ engine: "duckdb" }), { directory, clock: systemClock });
  await store.check();
  expect(await readdir(directory)).toContain("waybill.duckdb");
  await store.close();
  await rm(directory, { recursive: true });
});
