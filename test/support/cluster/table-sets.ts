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

/**
 * Drops the partitions that have rows. `TRUNCATE` would be slower with each test, because version 18.16 then drops every
 * partition that the table has ever had.
 */
async function emptyTables(urls: readonly string[], database: string): Promise<void> {
  const partitions = await Promise.all(urls.map((url) => partitionsOf(url, database)));
  const tables = [...new Set(partitions.flatMap((ofTables) => [...ofTables.keys()]))];
  const onAll = (statement: string) =>
    Promise.all(
      urls.map((url) => Promise.all(tables.map((table) => runStatement(url, `${statement} ${table}`)))),
    );
  await onAll("SYSTEM STOP MERGES");
  await Promise.all(urls.map((url) => waitForParts(url, database)));
  // One server after another, because the first replica of a shard empties the others.
  for (const url of urls) await dropPartitions(url, database);
  await onAll("SYSTEM START MERGES");
}

/** Returns ids of partitions that have rows on a server, by table. */
async function partitionsOf(url: string, database: string): Promise<ReadonlyMap<string, readonly string[]>> {
  const rows = await runStatement(
    url,
    `SELECT table, groupUniqArray(partition_id) AS ids FROM system.parts
     WHERE database = '${database}' AND active GROUP BY table FORMAT JSON`,
  );
  const { data } = JSON.parse(rows) as { data: readonly { table: string; ids: readonly string[] }[] };
  return new Map(data.map(({ table, ids }) => [`${database}.${table}`, ids]));
}

/**
 * Drops a server's partitions on all its replicas. On a busy machine, a server may never respond to a statement, which is
 * therefore repeated. A drop may run twice.
 */
async function dropPartitions(url: string, database: string): Promise<void> {
  const drop = async (): Promise<number> => {
    const partitions = await partitionsOf(url, database);
    for (const [table, ids] of partitions) {
      for (const id of ids) {
        const statement = `ALTER TABLE ${table} DROP PARTITION ID '${id}'`;
        await runStatement(url, statement, AbortSignal.timeout(MAX_ATTEMPT_MS)).catch(() => {});
      }
    }
    return partitions.size;
  };
  await poll(drop, 0);
}

/**
 * Waits until a server fetches and merges no parts. In version 18.16, dropping a partition waits for such work, which may
 * wait for a lock that the drop holds.
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
