import { poll } from "../poll.js";
import { databaseName } from "./database-name.js";
import { runStatement } from "./run-statement.js";

/** Time limit for one attempt to empty a table, in milliseconds. */
const MAX_ATTEMPT_MS = 60_000;

/** Servers with a store's tables in a database. */
export interface TableSet {
  readonly urls: readonly string[];
  readonly database: string;
  /** Empties the tables for the next test. */
  dispose(): Promise<void>;
}

/**
 * Returns a function that reserves empty tables. Tests reuse tables, because emptying them is much faster than creating
 * and removing them.
 *
 * @param servers returns the servers' URLs.
 * @param make creates the tables in a database; omitted if the store creates them.
 */
export function tableSets(
  servers: () => Promise<readonly string[]>,
  make?: (urls: readonly string[], database: string) => Promise<void>,
): () => Promise<TableSet> {
  const free: string[] = [];
  const makeNew = async (urls: readonly string[]): Promise<string> => {
    const database = databaseName("tables");
    await make?.(urls, database);
    return database;
  };
  return async () => {
    const urls = await servers();
    const database = free.pop() ?? (await makeNew(urls));
    const dispose = async (): Promise<void> => {
      // One server after another, because the first replica of a shard empties the others.
      for (const url of urls) await emptyTables(url, database);
      free.push(database);
    };
    return { urls, database, dispose };
  };
}

async function emptyTables(url: string, database: string): Promise<void> {
  const parts = `system.parts WHERE database = '${database}' AND active`;
  const tables = await runStatement(url, `SELECT DISTINCT table FROM ${parts}`);
  for (const table of tables.split("\n").filter((name) => name !== "")) {
    // On a busy machine, a server may never respond to the statement. Emptying a table twice is harmless.
    await poll(
      () =>
        runStatement(url, `TRUNCATE TABLE ${database}.${table}`, AbortSignal.timeout(MAX_ATTEMPT_MS)).catch(
          String,
        ),
      (text) => text === "",
    );
  }
}
