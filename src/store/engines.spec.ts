import { readdir } from "node:fs/promises";
import { expect, it, test } from "vitest";
import { testDirectory } from "../../test/support/test-directory.js";
import { ProcessDayLedger } from "../control/testing/process-day-ledger.js";
import { systemClock } from "../model/clock.js";
import { openStore, storeSchema } from "./engines.js";

test.each([
  [undefined, { engine: "duckdb", memoryLimit: "200MB" }],
  [{}, { engine: "duckdb", memoryLimit: "200MB" }],
  [
    { memoryLimit: "1GB", threads: 2 },
    { engine: "duckdb", memoryLimit: "1GB", threads: 2 },
  ],
  [{ engine: "duckdb" }, { engine: "duckdb", memoryLimit: "200MB" }],
])("reads %j as options of the default engine", (given, options) => {
  expect(storeSchema.prefault({}).parse(given)).toEqual(options);
});

test.each([
  [
    { urls: ["http://ch1:8123"] },
    { engine: "clickhouse", urls: ["http://ch1:8123"], database: "waybill", username: "default" },
  ],
  [
    { urls: ["https://ch1", "https://ch2"], database: "d", cluster: "c", tls: { ca: "/ca.pem" } },
    {
      engine: "clickhouse",
      urls: ["https://ch1", "https://ch2"],
      database: "d",
      cluster: "c",
      username: "default",
      tls: { ca: "/ca.pem" },
    },
  ],
])("reads %j as options of ClickHouse", (given, options) => {
  expect(storeSchema.parse({ engine: "clickhouse", ...given })).toEqual(options);
});

test.each([
  [{ engine: "mysql" }, ["engine"], "must be one of: duckdb, clickhouse"],
  [{ engine: "clickhouse" }, ["urls"], "Invalid input: expected array, received undefined"],
  [{ engine: "clickhouse", urls: [] }, ["urls"], "must name a server"],
  [
    { engine: "clickhouse", urls: ["ch1:8123"] },
    ["urls", 0],
    "must be an http or https URL such as http://ch1.example.com:8123",
  ],
  [
    { engine: "clickhouse", urls: ["http://u:p@ch1:8123"] },
    ["urls", 0],
    "must not have credentials; use username and passwordFile",
  ],
  [
    { engine: "clickhouse", urls: ["http://ch1:8123/?database=x"] },
    ["urls", 0],
    "must end with the port; use database for the database name",
  ],
  [
    { engine: "clickhouse", urls: ["http://ch1"], database: "a; DROP" },
    ["database"],
    "must have at most 63 letters, digits and underscores, and not begin with a digit",
  ],
  [
    { engine: "clickhouse", urls: ["http://ch1"], tls: { ca: "a", key: "k" } },
    ["tls", "key"],
    "needs certificate, which is missing",
  ],
])("reports the mistake in %j", (given, path, message) => {
  expect(storeSchema.safeParse(given).error?.issues).toMatchObject([{ path, message }]);
});

it("requires a day ledger to open ClickHouse", async () => {
  const options = storeSchema.parse({ engine: "clickhouse", urls: ["http://127.0.0.1:1"] });
  const opening = openStore(options, { directory: "/nowhere", clock: systemClock });
  await expect(opening).rejects.toThrow("the store needs a day ledger");
});

test.each([
  [{ urls: ["http://127.0.0.1:1"] }, /^cannot use ClickHouse: connect ECONNREFUSED 127\.0\.0\.1:1$/],
  [{ urls: ["http://localhost:1"] }, /^cannot use ClickHouse: .*ECONNREFUSED/],
  [
    { urls: ["http://127.0.0.1:1"], passwordFile: "/nowhere/password" },
    /^store\.passwordFile: \/nowhere\/password cannot be read: there is no such file or directory$/,
  ],
])("reports a failure to open ClickHouse with %j in one line", async (keys, message) => {
  const options = storeSchema.parse({ engine: "clickhouse", ...keys });
  const days = new ProcessDayLedger(systemClock);
  await expect(openStore(options, { directory: "/nowhere", clock: systemClock, days })).rejects.toThrow(
    message,
  );
});

it("opens the engine named in its options, in the data directory", async () => {
  const directory = await testDirectory();
  const store = await openStore(storeSchema.parse({ engine: "duckdb" }), { directory, clock: systemClock });
  await store.check();
  expect(await readdir(directory)).toContain("waybill.duckdb");
  await store.close();
});
