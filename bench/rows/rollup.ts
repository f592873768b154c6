import { createReadStream } from "node:fs";
import { join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import { batchesOf } from "../../dist/client/import/batches.js";
import { acceptedAt } from "../../dist/messaging-data/events/accepted-days.js";
import { EventParser } from "../../dist/messaging-data/events/event-parser.js";
import { DuckDbStore } from "../../dist/store/duckdb/duckdb-store.js";
import { FIRST_DAY, writeEventFile } from "../support/event-file.js";
import { compare, timeLine } from "../support/measurement.js";
import { progress } from "../support/progress.js";
import { READ_EVENTS } from "../support/read-json.js";
import type { Row } from "../support/row.js";
import { PROJECT } from "../support/waybill-server.js";

const BLOCK_BYTES = 16 * 1024 * 1024;
const MAX_LINE_BYTES = 8 * 1024;
const DAYS = acceptedAt(Date.now(), { from: 0, ahead: 0 });
const DAY = Date.parse(FIRST_DAY) / 86_400_000;

/** Rollup of one day, compared with the simplest count of the same rows in DuckDB. */
export const rollupRow: Row = {
  name: "rollup",
  measure: async ({ runs, rollupEvents: count }, directory) => {
    const events = join(directory, "events.ndjson");
    await writeEventFile(events, count, 1);
    progress("  storing them twice");
    const store = await DuckDbStore.open({ directory: join(directory, "data"), memoryLimit: "320MB" });
    await appendAll(store, events);
    const instance = await DuckDBInstance.create(join(directory, "reference.duckdb"));
    const connection = await instance.connect();
    // Waybill does not store ACCEPTED events of devices that did not opt in either.
    await connection.run(
      `CREATE TABLE events AS
         SELECT * RENAME (appId AS app, analyticsLabel AS label) FROM ${READ_EVENTS}
         WHERE eventType <> 'ACCEPTED' OR usageReportingOptIn`,
      { file: events },
    );
    await connection.run("CHECKPOINT");
    const rollUp = async (): Promise<void> => {
      await store.rollUp(PROJECT, [DAY]);
    };
    const countRows = async (): Promise<void> => {
      await connection.runAndReadAll("SELECT app, label, count(*) FROM events GROUP BY app, label");
    };
    await rollUp();
    await countRows();
    const comparison = await compare(
      runs,
      () => timed(rollUp),
      () => timed(countRows),
    );
    connection.closeSync();
    instance.closeSync();
    await store.close();
    return [timeLine(`rollup of a day of ${count.toLocaleString("en-US")} events`, comparison, 6)];
  },
};

/** Stores the events of a file like imports do. */
async function appendAll(store: DuckDbStore, events: string): Promise<void> {
  for await (const { bytes } of batchesOf(createReadStream(events), BLOCK_BYTES)) {
    const parser = new EventParser(MAX_LINE_BYTES, DAYS);
    parser.push(bytes);
    await store.append(PROJECT, [parser.finish().block]);
  }
}

/** Measures the duration of `work` in milliseconds. */
async function timed(work: () => Promise<void>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}
