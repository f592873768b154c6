import { createReadStream } from "node:fs";
import { cp, rm } from "node:fs/promises";
import { join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import { appendAll, openStore, timeOfRollup } from "../support/data/day-store.js";
import { writeEventFile } from "../support/data/event-file.js";
import { READ_EVENTS } from "../support/data/read-json.js";
import { compare, timeLine } from "../support/measurement.js";
import { progress } from "../support/progress.js";
import type { Row } from "../support/row.js";

/** Rollup of a whole day, compared with the simplest count of the same rows in DuckDB. */
export const rollupRow: Row = {
  name: "rollup",
  measure: async ({ runs, rollupEvents: count }, directory) => {
    const events = join(directory, "events.ndjson");
    await writeEventFile(events, count, 1);
    progress("  storing them twice");
    const data = join(directory, "data");
    const store = await openStore(data);
    await appendAll(store, createReadStream(events));
    await store.close();
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
    const rollUp = async (): Promise<number> => {
      const copy = join(directory, "copy");
      await cp(data, copy, { recursive: true });
      const store = await openStore(copy);
      const took = await timeOfRollup(store);
      await store.close();
      await rm(copy, { recursive: true });
      return took;
    };
    const countRows = async (): Promise<number> => {
      const start = performance.now();
      await connection.runAndReadAll("SELECT app, label, count(*) FROM events GROUP BY app, label");
      return performance.now() - start;
    };
    await rollUp();
    await countRows();
    const comparison = await compare(runs, rollUp, countRows);
    connection.closeSync();
    instance.closeSync();
    return [timeLine(`rollup of a day of ${count.toLocaleString("en-US")} events`, comparison, 6)];
  },
};
