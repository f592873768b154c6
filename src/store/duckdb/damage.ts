import { stat } from "node:fs/promises";
import type { DuckDBConnection } from "@duckdb/node-api";
import { StoreOpenError } from "../../model/store-error.js";

/** Bytes before the first block of a database file: three headers. */
const HEADER_BYTES = 3 * 4096;
/** Rows at each end of a table that are read: the engine reads so many at a time. */
const ROWS = 2048;

/** Whether an error of the engine says that its file does not hold what it wrote. */
export function isDamage(error: unknown): boolean {
  return error instanceof Error && /Corrupt database file|Could not read enough bytes/.test(error.message);
}

/**
 * Looks for damage at a price that does not grow with the data: whether the file is long enough for what is in use of it,
 * and whether both ends of each table can be read, in all columns. The engine compares checksums as it reads.
 *
 * @throws StoreOpenError if the file is shorter; whatever the engine throws if a read fails.
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
      `the database file ${file} is damaged: it has ${size} bytes, and what is in use of it has ${needed} at least; ` +
        "restore it from a backup",
    );
  }
  const tables = await rowsOf(
    connection,
    "SELECT table_name, estimated_size FROM duckdb_tables() WHERE NOT internal",
  );
  for (const [table, rows] of tables) {
    const last = Number(rows);
    for (const first of new Set([0, Math.max(0, last - ROWS)])) {
      const range = `rowid BETWEEN ${first} AND ${first + ROWS}`;
      await connection.run(`SELECT bit_xor(hash(t)) FROM "${String(table)}" AS t WHERE ${range}`);
    }
  }
}

async function rowsOf(connection: DuckDBConnection, sql: string): Promise<readonly unknown[][]> {
  return (await connection.runAndReadAll(sql)).getRows();
}
