import AsyncDatabase from "libsql/promise";
import type { RecordRow } from "../record-rows.js";
import type { RecordChange } from "../records.js";
import { decoded, FIND_RECORD, type SqlValue, whileBusy } from "./records-file.js";

/** Number of expired records that each commit removes. */
const EXPIRED_A_COMMIT = 100;

/** An asynchronous statement. The library exports no type for it. */
interface AsyncStatement {
  get(...values: SqlValue[]): Promise<unknown>;
  run(...values: SqlValue[]): Promise<{ readonly changes: number }>;
}

interface Connection {
  exec(sql: string): Promise<void>;
  prepare(sql: string): Promise<AsyncStatement>;
  close(): void;
}

/** Writes to a records file. The library does this in its own threads, so that the event loop is not blocked. */
export class RecordsWriter {
  readonly #database: Connection;
  readonly #statements: Awaited<ReturnType<typeof prepareAll>>;

  private constructor(database: Connection, statements: Awaited<ReturnType<typeof prepareAll>>) {
    this.#database = database;
    this.#statements = statements;
  }

  static async open(path: string): Promise<RecordsWriter> {
    const database: Connection = new AsyncDatabase(path, {});
    // FULL means that a commit is on disk before it returns.
    await database.exec("PRAGMA synchronous = FULL");
    return new RecordsWriter(database, await prepareAll(database));
  }

  /**
   * Makes several groups of changes in one commit.
   *
   * @returns the revision of each group. `undefined` for a group that was not made, because a record does not have its
   * `ifRevision`.
   */
  async commit(groups: readonly (readonly RecordChange[])[], now: number): Promise<(number | undefined)[]> {
    const { lastRevision, saveRevision, removeExpired } = this.#statements;
    return this.#inTransaction(async () => {
      let { revision } = (await lastRevision.get()) as { revision: number };
      const revisions: (number | undefined)[] = [];
      for (const changes of groups) {
        const isMade = await this.#make(changes, revision + 1, now);
        revisions.push(isMade ? ++revision : undefined);
      }
      await saveRevision.run(revision);
      await removeExpired.run(now, EXPIRED_A_COMMIT);
      return revisions;
    });
  }

  /** Removes the oldest history entries before a time. Returns their number. */
  removeHistory(before: number, limit: number): Promise<number> {
    return this.#inTransaction(async () => {
      const { changes } = await this.#statements.removeHistory.run(before, limit);
      return changes;
    });
  }

  /** Removes the keys and revisions that deleted records have left. Returns their number. */
  forget(kind: string, prefix: string, limit: number): Promise<number> {
    const { lastDeleted, saveForgotten, forget } = this.#statements;
    return this.#inTransaction(async () => {
      const { revision } = (await lastDeleted.get(kind, prefix, prefix, limit)) as {
        revision: number | null;
      };
      if (revision === null) return 0;
      await saveForgotten.run(kind, revision);
      const { changes } = await forget.run(kind, prefix, prefix, limit);
      return changes;
    });
  }

  async #inTransaction<T>(work: () => Promise<T>): Promise<T> {
    // If SQLite itself waited, it would block a thread.
    await whileBusy(() => this.#database.exec("BEGIN IMMEDIATE"));
    try {
      const result = await work();
      await this.#database.exec("COMMIT");
      return result;
    } catch (error) {
      // Some errors, such as a full disk, have already ended the transaction.
      await this.#database.exec("ROLLBACK").catch(() => {});
      throw error;
    }
  }

  /** Makes a group of changes. @returns false if a record does not have its `ifRevision`. Nothing has changed then. */
  async #make(changes: readonly RecordChange[], revision: number, now: number): Promise<boolean> {
    const { find, put, remove, record } = this.#statements;
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
      const hidden = (json: string | null) => (kind.isSecret === true && json !== null ? "null" : json);
      const noteText = note === undefined ? null : JSON.stringify(note);
      await record.run(
        revision,
        kind.name,
        key,
        now,
        hidden(text),
        hidden(before[index]?.value ?? null),
        noteText,
      );
    }
    return true;
  }

  async close(): Promise<void> {
    // After this, there is only one file, unless another process uses it.
    await this.#database.exec("PRAGMA wal_checkpoint(TRUNCATE)").catch(() => {});
    this.#database.close();
  }
}

/** SQL that selects the keys and revisions that deleted records have left, by kind and prefix. */
const DELETED_RECORDS = `
  FROM records
  WHERE kind = ? AND key >= ? AND key < ? || char(0x10FFFF) AND value IS NULL ORDER BY records.key LIMIT ?`;

async function prepareAll(database: Connection) {
  return {
    lastRevision: await database.prepare("SELECT CAST(revision AS INTEGER) AS revision FROM counter"),
    saveRevision: await database.prepare("UPDATE counter SET revision = ?"),
    find: await database.prepare(FIND_RECORD),
    put: await database.prepare("INSERT OR REPLACE INTO records VALUES (?, ?, ?, ?, ?, ?)"),
    remove: await database.prepare("DELETE FROM records WHERE kind = ? AND key = ?"),
    record: await database.prepare("INSERT INTO history VALUES (?, ?, ?, ?, ?, ?, ?)"),
    removeHistory: await database.prepare(`
      DELETE FROM history WHERE (revision, kind, key) IN (
        SELECT revision, kind, key FROM history WHERE time < ? ORDER BY time LIMIT ?
      )`),
    lastDeleted: await database.prepare(
      `SELECT CAST(max(revision) AS INTEGER) AS revision FROM (SELECT revision ${DELETED_RECORDS})`,
    ),
    saveForgotten: await database.prepare(`
      INSERT INTO forgotten VALUES (?, ?)
      ON CONFLICT DO UPDATE SET revision = max(revision, excluded.revision)`),
    forget: await database.prepare(
      `DELETE FROM records WHERE (kind, key) IN (SELECT kind, key ${DELETED_RECORDS})`,
    ),
    removeExpired: await database.prepare(`
      DELETE FROM records WHERE (kind, key) IN (
        SELECT kind, key FROM records WHERE expire_time IS NOT NULL AND expire_time <= ? LIMIT ?
      )`),
  };
}
