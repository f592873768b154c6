import { type DuckDBConnection, DuckDBInstance, type Json } from "@duckdb/node-api";

/** Opens a DuckDB file, or a database in memory, for some work. */
export async function withDuckDb<T>(
  file: string,
  work: (connection: DuckDBConnection) => Promise<T>,
): Promise<T> {
  const instance = await DuckDBInstance.create(file);
  const connection = await instance.connect();
  try {
    return await work(connection);
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
}

/** Runs statements, and returns the first one's rows. */
export const queryDuckDb = (sql: string, file = ":memory:"): Promise<Json[][]> =>
  withDuckDb(file, async (connection) => (await connection.runAndReadAll(sql)).getRowsJson());
