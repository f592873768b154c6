import AsyncDatabase from "libsql/promise";
import type { RecordChange } from "../records.js";
import { commitRows, type FoundRow, wantedRows } from "./commit-rows.js";
import { decoded, type SqlValue, whileBusy } from "./records-file.js";

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

/**
 * Writes to a records file. Statements change pages in memory. The library commits them in its own thread, so that a
 * slow disk does not block the event loop.
 */
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
  async commit(
    groups: readonly (readonly RecordChange[])[],
    now: number,
  ): Promise<readonly (number | undefined)[]> {
    const { find, put, remove, record, saveRevision } = this.#statements;
    return this.#inTransaction(async () => {
      const before = decoded<{ revision: number; found: string }>(
        await find.get(JSON.stringify(wantedRows(groups)), now),
      );
      const found = JSON.parse(before.found) as FoundRow[];
      const rows = commitRows(groups, found, before.revision, now);
      if (rows.put.length > 0) await put.run(JSON.stringify(rows.put));
      if (rows.history.length > 0) await record.run(JSON.stringify(rows.history));
      await remove.run(JSON.stringify(rows.removed), now, EXPIRED_A_COMMIT);
      await saveRevision.run(rows.lastRevision);
      return rows.revisions;
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
    await whileBusy(() => this.#statements.begin.run());
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

/** SQL that selects rows of a JSON array. A statement for all rows costs less than one for each. */
const rowsOf = (columns: number): string =>
  `SELECT ${Array.from({ length: columns }, (_, index) => `value ->> ${index}`).join(", ")} FROM json_each(?)`;

/** SQL that selects the last revision, and the existing records of a JSON array. Damaged strings stay bytes. */
const FIND_WANTED = `
  SELECT CAST(revision AS INTEGER) AS revision, CAST((
    SELECT json_group_array(json_array(
      wanted.key, CAST(records.revision AS INTEGER), iif(wanted.value ->> 2, records.value, NULL)
    ))
    FROM json_each(?) AS wanted CROSS JOIN records
    WHERE records.kind = wanted.value ->> 0 AND records.key = wanted.value ->> 1
      AND records.value IS NOT NULL AND (expire_time IS NULL OR expire_time > ?)
  ) AS BLOB) AS found
  FROM counter`;

/** SQL that removes records in a JSON array, and some that have expired. */
const REMOVE = `
  DELETE FROM records
  WHERE (kind, key) IN (${rowsOf(2)})
    OR (kind, key) IN (SELECT kind, key FROM records WHERE expire_time IS NOT NULL AND expire_time <= ? LIMIT ?)`;

async function prepareAll(database: Connection) {
  return {
    begin: await database.prepare("BEGIN IMMEDIATE"),
    find: await database.prepare(FIND_WANTED),
    put: await database.prepare(`INSERT OR REPLACE INTO records ${rowsOf(6)}`),
    remove: await database.prepare(REMOVE),
    record: await database.prepare(`INSERT INTO history ${rowsOf(7)}`),
    saveRevision: await database.prepare("UPDATE counter SET revision = ?"),
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
  };
}
