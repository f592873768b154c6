import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { DuckDBConnection } from "@duckdb/node-api";
import { type Day, formatDay } from "../../model/day.js";
import { daysTogether } from "../../model/due-days.js";
import type { ProjectNumber } from "../../model/names.js";
import { StoreUnavailableError } from "../../model/store-error.js";
import { COUNTS } from "../delivery-data-store.js";
import { isDamage } from "./connection.js";
import { Database } from "./database.js";
import { sqlTemplate } from "./sql.js";
import { daysCondition, lastSealedDay, statesOfDays } from "./write/days.js";
import {
  BEFORE_ALL_APPENDS,
  countFates,
  type DayToCount,
  prepareCounting,
  STATES_A_PASS,
} from "./write/fates.js";

/** Memory limit of the engine during a check. */
const MEMORY_LIMIT = "320MB";
/**
 * Makes the memory that a statement needs independent of the number of cores. Each thread has buffers that cannot be
 * spilled: with 16 threads, they exceed the limit.
 */
const FEW_BUFFERS = "SET threads = 1; SET preserve_insertion_order = false";
/** Number of rows per statement. Progress is reported after each statement. */
const ROWS_AT_A_TIME = 5_000_000;
/** Maximum number of days to count in one step, and of their entries. A single day may have more entries. */
const DAYS_AT_A_TIME = 64;
const ENTRIES_AT_A_TIME = 100_000;

export interface DatabaseCheck {
  /** Number of days in each project to count again, starting with the newest. Omitted to count all days. */
  readonly newestDays?: number | undefined;
  /** Called with one line for each problem. */
  readonly onProblem: (problem: string) => void;
  /** Called once with the total number of steps. */
  readonly onSteps: (steps: number) => void;
  /** Called after each step. */
  readonly onStep: () => void;
}

export interface CheckedDatabase {
  readonly rows: number;
  /** Number of days that were counted again, across all projects. */
  readonly days: number;
}

interface RowRange {
  readonly table: string;
  readonly first: number;
}

/**
 * Checks a database that is not in use. Reads all data, so that the engine verifies its checksums. Compares entries
 * with counts of message states, and checks that each stored response has its body. Does not write into the directory.
 * Data that does not fit into memory is spilled to the system's temporary directory.
 *
 * @throws StoreOpenError if the database cannot be opened; StoreUnavailableError if a statement fails for another reason
 *   than damage.
 */
export async function checkDatabase(
  directory: string,
  { newestDays, onProblem, onSteps, onStep }: DatabaseCheck,
): Promise<CheckedDatabase> {
  const spill = await mkdtemp(join(tmpdir(), "waybill-check-"));
  let database: Database | undefined;
  try {
    database = await Database.openToRead(directory, MEMORY_LIMIT, spill);
    const connection = await database.connect();
    await connection.run(FEW_BUFFERS);
    await prepareCounting(connection);
    const ranges = await rangesOf(connection);
    const batches = await batchesOf(connection, newestDays);
    onSteps(ranges.length + batches.length + 1);
    const step = async <T>(what: string, work: () => Promise<T>): Promise<T | undefined> => {
      try {
        return await work();
      } catch (error) {
        const [line = ""] = (error as Error).message.split("\n");
        const failure = `${what} failed: ${line}`;
        // For example, the disk has no space to spill data.
        if (!isDamage(error)) throw new StoreUnavailableError(failure, { cause: error });
        onProblem(`the database is damaged: ${failure}`);
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
    const lost = await step("looking for response bodies", () => findLostBodies(connection));
    for (const problem of lost ?? []) onProblem(problem);
    return { rows, days: batches.reduce((sum, { days }) => sum + days.length, 0) };
  } finally {
    database?.close();
    await rm(spill, { recursive: true });
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

/** Reads rows with all columns. @returns the number of rows. */
async function readRows(connection: DuckDBConnection, { table, first }: RowRange): Promise<number> {
  const result = await connection.runAndReadAll(
    `SELECT count(*), bit_xor(hash(t)) FROM "${table}" AS t
     WHERE rowid BETWEEN ${first} AND ${first + ROWS_AT_A_TIME - 1}`,
  );
  return Number(result.getRows()[0]?.[0]);
}

/** Returns one line for each project that has stored responses without a body. */
async function findLostBodies(connection: DuckDBConnection): Promise<readonly string[]> {
  const result = await connection.runAndReadAll(
    `SELECT project, count(*) FROM responses ANTI JOIN response_bodies USING (project, app, digest)
     GROUP BY project ORDER BY project`,
  );
  return result
    .getRows()
    .map(
      ([project, responses]) =>
        `project ${project}: the bodies of ${responses} mirrored responses are missing`,
    );
}

interface CountedDay {
  readonly day: Day;
  /** The last append that the entries count. */
  readonly lastAppend: number;
}

/** Days of a project to count in one step. */
interface DayBatch {
  readonly project: ProjectNumber;
  readonly days: readonly CountedDay[];
}

/** Returns the days to count again. Excludes sealed days, because their states may have been removed. */
async function batchesOf(connection: DuckDBConnection, newestDays: number | undefined): Promise<DayBatch[]> {
  const sealedUntil = await lastSealedDay(connection);
  const result = await connection.runAndReadAll(
    `SELECT project, day, last_append, coalesce(entries, 0) FROM counted_days
     LEFT JOIN (SELECT project, day, count(*) AS entries FROM entries GROUP BY project, day) USING (project, day)
     WHERE day > $sealedUntil
     QUALIFY $newest IS NULL OR row_number() OVER (PARTITION BY project ORDER BY day DESC) <= $newest
     ORDER BY project, day`,
    { newest: newestDays ?? null, sealedUntil },
  );
  const batches: { project: ProjectNumber; days: CountedDay[] }[] = [];
  let together = 0;
  for (const [number, date, lastAppend, entries] of result.getRows()) {
    const project = String(number);
    const day = { day: Number(date), lastAppend: Number(lastAppend) };
    const last = batches.at(-1);
    together += Number(entries);
    const isFull = last?.days.length === DAYS_AT_A_TIME || together > ENTRIES_AT_A_TIME;
    if (last?.project === project && !isFull) last.days.push(day);
    else {
      batches.push({ project, days: [day] });
      together = Number(entries);
    }
  }
  return batches;
}

const SUMMED_SQL = sqlTemplate("write/summed.sql");
const DIFFERENCES_SQL = sqlTemplate("differences.sql");
const DIFFERS = COUNTS.map((name) => `summed.${name} <> 0`).join(" OR ");

/**
 * Counts message states again and compares the result with the entries.
 *
 * @param connection prepared by `prepareCounting`.
 * @param days days with entries that come from message states.
 * @returns one line for each day that differs.
 */
async function findDifferences(
  connection: DuckDBConnection,
  project: ProjectNumber,
  days: readonly CountedDay[],
): Promise<string[]> {
  const sizes = await statesOfDays(
    connection,
    daysCondition(
      project,
      days.map(({ day }) => day),
    ),
  );
  const counting = days.map(({ day, lastAppend }) => ({
    day,
    counted: BEFORE_ALL_APPENDS,
    until: lastAppend,
    states: sizes.get(day) ?? 0,
  }));
  const found: string[] = [];
  for (let start = 0; start < days.length; ) {
    const rest = counting.slice(start);
    // Passes of large days would each search the states of all days in the batch.
    const { length } = daysTogether(
      rest.map(({ day }) => day),
      sizes,
      STATES_A_PASS,
    );
    found.push(...(await differencesOf(connection, project, rest.slice(0, length))));
    start += length;
  }
  return found;
}

async function differencesOf(
  connection: DuckDBConnection,
  project: ProjectNumber,
  days: readonly DayToCount[],
): Promise<string[]> {
  const { sql, parameters } = daysCondition(
    project,
    days.map(({ day }) => day),
  );
  await countFates(connection, project, days);
  await connection.run("UPDATE fates SET messages = -messages");
  const summed = SUMMED_SQL({ DAYS: sql });
  const result = await connection.runAndReadAll(DIFFERENCES_SQL({ SUMMED: summed, DIFFERS }), parameters);
  return result.getRowObjectsJson().map((row) => {
    const { day, entries, first } = row as {
      day: number;
      entries: string;
      first: { app: string; label: string };
    };
    return (
      `project ${project}, ${formatDay(day)}: ${entries} entries differ from the message states; ` +
      `the first is of app ${JSON.stringify(first.app)}, label ${JSON.stringify(first.label)}`
    );
  });
}
