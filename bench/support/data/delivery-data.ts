import { join } from "node:path";
import type { Day } from "#dist/model/day.js";
import { queryDuckDb } from "../../../test/support/data/duckdb.js";
import type { EntriesQuestion } from "../../processes/delivery-data.js";
import { Process } from "../process.js";
import { progress } from "../progress.js";
import { dataDirectory } from "../waybill-server.js";
import { DAY } from "./day-store.js";

/** File name of the database in a data directory. */
export const DATABASE = "waybill.duckdb";

export const DAYS = 20;

/**
 * Creates the same number of entries for each app, in the data directory of a server that will start in `directory`.
 *
 * @param range days with entries.
 */
export async function makeEntries(
  directory: string,
  apps: readonly string[],
  entriesPerApp: number,
  { firstDay = DAY, days = DAYS }: { readonly firstDay?: Day; readonly days?: number } = {},
): Promise<void> {
  progress(`  making ${apps.length * entriesPerApp} entries`);
  const maker = new Process<EntriesQuestion, "done">("delivery-data");
  const labels = entriesPerApp / days;
  await maker.ask({ dataDirectory: dataDirectory(directory), apps, labels, firstDay, days });
  await maker.stop();
  // Writes the database's log into its main file, which is then complete.
  await queryDuckDb("CHECKPOINT", join(dataDirectory(directory), DATABASE));
}
