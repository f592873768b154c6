import type { DuckDBConnection } from "@duckdb/node-api";
import { type Day, formatDay } from "../../model/day.js";
import { COUNTS } from "../delivery-data-store.js";
import { Database } from "./database.js";
import { isDamage } from "./engine-error.js";
import { sqlTemplate } from "./sql.js";
import { EMPTY_FATES, prepareMerges } from "./write/day-rollup.js";
import { daysCondition, lastSealedDay } from "./write/days.js";

/** Memory of the engine during a check. */
const MEMORY_LIMIT = "320MB";
/** Number of rows that one statement reads; progress is reported in between. */
const ROWS_AT_A_TIME = 5_000_000;
/** Maximum number of days that one statement counts again. */
const DAYS_AT_A_TIME = 64;

/** Options of {@link checkDatabase}. */
export interface DatabaseCheck {
  /** Counts only the entries of this many of the newest days of each project again; missing for all. */
  readonly newestDays?: number | undefined;
  /** Called with a line for each problem. */
  readonly onProblem: (problem: string) => void;
  /** Called once with the number of steps of the check. */
  readonly onSteps: (steps: number) => void;
  /** Called after each step. */
  readonly onStep: () => void;
}

/** The extent of a check. */
export interface CheckedDatabase {
  /** Number of rows that were read. */
  readonly rows: number;
  /** Number of days of projects whose entries were counted again. */
  readonly days: number;
}

interface RowRange {
  readonly table: string;
  readonly first: number;
}

/**
 * Checks a database that no server uses: reads all of it, which verifies the engine's checksums, and compares
 * the entries with those that the states of messages yield, and answers with their bodies. Writes nothing into the directory.
 *
 * @throws StoreOpenError if the database cannot be opened.
 */
export async function checkDatabase(
  directory: string,
  { newestDays, onProblem, onSteps, onStep }: DatabaseCheck,
): Promise<CheckedDatabase> {
  const database = await Database.openToRead(directory, MEMORY_LIMIT);
  try {
    const connection = await database.connect();
    await prepareMerges(connection);
    const ranges = await rangesOf(connection);
    const batches = await batchesOf(connection, newestDays);
    onSteps(ranges.length + batches.length + 1);
    const step = async <T>(what: string, work: () => Promise<T>): Promise<T | undefined> => {
      try {
        return await work();
      } catch (error) {
        if (!isDamage(error)) throw error;
        const [line = ""] = (error as Error).message.split("\n");
        onProblem(`the database is damaged, which ${what} shows: ${line}`);
        return undefined;
      } finally {
        onStep();
      }
    };
    let rows = 0;
    for (const range of ranges)
      rows += (await step(`reading ${range.table}`, () => readRows(connection, range))) ?? 0;
    for (const { project, days } of batches) {
      const counting = () => findDifferences(connection, project, days);
      const problems = await step(`counting the messages of project ${project}`, counting);
      for (const problem of problems ?? []) onProblem(problem);
    }
    const lost = await step("looking for the bodies of answers", () => findLostBodies(connection));
    for (const problem of lost ?? []) onProblem(problem);
    return { rows, days: batches.reduce((sum, { days }) => sum + days.length, 0) };
  } finally {
    database.close();
  }
}

async function rangesOf(connection: DuckDBConnection): Promise<RowRange[]> {
  const tables = await connection.runAndReadAll(
    "SELECT table_name FROM duckdb_tables() WHERE NOT internal AND NOT temporary",
  );
  const ranges: RowRange[] = [];
  for (const [name] of tables.getRows()) {
    const table = String(name);
    const result = await connection.runAndReadAll(`SELECT coalesce(max(rowid), -1) FROM "${table}"`);
    const last = Number(result.getRows()[0]?.[0]);
    for (let first = 0; first <= last; first += ROWS_AT_A_TIME) ranges.push({ table, first });
  }
  return ranges;
}

/** Reads rows in all columns. @returns their number. */
async function readRows(connection: DuckDBConnection, { table, first }: RowRange): Promise<number> {
  const result = await connection.runAndReadAll(
    `SELECT count(*), bit_xor(hash(t)) FROM "${table}" AS t
     WHERE rowid BETWEEN ${first} AND ${first + ROWS_AT_A_TIME - 1}`,
  );
  return Number(result.getRows()[0]?.[0]);
}

/** Returns a line for each project with answers whose bodies are missing. */
async function findLostBodies(connection: DuckDBConnection): Promise<readonly string[]> {
  const result = await connection.runAndReadAll(
    `SELECT project, count(*) FROM answers ANTI JOIN answer_bodies USING (project, app, digest)
     GROUP BY project ORDER BY project`,
  );
  return result
    .getRows()
    .map(
      ([project, answers]) =>
        `project ${project}: the bodies of ${answers} answers that a mirror kept are missing`,
    );
}

/** Days of a project that are counted together. */
interface DayBatch {
  readonly project: string;
  readonly days: readonly Day[];
}

/** The days to count again: all but sealed ones, whose states may be gone. */
async function batchesOf(connection: DuckDBConnection, newestDays: number | undefined): Promise<DayBatch[]> {
  const sealedUntil = await lastSealedDay(connection);
  const result = await connection.runAndReadAll(
    `SELECT project, day FROM counted_days
     WHERE day > $sealedUntil
     QUALIFY $newest IS NULL OR row_number() OVER (PARTITION BY project ORDER BY day DESC) <= $newest
     ORDER BY project, day`,
    { newest: newestDays ?? null, sealedUntil },
  );
  const batches: { project: string; days: Day[] }[] = [];
  for (const [number, day] of result.getRows()) {
    const project = String(number);
    const last = batches.at(-1);
    if (last?.project === project && last.days.length < DAYS_AT_A_TIME) last.days.push(Number(day));
    else batches.push({ project, days: [Number(day)] });
  }
  return batches;
}

const SUMMED_SQL = sqlTemplate("summed.sql");
const FATES_SQL = sqlTemplate("fates.sql");
const DIFFERENCES_SQL = sqlTemplate("differences.sql");
const DIFFERS = COUNTS.map((name) => `summed.${name} <> 0`).join(" OR ");

/**
 * Counts the states of messages of days again, and compares the counts with the entries.
 *
 * @param connection prepared for merges (`prepareMerges`).
 * @param days days whose entries count the states.
 * @returns a line for each day with other entries.
 */
export async function findDifferences(
  connection: DuckDBConnection,
  project: string,
  days: readonly Day[],
): Promise<string[]> {
  const { sql, parameters } = daysCondition(project, days);
  await connection.run(EMPTY_FATES);
  const states = `SELECT *, -1 AS messages FROM message_states WHERE ${sql}`;
  await connection.run(FATES_SQL({ STATES: states }), parameters);
  const summed = SUMMED_SQL({ DAYS: sql });
  const result = await connection.runAndReadAll(DIFFERENCES_SQL({ SUMMED: summed, DIFFERS }), parameters);
  return result.getRowObjectsJson().map((row) => {
    const { day, entries, first } = row as {
      day: number;
      entries: string;
      first: { app: string; label: string };
    };
    return (
      `project ${project}, ${formatDay(day)}: ${entries} entries are not what the states of messages yield; ` +
      `the first is that of app ${JSON.stringify(first.app)}, label ${JSON.stringify(first.label)}`
    );
  });
}
