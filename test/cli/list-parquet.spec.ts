import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished } from "vitest";
import { runInProcess } from "../../src/cli/testing/run-in-process.js";
import { accepted } from "../support/data/delivery-data.js";
import { withDuckDb } from "../support/data/duckdb.js";
import { entriesOnceThey, ndjson, postEvents } from "../support/data/import.js";
import { it } from "../support/servers/fixtures.js";
import { limitFileSize } from "../support/servers/limit-file-size.js";
import { PROJECT } from "../support/servers/project.js";

const APP = "app";
const NOON = "2025-06-02T12:00:00-07:00";

/** Returns a query's rows with each column's name and type. */
const query = (sql: string) =>
  withDuckDb(":memory:", async (connection) => {
    const result = await connection.runAndReadAll(sql);
    const types = result.columnTypes().map((type, index) => [result.columnName(index), String(type)]);
    return { types: Object.fromEntries(types), rows: result.getRowsJson() };
  });

it("waybill list reports that the disk is full when it writes a Parquet file", async ({
  server,
  viewer,
  directory,
}) => {
  const out = join(directory, "entries.parquet");
  const flags = ["--project", PROJECT.id, "--app", APP, "--server", server.messagingDataUrl];
  limitFileSize(process.pid, 1_000);
  onTestFinished(() => limitFileSize(process.pid, "unlimited"));
  const parquet = ["--token", viewer, "--format", "parquet", "--out", out];
  const listed = await runInProcess(["list", ...flags, ...parquet]);
  expect(listed).toEqual({
    code: 1,
    stdout: "",
    stderr: expect.stringMatching(/^waybill: the temporary file \S+ cannot be written: File too large\n$/),
  });
  expect(await readdir(directory)).toEqual([]);
});

it("waybill list writes a Parquet file with dates, counts and percentages that an engine can read", async ({
  server,
  editor,
  directory,
}) => {
  const messages = [accepted(APP, NOON), accepted(APP, NOON), accepted(APP, NOON)];
  const delivered = { ...messages[0], eventType: "DELIVERED" };
  await postEvents(server, editor, ndjson([...messages, delivered]));
  await entriesOnceThey(server, editor, APP, ({ length }) => length === 1);
  const out = join(directory, "entries.parquet");
  const flags = ["--project", PROJECT.id, "--app", APP, "--server", server.messagingDataUrl];
  const { code, stdout, stderr } = await runInProcess([
    ...["list", ...flags, "--token", editor, "--format", "parquet", "--out", out],
  ]);
  expect([code, stdout, stderr]).toEqual([0, `${out}: 1 entries\n`, ""]);
  expect(await readdir(directory)).toEqual(["entries.parquet"]);
  const read = `SELECT app_id, date, count_messages_accepted, delivered, delivered_percent, proxied FROM '${out}'`;
  expect(await query(read)).toEqual({
    types: {
      app_id: "VARCHAR",
      date: "DATE",
      count_messages_accepted: "BIGINT",
      delivered: "BIGINT",
      delivered_percent: "DOUBLE",
      proxied: "BIGINT",
    },
    rows: [[APP, "2025-06-02", "3", "1", 100 / 3, null]],
  });
});
