import { rm } from "node:fs/promises";
import { join } from "node:path";
import type { LoadQuestion } from "../processes/duckdb-import.js";
import { shuffleEventFile, writeEventFile } from "../support/data/event-file.js";
import { timeOfImport } from "../support/data/import-file.js";
import { compare, timeLine } from "../support/measurement.js";
import { Process } from "../support/process.js";
import { progress } from "../support/progress.js";
import type { Row } from "../support/row.js";
import { startWaybill } from "../support/waybill-server.js";

const DAYS = 7;

/**
 * Import of an event file over HTTP, compared with DuckDB's own import of the same file; and import of its lines in
 * random order, compared with their own order.
 */
export const importRow: Row = {
  name: "import",
  measure: async ({ runs, importEvents: count }, directory) => {
    const events = join(directory, "events.ndjson");
    await writeEventFile(events, count, DAYS);
    const engine = new Process<LoadQuestion, number>("duckdb-import");
    try {
      const comparison = await compare(
        runs,
        (run) => importByNewServer(events, join(directory, `waybill-${run}`)),
        async (run) => {
          const database = join(directory, `reference-${run}.duckdb`);
          const took = await engine.ask({ events, database });
          progress(`  reference: ${Math.round(took)} ms`);
          await rm(database, { force: true });
          return took;
        },
      );
      const shuffled = join(directory, "shuffled.ndjson");
      await shuffleEventFile(events, shuffled);
      const inRandomOrder = await compare(
        runs,
        (run) => importByNewServer(shuffled, join(directory, `shuffled-${run}`)),
        (run) => importByNewServer(events, join(directory, `ordered-${run}`)),
      );
      const what = `import of ${count.toLocaleString("en-US")} events`;
      return [
        timeLine(`${what} by HTTP`, comparison, 2),
        timeLine(`${what} in random order`, inRandomOrder, 1.3),
      ];
    } finally {
      await engine.stop();
    }
  },
};

/** Milliseconds until a new server has acknowledged all events. */
async function importByNewServer(events: string, directory: string): Promise<number> {
  const server = await startWaybill(directory);
  try {
    const took = await timeOfImport(server, events);
    progress(`  waybill: ${Math.round(took)} ms`);
    return took;
  } finally {
    await server.stop();
    await rm(directory, { recursive: true });
  }
}
