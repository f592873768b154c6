import { join } from "node:path";
import { setImmediate as nextTick } from "node:timers/promises";
import type Database from "libsql";
import { SerialQueue } from "../../limits/pacing.js";
import type { Clock } from "../../model/clock.js";
import { StoreUnavailableError } from "../../model/store-error.js";
import { inStatement } from "../../telemetry/tracing.js";
import { type ChangesPage, changesInPages, RECORDS_A_PAGE } from "../changes-since.js";
import { historyQuery } from "../history-query.js";
import { changedOf, entryOf, type HistoryRow, type RecordRow, storedOf } from "../record-rows.js";
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
import {
  damageIn,
  decoded,
  FIND_FORGOTTEN,
  FIND_RECORD,
  HISTORY,
  HISTORY_COLUMNS,
  hasRecordsFile,
  NEXT_CHANGED,
  openRecordsFile,
  openRecordsFileToCheck,
  RECORD_COLUMNS,
  RECORDS_FILE,
  type SqlValue,
  unavailable,
  whileBusy,
} from "./records-file.js";
import { writeRecordsSnapshot } from "./records-snapshot.js";
import { RecordsWriter } from "./records-writer.js";

/** Maximum number of changes in one commit. */
const MAX_TOGETHER = 256;
const ROWS_A_STEP = 5_000;

/** Changes that wait for a commit. */
interface WaitingChanges {
  readonly changes: readonly RecordChange[];
  readonly resolve: (revision: number | undefined) => void;
  readonly reject: (error: Error) => void;
}

/**
 * Records in an SQLite file, which several processes on one machine may use. A read needs some microseconds and runs
 * immediately. Changes that arrive during a commit share the next commit. Commits do not block the event loop.
 */
export class EmbeddedRecords implements Records {
  readonly place: string;
  readonly #path: string;
  readonly #clock: Clock;
  readonly #reader: Database.Database;
  /** Prepared statements, by their SQL text. */
  readonly #statements = new Map<string, Database.Statement>();
  #writer: Promise<RecordsWriter> | undefined;
  #waiting: WaitingChanges[] = [];
  #flush: Promise<void> | undefined;
  readonly #writes = new SerialQueue();
  readonly #listeners: { readonly kind: string; readonly listener: () => void }[] = [];
  #closed = false;

  private constructor(path: string, clock: Clock, reader: Database.Database) {
    this.place = path;
    this.#path = path;
    this.#clock = clock;
    this.#reader = reader;
  }

  /**
   * Opens the records file in a directory. Creates the file and the directory if they do not exist.
   *
   * @throws StoreOpenError if the file cannot be opened, or a newer version has written it.
   */
  static async open(directory: string, clock: Clock): Promise<EmbeddedRecords> {
    return new EmbeddedRecords(join(directory, RECORDS_FILE), clock, await openRecordsFile(directory));
  }

  /** Opens the records file if it exists. @throws the same errors as {@link open}. */
  static async openExisting(directory: string, clock: Clock): Promise<EmbeddedRecords | undefined> {
    return (await hasRecordsFile(directory)) ? EmbeddedRecords.open(directory, clock) : undefined;
  }

  /**
   * Opens the records file only for reading, if it exists. Does not change the file.
   *
   * @throws the same errors as {@link open}.
   */
  static async openToCheck(directory: string, clock: Clock): Promise<EmbeddedRecords | undefined> {
    if (!(await hasRecordsFile(directory))) return undefined;
    return new EmbeddedRecords(join(directory, RECORDS_FILE), clock, openRecordsFileToCheck(directory));
  }

  async get(kind: RecordKind, key: string): Promise<StoredRecord | undefined> {
    const row = await this.#readWith(FIND_RECORD, (statement) =>
      statement.get(kind.name, key, this.#clock.wall()),
    );
    if (row === undefined) return undefined;
    return storedOf({ ...decoded<Omit<RecordRow, "kind" | "key">>(row), kind: kind.name, key });
  }

  async list(
    kind: RecordKind,
    { prefix = "", after = "", limit }: RecordRange,
  ): Promise<readonly StoredRecord[]> {
    const sql = `
      SELECT ${RECORD_COLUMNS} FROM records
      WHERE kind = ? AND key >= ? AND key > ? AND key < ? || char(0x10FFFF)
        AND value IS NOT NULL AND (expire_time IS NULL OR expire_time > ?)
      ORDER BY records.key LIMIT ?`;
    const values = [kind.name, prefix, after, prefix, this.#clock.wall(), limit];
    const rows = await this.#read<RecordRow>(sql, ...values);
    return rows.map(storedOf);
  }

  changesSince(kind: RecordKind, revision: number): AsyncIterable<RecordChanges> {
    return changesInPages(revision, (position) => this.#changesAfter(kind, position));
  }

  async history(range: HistoryRange): Promise<readonly HistoryEntry[]> {
    const { sql, values } = historyQuery(range, HISTORY);
    return (await this.#read<HistoryRow>(sql, ...values)).map(entryOf);
  }

  removeHistory(before: number, limit: number): Promise<number> {
    return this.#write("removing history", (writer) => writer.removeHistory(before, limit));
  }

  forget(kind: RecordKind, prefix: string, limit: number): Promise<number> {
    return this.#write("removing deleted records", (writer) => writer.forget(kind.name, prefix, limit));
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

  /** Lists all records except secrets, in batches. */
  async *allRecords(): AsyncGenerator<readonly CopiedRecord[]> {
    const sql = `
      SELECT ${RECORD_COLUMNS} FROM records
      WHERE (kind, key) > (?, ?) AND kind NOT IN (SELECT value FROM json_each(?))
      ORDER BY records.kind, records.key LIMIT ?`;
    let [kind, key] = ["", ""];
    for (;;) {
      const values = [kind, key, JSON.stringify(SECRET_KINDS), ROWS_A_STEP];
      const rows = await this.#read<RecordRow & { is_followed: number }>(sql, ...values);
      yield rows.map((row) => ({ ...changedOf(row), kind: row.kind, isFollowed: row.is_followed === 1 }));
      const last = rows.at(-1);
      if (last === undefined || rows.length < ROWS_A_STEP) return;
      [kind, key] = [last.kind, last.key];
    }
  }

  /** Lists all changes of audited kinds in batches, oldest first. */
  async *allHistory(): AsyncGenerator<readonly HistoryEntry[]> {
    const sql = `
      SELECT ${HISTORY_COLUMNS} FROM history
      WHERE (revision, kind, key) > (?, ?, ?)
      ORDER BY history.revision, history.kind, history.key LIMIT ?`;
    let [revision, kind, key] = [0, "", ""];
    for (;;) {
      const rows = await this.#read<HistoryRow>(sql, revision, kind, key, ROWS_A_STEP);
      yield rows.map(entryOf);
      const last = rows.at(-1);
      if (last === undefined || rows.length < ROWS_A_STEP) return;
      ({ kind, key } = last);
      revision = Number(last.revision);
    }
  }

  /**
   * Writes a consistent copy of the file without secrets, even while processes use the file.
   *
   * @throws StoreUnavailableError if the copy fails.
   */
  snapshot(path: string): Promise<void> {
    return writeRecordsSnapshot(this.#path, path);
  }

  /** Checks the whole file. @returns a line for each kind of damage. */
  check(): readonly string[] {
    return damageIn(this.#reader, this.#path);
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    await this.#flush;
    await this.#writes.run(async () => {});
    const writer = await this.#writer?.catch(() => undefined);
    await writer?.close();
    this.#reader.close();
  }

  async #changesAfter(kind: RecordKind, position: number): Promise<ChangesPage> {
    const { name } = kind;
    for (;;) {
      const before = await this.#forgotten(name);
      const rows = await this.#read<Omit<RecordRow, "kind">>(
        NEXT_CHANGED,
        name,
        position,
        name,
        position,
        RECORDS_A_PAGE - 1,
      );
      const forgotten = await this.#forgotten(name);
      // Another process has changed this value in the meantime.
      if (forgotten !== before) continue;
      const records = rows.map((row) => changedOf({ ...row, kind: name }));
      return {
        records,
        last: Math.max(position, forgotten, records.at(-1)?.revision ?? 0),
        forgotten,
        isKnown: true,
      };
    }
  }

  /** Returns the highest revision of deleted records that were removed completely. */
  async #forgotten(kind: string): Promise<number> {
    const [row] = await this.#read<{ revision: number }>(FIND_FORGOTTEN, kind);
    return row === undefined ? 0 : row.revision;
  }

  #read<R>(sql: string, ...values: SqlValue[]): Promise<readonly R[]> {
    // Rows are decoded one by one, because undecoded rows need several times the memory.
    return this.#readWith(sql, (statement) =>
      Array.from(statement.iterate(...values), (row) => decoded<R>(row)),
    );
  }

  async #readWith<Result>(sql: string, read: (statement: Database.Statement) => Result): Promise<Result> {
    if (this.#closed) throw new StoreUnavailableError("the control data is closed");
    try {
      const statement = this.#statements.get(sql) ?? this.#reader.prepare(sql);
      this.#statements.set(sql, statement);
      return await whileBusy(() => read(statement));
    } catch (cause) {
      throw unavailable("reading the control data", this.#path, cause);
    }
  }

  async #writeAll(): Promise<void> {
    while (this.#waiting.length > 0) {
      // Changes that arrive in the same event loop tick share a commit.
      await nextTick();
      const batch = this.#waiting.splice(0, MAX_TOGETHER);
      try {
        const groups = batch.map(({ changes }) => changes);
        const revisions = await this.#write("changing the control data", (writer) =>
          writer.commit(groups, this.#clock.wall()),
        );
        for (const [index, { resolve }] of batch.entries()) resolve(revisions[index]);
        const kinds = new Set(groups.flat().map(({ kind }) => kind.name));
        for (const { kind, listener } of this.#listeners) if (kinds.has(kind)) listener();
      } catch (cause) {
        for (const { reject } of batch) reject(cause as Error);
      }
    }
    // This happens synchronously, so that the next change starts another flush.
    this.#flush = undefined;
  }

  /** Runs writes one after another. */
  #write<T>(what: string, work: (writer: RecordsWriter) => Promise<T>): Promise<T> {
    return this.#writes.run(async () => {
      if (this.#closed) throw new StoreUnavailableError("the control data is closed");
      try {
        this.#writer ??= RecordsWriter.open(this.#path);
        const writer = await this.#writer.catch((error: unknown) => {
          this.#writer = undefined;
          throw error;
        });
        return await inStatement("sqlite", what, () => work(writer));
      } catch (cause) {
        throw unavailable(what, this.#path, cause);
      }
    });
  }
}
