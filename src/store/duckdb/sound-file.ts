import { stat } from "node:fs/promises";
import type { DuckDBConnection } from "@duckdb/node-api";
import { StoreOpenError } from "../../model/store-error.js";

/** Size of the file headers, in bytes. The first block follows. */
const HEADER_BYTES = 3 * 4096;
/** Number of rows to read at each end of a table. It is the engine's vector size. */
const ROWS = 2048;
/** Number of rows to read at each end of a table with large values. */
const LARGE_ROWS = 16;
const TABLES_OF_LARGE_ROWS: readonly unknown[] = ["response_bodies"];

/**
 * Looks for damage in constant time. Checks that the file is long enough for its used blocks, and reads all columns at
 * both ends of each table, so that the engine verifies checksums.
 *
 * @throws StoreOpenError if the file is too short; the engine's error if a read fails.
 */
export async function expectSoundFile(connection: DuckDBConnection, file: string): Promise<void> {
  const { size } = await stat(file);
  const [[blockSize = 0, used = 0] = []] = await rowsOf(
    connection,
    "SELECT block_size, used_blocks FROM pragma_database_size()",
  );
  const needed = HEADER_BYTES + Number(blockSize) * Number(used);
  if (size < needed) {
    throw new StoreOpenError(
      `the database file ${file} is damaged: it has ${size} bytes instead of at least ${needed}; ` +
        "restore it from a backup",
    );
  }
  const tables = await rowsOf(
    connection,
    "SELECT table_name, estimated_size FROM duckdb_tables() WHERE NOT internal",
  );
  for (const [table, rows] of tables) {
    const last = Number(rows);
    const count = TABLES_OF_LARGE_ROWS.includes(table) ? LARGE_ROWS : ROWS;
    for (const first of new Set([0, Math.max(0, last - count)])) {
      const range = `rowid BETWEEN ${first} AND ${first + count}`;
      await connection.run(`SELECT bit_xor(hash(t)) FROM "${String(table)}" AS t WHERE ${range}`);
    }
  }
}

async function rowsOf(connection: DuckDBConnection, sql: string): Promise<readonly unknown[][]> {
  return (await connection.runAndReadAll(sql)).getRows();
}
