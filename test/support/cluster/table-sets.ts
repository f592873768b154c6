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
      await emptyTables(urls, database);
      free.push(database);
    };
    return { urls, database, dispose };
  };
}

async function emptyTables(urls: readonly string[], database: string): Promise<void> {
  const lists = await Promise.all(
    urls.map((url) =>
      runStatement(url, `SELECT DISTINCT table FROM system.parts WHERE database = '${database}' AND active`),
    ),
  );
  const tables = [...new Set(lists.flatMap((list) => list.split("\n")))].filter((name) => name !== "");
  const onAll = (statement: string) =>
    Promise.all(
      urls.map((url) => Promise.all(tables.map((table) => runStatement(url, `${statement}${table}`)))),
    );
  await onAll(`SYSTEM STOP MERGES ${database}.`);
  await Promise.all(urls.map((url) => waitForParts(url, database)));
  // One server after another, because the first replica of a shard empties the others.
  for (const url of urls) for (const table of tables) await truncate(url, `${database}.${table}`);
  await onAll(`SYSTEM START MERGES ${database}.`);
}

/**
 * Waits until a server fetches and merges no parts. In version 18.16, `TRUNCATE` waits for such work, which may wait for a
 * lock that `TRUNCATE` holds.
 */
const waitForParts = (url: string, database: string): Promise<string> =>
  poll(
    () =>
      runStatement(
        url,
        `SELECT count() FROM system.replication_queue
         WHERE database = '${database}' AND (type = 'GET_PART' OR is_currently_executing)`,
      ),
    (count) => count.trim() === "0",
  );

/** On a busy machine, a server may never respond to the statement. Emptying a table twice is harmless. */
const truncate = (url: string, table: string): Promise<string> =>
  poll(
    () => runStatement(url, `TRUNCATE TABLE ${table}`, AbortSignal.timeout(MAX_ATTEMPT_MS)).catch(String),
    "",
  );
