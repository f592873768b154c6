import type { DuckDBConnection } from "@duckdb/node-api";
import type { ProjectNumber } from "../../../model/names.js";
import { sqlTemplate } from "../sql.js";

const ERASE_SQL = sqlTemplate("write/erase-rows.sql");

/**
 * Maximum number of rows that a step erases, by table. Stale days are erased first, so that no rollup can begin. Names
 * are not included, because only the writer changes them.
 */
const ROWS_A_STEP = {
  stale_days: 100_000,
  message_states: 1_000_000,
  counted_days: 100_000,
  entries: 250_000,
  entry_versions: 250_000,
  responses: 100_000,
  // Each body may have a megabyte.
  response_bodies: 1_000,
} as const;

type ProjectTable = keyof typeof ROWS_A_STEP | "apps" | "labels";

const TABLES = Object.entries(ROWS_A_STEP) as readonly (readonly [ProjectTable, number])[];

/** Erases up to `limit` rows of a project. Returns the number of erased rows. */
export async function eraseRows(
  connection: DuckDBConnection,
  table: ProjectTable,
  project: ProjectNumber,
  limit: number,
): Promise<number> {
  const parameters = { project: BigInt(project), limit };
  return (await connection.run(ERASE_SQL({ TABLE: table }), parameters)).rowsChanged;
}

/**
 * Erases some rows of a project: rows of a single table, in one transaction.
 *
 * @param rowsAStep maximum number of rows, in place of {@link ROWS_A_STEP}.
 * @returns the number of erased rows; 0 if no table has rows of the project.
 */
export async function eraseSome(
  connection: DuckDBConnection,
  project: ProjectNumber,
  rowsAStep = Number.POSITIVE_INFINITY,
): Promise<number> {
  for (const [table, limit] of TABLES) {
    const rows = await eraseRows(connection, table, project, Math.min(limit, rowsAStep));
    if (rows > 0) return rows;
  }
  return 0;
}
