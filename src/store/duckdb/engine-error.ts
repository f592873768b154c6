import { stat } from "node:fs/promises";
import type { DuckDBConnection } from "@duckdb/node-api";
import { NoSlotError } from "../../limits/limit-wait.js";
import {
  StoreBrokenError,
  StoreDamagedError,
  StoreOpenError,
  StoreUnavailableError,
  TooManyGroupsError,
  TooManyNamesError,
} from "../../model/store-error.js";

/** Size of the file headers, in bytes. The first block follows. */
const HEADER_BYTES = 3 * 4096;
/** Number of rows to read at each end of a table. It is the engine's vector size. */
const ROWS = 2048;

/** Number of rows to read at each end of a table with large values. */
const LARGE_ROWS = 16;
const TABLES_OF_LARGE_ROWS: readonly unknown[] = ["response_bodies"];

/** Returns true if the engine reports that the file content is corrupt. */
export function isDamage(error: unknown): boolean {
  return error instanceof Error && /Corrupt database file|Could not read enough bytes/.test(error.message);
}

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

/** Errors that services handle without conversion. */
const PASSED_ON = [NoSlotError, StoreUnavailableError, TooManyGroupsError, TooManyNamesError];

/**
 * Calls `work`, and converts engine errors to errors that services handle.
 *
 * @throws the abort reason of `signal` if it has aborted, because the engine then only reports an interrupt.
 */
export async function orUnavailable<T>(
  what: string,
  work: () => Promise<T>,
  signal?: AbortSignal,
): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    if (PASSED_ON.some((type) => cause instanceof type)) throw cause;
    if (isFatal(cause)) throw new StoreBrokenError(`${what} failed`, { cause });
    if (isDamage(cause)) {
      const [line] = (cause as Error).message.split("\n");
      throw new StoreDamagedError(`${what} failed: the database is damaged: ${line}`, { cause });
    }
    signal?.throwIfAborted();
    throw new StoreUnavailableError(`${what} failed`, { cause });
  }
}

/**
 * Returns true if the engine accepts no more calls. There are two known causes: the disk is full while the engine
 * writes its log into the main file, or memory runs out while it adds rows. In the second case, it may have added some
 * of the rows, and adds no more until it has written its log.
 */
function isFatal(error: unknown): boolean {
  return (
    error instanceof Error &&
    /FATAL Error|database has been invalidated|Failed to (?:append|commit): (?:could not allocate|failed to (?:allocate|pin|resize))/.test(
      error.message,
    )
  );
}
