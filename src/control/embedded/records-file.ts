import { existsSync, readFileSync } from "node:fs";
import { open } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { isAnyArrayBuffer } from "node:util/types";
import Database from "libsql";
import { StoreDamagedError, StoreOpenError, StoreUnavailableError } from "../../model/store-error.js";
import { systemReason } from "../../model/system-error.js";
import type { UpgradePlan } from "../../sql/migrations.js";
import { isThere, makeDirectory } from "../file/directories.js";
import type { HistoryTable } from "../history-query.js";

/** Name of the records file, in the data directory and in a backup. */
export const RECORDS_FILE = "records.db";

const SCHEMA_FILE = "records.sql";
const SCHEMA = readFileSync(new URL(SCHEMA_FILE, import.meta.url), "utf8");
const SCHEMA_VERSION = 1;

/** Maximum wait for another process to unlock the file, in milliseconds. */
export const BUSY_MS = 4_000;
/** Maximum pause between two attempts to get a lock, in milliseconds. */
const MAX_BUSY_PAUSE_MS = 10;

/**
 * Columns of records and of their history. If a damaged string is not valid UTF-8, the library aborts the process. All
 * columns are therefore cast to bytes, and {@link decoded} converts them to strings.
 */
export const RECORD_COLUMNS = `
  CAST(kind AS BLOB) AS kind, CAST(key AS BLOB) AS key, CAST(value AS BLOB) AS value,
  CAST(revision AS INTEGER) AS revision, CAST(is_followed AS INTEGER) AS is_followed,
  CAST(expire_time AS INTEGER) AS expire_time`;
export const HISTORY_COLUMNS = `
  CAST(revision AS INTEGER) AS revision, CAST(kind AS BLOB) AS kind, CAST(key AS BLOB) AS key,
  CAST(time AS INTEGER) AS time, CAST(value AS BLOB) AS value, CAST(previous AS BLOB) AS previous,
  CAST(note AS BLOB) AS note`;

export const HISTORY: HistoryTable = {
  name: "history",
  columns: HISTORY_COLUMNS,
  scope: "substr(key, 1, instr(key, '/'))",
  parameter: "?",
};

/** SQL that selects a record by kind, key and the current time, without the kind and the key. */
export const FIND_RECORD = `
  SELECT CAST(value AS BLOB) AS value, CAST(revision AS INTEGER) AS revision,
    CAST(expire_time AS INTEGER) AS expire_time
  FROM records
  WHERE kind = ? AND key = ? AND value IS NOT NULL AND (expire_time IS NULL OR expire_time > ?)`;

/** SQL that selects the next changed records of a kind after a revision, with all changes of each revision. */
export const NEXT_CHANGED = `
  SELECT CAST(key AS BLOB) AS key, CAST(value AS BLOB) AS value, CAST(revision AS INTEGER) AS revision,
    CAST(expire_time AS INTEGER) AS expire_time
  FROM records
  WHERE is_followed AND kind = ? AND revision > ? AND revision <= coalesce((
    SELECT revision FROM records
    WHERE is_followed AND kind = ? AND revision > ? ORDER BY records.revision LIMIT 1 OFFSET ?
  ), 0x7FFFFFFFFFFFFFFF)
  ORDER BY records.revision, records.key`;

/** SQL that selects the highest revision of deleted records that were removed completely, by kind. */
export const FIND_FORGOTTEN = "SELECT CAST(revision AS INTEGER) AS revision FROM forgotten WHERE kind = ?";

/** A parameter of a statement. The library aborts the process if a parameter has another type. */
export type SqlValue = string | number | null;

/**
 * Opens the records file in a directory for reading, and upgrades its schema. Creates the file and the directory if
 * they do not exist.
 *
 * @throws StoreOpenError if the file cannot be opened, or a newer version has written it.
 */
export async function openRecordsFile(directory: string): Promise<Database.Database> {
  const path = join(directory, RECORDS_FILE);
  try {
    await makeDirectory(directory);
    await createFile(path);
    return openDatabase(path);
  } catch (cause) {
    throw openError(path, cause);
  }
}

/**
 * Opens the existing records file in a directory, without changing the file. This matters for backups, because their
 * manifest contains a digest of each file.
 *
 * @throws the same errors as {@link openRecordsFile}.
 */
export function openRecordsFileToCheck(directory: string): Database.Database {
  const path = join(directory, RECORDS_FILE);
  try {
    return expectKnownVersion(path, openReadOnly(path));
  } catch (cause) {
    throw openError(path, cause);
  }
}

/**
 * Opens an existing file for reading. Without a log, adds no files to its directory. The library ignores its option
 * `readonly`.
 */
function openReadOnly(path: string): Database.Database {
  const isComplete = !existsSync(`${path}-wal`);
  return new Database(`${pathToFileURL(path).href}?mode=ro${isComplete ? "&immutable=1" : ""}`);
}

/**
 * Returns the changes that {@link openRecordsFile} would make to the schema. Changes nothing.
 *
 * @throws StoreOpenError if the file cannot be read.
 */
export async function planRecordsFile(directory: string): Promise<UpgradePlan> {
  const name = join(directory, RECORDS_FILE);
  const found = (await hasRecordsFile(directory)) ? versionIn(name) : 0;
  return {
    name,
    found,
    supported: SCHEMA_VERSION,
    changes: found < SCHEMA_VERSION ? [SCHEMA_FILE] : [],
  };
}

function versionIn(path: string): number {
  let database: Database.Database | undefined;
  try {
    database = openReadOnly(path);
    return versionOf(database);
  } catch (cause) {
    throw openError(path, cause);
  } finally {
    database?.close();
  }
}

function openError(path: string, cause: unknown): StoreOpenError {
  if (cause instanceof StoreOpenError) return cause;
  return new StoreOpenError(`the control data in ${path} cannot be opened: ${reasonOf(cause)}`, { cause });
}

/** Returns true if a directory has a records file. */
export const hasRecordsFile = (directory: string): Promise<boolean> => isThere(join(directory, RECORDS_FILE));

/**
 * Creates the file so that only its owner can read it. SQLite uses the same mode for its other files. An existing file
 * is not opened, because closing it would release this process's SQLite locks.
 */
async function createFile(path: string): Promise<void> {
  try {
    await (await open(path, "wx", 0o600)).close();
  } catch (error) {
    if (codeOf(error) !== "EEXIST") throw error;
  }
}

function openDatabase(path: string): Database.Database {
  const database = new Database(path);
  database.exec(`PRAGMA busy_timeout = ${BUSY_MS}; PRAGMA journal_mode = WAL`);
  if (versionOf(database) < SCHEMA_VERSION) {
    database.exec("BEGIN IMMEDIATE");
    // Another process may have upgraded the schema in the meantime.
    if (versionOf(database) < SCHEMA_VERSION)
      database.exec(`${SCHEMA}; PRAGMA user_version = ${SCHEMA_VERSION}`);
    database.exec("COMMIT");
  }
  // From here on, reads wait by means of whileBusy, which does not block the event loop.
  database.exec("PRAGMA busy_timeout = 0");
  return expectKnownVersion(path, database);
}

function expectKnownVersion(path: string, database: Database.Database): Database.Database {
  const version = versionOf(database);
  if (version <= SCHEMA_VERSION) return database;
  database.close();
  throw new StoreOpenError(
    `${path} has version ${version}, but this version of waybill supports at most version ${SCHEMA_VERSION}; ` +
      "run the newer version that wrote it",
  );
}

const versionOf = (database: Database.Database): number =>
  Number(Object(database.prepare("PRAGMA user_version").get()).user_version);

/** Checks a whole records file. Returns a line for each kind of damage. */
export function damageIn(database: Database.Database, path: string): readonly string[] {
  try {
    const problems = database
      .prepare("PRAGMA integrity_check(10)")
      .all()
      .flatMap((row) => String(Object(row).integrity_check).split("\n"))
      .filter((line) => line !== "ok" && !line.startsWith("***"));
    return problems.map((problem) => `${path} is damaged: ${problem}`);
  } catch (error) {
    return [`${path}: ${reasonOf(error)}`];
  }
}

/** Repeats a statement while another process has locked the file, for at most {@link BUSY_MS}. */
export async function whileBusy<T>(run: () => T | Promise<T>): Promise<T> {
  const deadline = performance.now() + BUSY_MS;
  for (;;) {
    try {
      return await run();
    } catch (error) {
      if (!codeOf(error).startsWith("SQLITE_BUSY") || performance.now() > deadline) throw error;
      await sleep(Math.random() * MAX_BUSY_PAUSE_MS);
    }
  }
}

/** Converts the bytes in a row to strings. */
export function decoded<R>(row: unknown): R {
  const columns = row as Record<string, unknown>;
  for (const name in columns) {
    const value = columns[name];
    // Synchronous reads return an ArrayBuffer, and asynchronous reads a Buffer.
    if (isAnyArrayBuffer(value)) columns[name] = Buffer.from(value).toString();
    else if (value instanceof Uint8Array) columns[name] = Buffer.from(value).toString();
  }
  return columns as R;
}

/** Converts an SQLite error. @param what purpose of the failed statement. */
export function unavailable(what: string, path: string, cause: unknown): StoreUnavailableError {
  if (cause instanceof StoreUnavailableError) return cause;
  const isDamage = ["SQLITE_CORRUPT", "SQLITE_NOTADB"].includes(codeOf(cause));
  const ErrorClass = isDamage ? StoreDamagedError : StoreUnavailableError;
  return new ErrorClass(`${what}: ${path}: ${reasonOf(cause)}`, { cause });
}

/** Descriptions of SQLite error codes. */
const REASONS: Readonly<Record<string, string>> = {
  SQLITE_BUSY: "another process is writing to it",
  SQLITE_CANTOPEN: "it cannot be opened",
  SQLITE_CORRUPT: "it is damaged; restore it from a backup",
  SQLITE_FULL: "the disk is full",
  SQLITE_NOTADB: "it is damaged; restore it from a backup",
  SQLITE_PERM: "permission denied",
  SQLITE_READONLY: "it is read-only",
};

/** Describes an SQLite error. */
function reasonOf(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return REASONS[codeOf(error)] ?? systemReason(error) ?? text;
}

const codeOf = (error: unknown): string => String(Object(error).code);
