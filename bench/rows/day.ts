import { rm } from "node:fs/promises";
import { join } from "node:path";
import type { DayByHand } from "../processes/duckdb-day.js";
import type { LoadQuestion } from "../processes/duckdb-import.js";
import { writeEventFile } from "../support/data/event-file.js";
import { timeOfImport } from "../support/data/import-file.js";
import { acceptedListed } from "../support/data/listed.js";
import { compare, timeLine } from "../support/measurement.js";
import { Process } from "../support/process.js";
import { progress } from "../support/progress.js";
import type { Row } from "../support/row.js";
import { startWaybill } from "../support/waybill-server.js";

/** A day of events from HTTP to the list, compared with plain SQL in DuckDB. */
export const dayRow: Row = {
  name: "day",
  measure: async ({ runs, rollupEvents: count }, directory) => {
    const events = join(directory, "events.ndjson");
    await writeEventFile(events, count, 1);
    const engine = new Process<LoadQuestion, DayByHand>("duckdb-day");
    const byHand = async (): Promise<DayByHand> => {
      const database = join(directory, "reference.duckdb");
      const day = await engine.ask({ events, database });
      await rm(database);
      progress(`  with only DuckDB: ${Math.round(day.took)} ms`);
      return day;
    };
    try {
      const { accepted } = await byHand();
      const comparison = await compare(
        runs,
        (run) => timeUntilListed(events, accepted, join(directory, `waybill-${run}`)),
        async () => (await byHand()).took,
      );
      return [
        timeLine(`a day of ${count.toLocaleString("en-US")} events, from HTTP to listed`, comparison, 1.9),
      ];
    } finally {
      await engine.stop();
    }
  },
};

/** Milliseconds until a new server lists all accepted messages of a file of events. */
async function timeUntilListed(events: string, accepted: number, directory: string): Promise<number> {
  const server = await startWaybill(directory);
  try {
    const start = performance.now();
    const imported = await timeOfImport(server, events);
    await acceptedListed(server, (listed) => listed === accepted);
    const took = performance.now() - start;
    progress(`  waybill: ${Math.round(took)} ms, imported after ${Math.round(imported)} ms`);
    return took;
  } finally {
    await server.stop();
    await rm(directory, { recursive: true });
  }
}
