import { readFileSync } from "node:fs";
import { open, stat } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { isAnyArrayBuffer } from "node:util/types";
import Database from "libsql";
import AsyncDatabase from "libsql/promise";
import type { Clock } from "../../model/clock.js";
import { StoreDamagedError, StoreOpenError, StoreUnavailableError } from "../../model/store-error.js";
import { systemReason } from "../../model/system-error.js";
import { makeDirectory } from "../file/make-directory.js";
import {
  changedOf,
  entryOf,
  type HistoryRow,
  historyOrder,
  type RecordRow,
  storedOf,
} from "../record-rows.js";
import {
  type CopiedRecord,
  type HistoryEntry,
  type HistoryRange,
  type RecordChange,
  type RecordChanges,
  type RecordKind,
  type RecordRange,
  type Records,
  SECRET_KINDS,
  type StoredRecord,
} from "../records.js";

/** Name of the file with the records, in the data directory and in a backup. */
export const RECORDS_FILE = "records.db";

const SCHEMA = readFileSync(new URL("./records.sql", import.meta.url), "utf8");
/** Version of the schema. */
const VERSION = 1;

/** Maximum number of changes that one commit writes. */
const MAX_TOGETHER = 256;
/** Number of expired records that each commit removes. */
const EXPIRED_A_COMMIT = 100;
/** Longest wait for a write of another process, in milliseconds. */
const BUSY_MS = 4_000;
/** Longest pause between two attempts to begin to write, in milliseconds. */
const MAX_BUSY_PAUSE_MS = 10;
/** Number of rows that are read without a pause. */
const ROWS_A_STEP = 5_000;

/**
 * The columns of records and of the history. The library ends the process if a damaged text is not UTF-8: all columns are cast,
 * and texts are decoded here.
 */
const RECORD = `
  CAST(kind AS BLOB) AS kind, CAST(key AS BLOB) AS key, CAST(value AS BLOB) AS value,
  CAST(revision AS INTEGER) AS revision, CAST(is_followed AS INTEGER) AS is_followed,
  CAST(expire_time AS INTEGER) AS expire_time`;
const CHANGE = `
  CAST(revision AS INTEGER) AS revision, CAST(kind AS BLOB) AS kind, CAST(key AS BLOB) AS key,
  CAST(time AS INTEGER) AS time, CAST(value AS BLOB) AS value, CAST(previous AS BLOB) AS previous,
  CAST(note AS BLOB) AS note`;

/** The library ends the process when it gets anything else. */
type SqlValue = string | number | null;

/** An asynchronous statement. The library declares it without types. */
interface AsyncStatement {
  get(...values: SqlValue[]): Promise<unknown>;
  run(...values: SqlValue[]): Promise<unknown>;
}

/** Changes that wait for a commit. */
interface WaitingChanges {
  readonly changes: readonly RecordChange[];
  readonly resolve: (revision: number | undefined) => void;
  readonly reject: (error: Error) => void;
}

/** The statements of changes, prepared once. */
interface Writer {
  readonly database: { exec(sql: string): Promise<void>; close(): void };
  readonly lastRevision: AsyncStatement;
  readonly saveRevision: AsyncStatement;
  readonly find: AsyncStatement;
  readonly put: AsyncStatement;
  readonly remove: AsyncStatement;
  readonly record: AsyncStatement;
  readonly removeExpired: AsyncStatement;
}

/**
 * Records in an SQLite file, which processes of one machine share. Reads take some microseconds and run at once. Changes
 * that arrive during a commit share the next one, which does not block the event loop.
 */
export class EmbeddedRecords implements Records {
  readonly place: string;
  readonly #path: string;
  readonly #clock: Clock;
  readonly #reader: Database.Database;
  /** Prepared statements by their text. */
  readonly #statements = new Map<string, Database.Statement>();
  #writer: Promise<Writer> | undefined;
  #waiting: WaitingChanges[] = [];
  #flush: Promise<void> | undefined;
  readonly #listeners: { readonly kind: string; readonly listener: () => void }[] = [];
  #closed = false;

  private constructor(path: string, clock: Clock, reader: Database.Database) {
    this.place = path;
    this.#path = path;
    this.#clock = clock;
    this.#reader = reader;
  }

  /**
   * Opens the records file in a directory. Creates both if they do not exist.
   *
   * @throws StoreOpenError if they cannot be opened, or a newer version of the program wrote them.
   */
  static async open(directory: string, clock: Clock): Promise<EmbeddedRecords> {
    const path = join(directory, RECORDS_FILE);
    try {
      await makeDirectory(directory);
      // SQLite creates its other files with the same mode.
      await (await open(path, "a", 0o600)).close();
      return new EmbeddedRecords(path, clock, openFile(path));
    } catch (cause) {
      if (cause instanceof StoreOpenError) throw cause;
      throw new StoreOpenError(`the control data in ${path} cannot be opened: ${reasonOf(cause)}`, { cause });
    }
  }

  /** Opens the records file if it exists. @throws as {@link open}. */
  static async openExisting(directory: string, clock: Clock): Promise<EmbeddedRecords | undefined> {
    const isThere = await stat(join(directory, RECORDS_FILE)).then(
      () => true,
      (error: NodeJS.ErrnoException) => {
        if (error.code === "ENOENT") return false;
        throw error;
      },
    );
    return isThere ? EmbeddedRecords.open(directory, clock) : undefined;
  }

  async get(kind: RecordKind, key: string): Promise<StoredRecord | undefined> {
    const sql = `
      SELECT ${RECORD} FROM records
      WHERE kind = ? AND key = ? AND value IS NOT NULL AND (expire_time IS NULL OR expire_time > ?)`;
    const [row] = this.#read<RecordRow>(sql, kind.name, key, this.#clock.wall());
    return row && storedOf(row);
  }

  async list(kind: RecordKind, { prefix = "", after, limit }: RecordRange): Promise<readonly StoredRecord[]> {
    const sql = `
      SELECT ${RECORD} FROM records
      WHERE kind = ? AND key >= ? AND key > ? AND key < ? || char(0x10FFFF)
        AND value IS NOT NULL AND (expire_time IS NULL OR expire_time > ?)
      ORDER BY records.key LIMIT ?`;
    const rows = this.#read<RecordRow>(
      sql,
      kind.name,
      prefix,
      after ?? "",
      prefix,
      this.#clock.wall(),
      limit,
    );
    return rows.map(storedOf);
  }

  async changesSince(kind: RecordKind, revision: number): Promise<RecordChanges> {
    const sql = `
      SELECT ${RECORD} FROM records
      WHERE is_followed AND kind = ? AND revision > ? ORDER BY records.revision, records.key`;
    const rows = this.#read<RecordRow>(sql, kind.name, revision);
    const records = rows.map(changedOf);
    return { isWhole: revision === 0, records, revision: records.at(-1)?.revision ?? revision };
  }

  async history(range: HistoryRange): Promise<readonly HistoryEntry[]> {
    const { kinds, key: only, prefix = "", limit } = range;
    const { order, beyond, start } = historyOrder(range);
    const sql = `
      SELECT ${CHANGE} FROM history
      WHERE (revision, kind, key) ${beyond} (?, ?, ?)
        AND kind IN (SELECT value FROM json_each(?)) AND coalesce(key = ?, true) AND key >= ? AND key < ? || char(0x10FFFF)
      ORDER BY history.revision ${order}, history.kind ${order}, history.key ${order} LIMIT ?`;
    const names = JSON.stringify(kinds.map(({ name }) => name));
    const { revision, kind, key } = start;
    const values = [revision, kind, key, names, only ?? null, prefix, prefix, limit];
    return this.#read<HistoryRow>(sql, ...values).map(entryOf);
  }

  change(changes: readonly RecordChange[]): Promise<number | undefined> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ changes, resolve, reject });
      this.#flush ??= this.#writeAll();
    });
  }

  onChange(kind: RecordKind, listener: () => void): void {
    this.#listeners.push({ kind: kind.name, listener });
  }

  /** Lists all records but secrets, in steps. */
  async *allRecords(): AsyncGenerator<readonly CopiedRecord[]> {
    const sql = `
      SELECT ${RECORD} FROM records
      WHERE (kind, key) > (?, ?) AND kind NOT IN (SELECT value FROM json_each(?))
      ORDER BY records.kind, records.key LIMIT ?`;
    let [kind, key] = ["", ""];
    for (;;) {
      const secrets = JSON.stringify(SECRET_KINDS);
      const rows = this.#read<RecordRow & { is_followed: number }>(sql, kind, key, secrets, ROWS_A_STEP);
      yield rows.map((row) => ({ ...changedOf(row), kind: row.kind, isFollowed: row.is_followed === 1 }));
      const last = rows.at(-1);
      if (last === undefined || rows.length < ROWS_A_STEP) return;
      [kind, key] = [last.kind, last.key];
    }
  }

  /** Lists all changes of audited kinds, oldest first, in steps. */
  async *allHistory(): AsyncGenerator<readonly HistoryEntry[]> {
    const sql = `
      SELECT ${CHANGE} FROM history
      WHERE (revision, kind, key) > (?, ?, ?)
      ORDER BY history.revision, history.kind, history.key LIMIT ?`;
    let [revision, kind, key] = [0, "", ""];
    for (;;) {
      const rows = this.#read<HistoryRow>(sql, revision, kind, key, ROWS_A_STEP);
      yield rows.map(entryOf);
      const last = rows.at(-1);
      if (last === undefined || rows.length < ROWS_A_STEP) return;
      ({ kind, key } = last);
      revision = Number(last.revision);
    }
  }

  /**
   * Writes a copy of the file as of one moment, without secrets, while processes use it.
   *
   * @param path of the new file.
   * @throws StoreUnavailableError if that fails.
   */
  async snapshot(path: string): Promise<void> {
    try {
      // Only the owner may read the file, also while it is written.
      await (await open(path, "wx", 0o600)).close();
      const source = new AsyncDatabase(this.#path, {});
      await source.exec(`PRAGMA busy_timeout = ${BUSY_MS}`);
      await source.exec(`VACUUM INTO '${path.replaceAll("'", "''")}'`);
      source.close();
      const copy = new AsyncDatabase(path, {});
      const secrets = SECRET_KINDS.map((kind) => `'${kind}'`).join();
      await copy.exec(`PRAGMA secure_delete = ON; DELETE FROM records WHERE kind IN (${secrets}); VACUUM`);
      copy.close();
    } catch (cause) {
      throw this.#unavailable("copying the control data", cause);
    }
  }

  /** Reads the whole file. @returns a line for each kind of damage. */
  check(): readonly string[] {
    try {
      const problems = this.#reader
        .prepare("PRAGMA integrity_check(10)")
        .all()
        .flatMap((row) => String(Object(row).integrity_check).split("\n"))
        .filter((line) => line !== "ok" && !line.startsWith("***"));
      return problems.map((problem) => `${this.#path} is damaged: ${problem}`);
    } catch (error) {
      return [`${this.#path}: ${reasonOf(error)}`];
    }
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    await this.#flush;
    const writer = await this.#writer?.catch(() => undefined);
    // Leaves one file, unless another process uses it.
    await writer?.database.exec("PRAGMA wal_checkpoint(TRUNCATE)").catch(() => {});
    writer?.database.close();
    this.#reader.close();
  }

  #read<R>(sql: string, ...values: SqlValue[]): readonly R[] {
    if (this.#closed) throw new StoreUnavailableError("the control data is closed");
    try {
      const statement = this.#statements.get(sql) ?? this.#reader.prepare(sql);
      this.#statements.set(sql, statement);
      return statement.all(...values).map((row) => decoded<R>(row));
    } catch (cause) {
      throw this.#unavailable("reading the control data", cause);
    }
  }

  async #writeAll(): Promise<void> {
    while (this.#waiting.length > 0) {
      // Changes that are made in the same tick of the event loop share a commit.
      await Promise.resolve();
      const batch = this.#waiting.splice(0, MAX_TOGETHER);
      try {
        const revisions = await this.#commit(batch.map(({ changes }) => changes));
        for (const [index, { resolve }] of batch.entries()) resolve(revisions[index]);
        this.#notify(batch.flatMap(({ changes }) => changes));
      } catch (cause) {
        const error = this.#unavailable("changing the control data", cause);
        for (const { reject } of batch) reject(error);
      }
    }
    // At once: a change that comes now begins the next flush.
    this.#flush = undefined;
  }

  async #commit(batch: readonly (readonly RecordChange[])[]): Promise<(number | undefined)[]> {
    if (this.#closed) throw new StoreUnavailableError("the control data is closed");
    this.#writer ??= openWriter(this.#path);
    const writer = await this.#writer.catch((error: unknown) => {
      this.#writer = undefined;
      throw error;
    });
    const { database, lastRevision, saveRevision, removeExpired } = writer;
    const now = this.#clock.wall();
    await beginWrite(database);
    try {
      let { revision } = (await lastRevision.get()) as { revision: number };
      const revisions: (number | undefined)[] = [];
      for (const changes of batch) {
        const isMade = await this.#make(writer, changes, revision + 1, now);
        revisions.push(isMade ? ++revision : undefined);
      }
      await saveRevision.run(revision);
      await removeExpired.run(now, EXPIRED_A_COMMIT);
      await database.exec("COMMIT");
      return revisions;
    } catch (error) {
      // Ends already with some errors, such as a full disk.
      await database.exec("ROLLBACK").catch(() => {});
      throw error;
    }
  }

  /** @returns false if a record is not at the revision that its change requires; nothing has changed then. */
  async #make(
    { find, put, remove, record }: Writer,
    changes: readonly RecordChange[],
    revision: number,
    now: number,
  ): Promise<boolean> {
    const before: (RecordRow | undefined)[] = [];
    for (const { kind, key, ifRevision } of changes) {
      const found = await find.get(kind.name, key, now);
      const row = found === undefined ? undefined : decoded<RecordRow>(found);
      if (ifRevision !== undefined && (row?.revision ?? 0) !== ifRevision) return false;
      before.push(row);
    }
    for (const [index, { kind, key, value, expireTime, note }] of changes.entries()) {
      const text = value === undefined ? null : JSON.stringify(value);
      if (text === null && kind.isFollowed !== true) await remove.run(kind.name, key);
      else await put.run(kind.name, key, text, revision, kind.isFollowed ? 1 : 0, expireTime ?? null);
      if (kind.isAudited !== true) continue;
      const noteText = note === undefined ? null : JSON.stringify(note);
      await record.run(revision, kind.name, key, now, text, before[index]?.value ?? null, noteText);
    }
    return true;
  }

  #notify(changes: readonly RecordChange[]): void {
    for (const { kind, listener } of this.#listeners) {
      if (changes.some((change) => change.kind.name === kind)) listener();
    }
  }

  #unavailable(what: string, cause: unknown): StoreUnavailableError {
    if (cause instanceof StoreUnavailableError) return cause;
    const ErrorClass = isDamage(cause) ? StoreDamagedError : StoreUnavailableError;
    return new ErrorClass(`${what}: ${this.#path}: ${reasonOf(cause)}`, { cause });
  }
}

/** Opens the file for reads, with its schema. */
function openFile(path: string): Database.Database {
  const database = new Database(path);
  database.exec(`PRAGMA busy_timeout = ${BUSY_MS}; PRAGMA journal_mode = WAL`);
  if (versionOf(database) < VERSION) {
    database.exec("BEGIN IMMEDIATE");
    // Another process may have been faster.
    if (versionOf(database) < VERSION) database.exec(`${SCHEMA}; PRAGMA user_version = ${VERSION}`);
    database.exec("COMMIT");
  }
  const version = versionOf(database);
  if (version <= VERSION) return database;
  database.close();
  throw new StoreOpenError(
    `${path} has version ${version}, and this version of waybill knows only ${VERSION}: ` +
      "it was written by a newer version; run that one",
  );
}

const versionOf = (database: Database.Database): number =>
  Number(Object(database.prepare("PRAGMA user_version").get()).user_version);

async function openWriter(path: string): Promise<Writer> {
  const database: Writer["database"] & { prepare(sql: string): Promise<AsyncStatement> } = new AsyncDatabase(
    path,
    {},
  );
  // FULL: a commit is on disk before it returns.
  await database.exec("PRAGMA synchronous = FULL");
  return {
    database,
    lastRevision: await database.prepare("SELECT CAST(revision AS INTEGER) AS revision FROM counter"),
    saveRevision: await database.prepare("UPDATE counter SET revision = ?"),
    find: await database.prepare(`
      SELECT ${RECORD} FROM records
      WHERE kind = ? AND key = ? AND value IS NOT NULL AND (expire_time IS NULL OR expire_time > ?)`),
    put: await database.prepare("INSERT OR REPLACE INTO records VALUES (?, ?, ?, ?, ?, ?)"),
    remove: await database.prepare("DELETE FROM records WHERE kind = ? AND key = ?"),
    record: await database.prepare("INSERT INTO history VALUES (?, ?, ?, ?, ?, ?, ?)"),
    removeExpired: await database.prepare(`
      DELETE FROM records WHERE (kind, key) IN (
        SELECT kind, key FROM records WHERE expire_time IS NOT NULL AND expire_time <= ? LIMIT ?
      )`),
  };
}

/**
 * Begins a write transaction, and waits for other processes. SQLite's own wait would block a thread in the library's pool.
 */
async function beginWrite(database: Writer["database"]): Promise<void> {
  const deadline = performance.now() + BUSY_MS;
  for (;;) {
    try {
      return await database.exec("BEGIN IMMEDIATE");
    } catch (error) {
      if (codeOf(error) !== "SQLITE_BUSY" || performance.now() > deadline) throw error;
      await sleep(Math.random() * MAX_BUSY_PAUSE_MS);
    }
  }
}

/** Decodes the texts of a row. */
function decoded<R>(row: unknown): R {
  const columns = row as Record<string, unknown>;
  for (const name in columns) {
    const value = columns[name];
    // Synchronous reads return an ArrayBuffer, asynchronous ones a Buffer.
    if (isAnyArrayBuffer(value)) columns[name] = Buffer.from(value).toString();
    else if (value instanceof Uint8Array) columns[name] = Buffer.from(value).toString();
  }
  return columns as R;
}

/** The meaning of SQLite's error codes for operators. */
const REASONS: Readonly<Record<string, string>> = {
  SQLITE_BUSY: "another process is writing to it",
  SQLITE_CANTOPEN: "it cannot be opened",
  SQLITE_CORRUPT: "it is damaged; restore it from a backup",
  SQLITE_FULL: "the disk is full",
  SQLITE_NOTADB: "it is damaged; restore it from a backup",
  SQLITE_PERM: "permission denied",
  SQLITE_READONLY: "it is read-only",
};

function reasonOf(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return REASONS[codeOf(error)] ?? systemReason(error) ?? text;
}

const codeOf = (error: unknown): string => String(Object(error).code);

const isDamage = (error: unknown): boolean => ["SQLITE_CORRUPT", "SQLITE_NOTADB"].includes(codeOf(error));
