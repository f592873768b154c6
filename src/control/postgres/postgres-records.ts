import type { Clock } from "../../model/clock.js";
import { type ChangesPage, changesInPages, RECORDS_A_PAGE } from "../changes-since.js";
import { type HistoryTable, historyQuery } from "../history-query.js";
import { changedOf, entryOf, type HistoryRow, type RecordRow, storedOf } from "../record-rows.js";
import type {
  HistoryEntry,
  HistoryRange,
  RecordChange,
  RecordChanges,
  RecordKind,
  RecordRange,
  Records,
  StoredRecord,
} from "../records.js";
import type { Notifications } from "./notifications.js";
import type { PostgresDatabase } from "./postgres-database.js";
import { RepeatableError } from "./postgres-error.js";
import { readSql } from "./sql.js";

const CHANGED = readSql("records/records-since.sql");
const REMOVE_HISTORY = readSql("records/remove-history.sql");
const FORGET = readSql("records/forget-records.sql");

const HISTORY: HistoryTable = {
  name: "waybill.record_history",
  columns: "*",
  scope: "left(key, strpos(key, '/'))",
  parameter: "$",
};

/** Maximum number of attempts to make changes that conflict with others. */
const MAX_ATTEMPTS = 5;

/** SQL condition for records that have not expired. */
const LIVE = "value IS NOT NULL AND (expire_time IS NULL OR expire_time > ";

/** PostgreSQL rejects text that contains NUL, so no key contains it. */
const isText = (key: string): boolean => !key.includes("\0");

interface ChangedRows {
  readonly last: string;
  readonly forgotten: string;
  readonly is_known: boolean;
  readonly rows: readonly Omit<RecordRow, "kind">[];
}

export interface PostgresRecordsOptions {
  readonly database: PostgresDatabase;
  readonly notifications: Notifications;
  readonly clock: Clock;
}

/**
 * Records in a PostgreSQL table. Changes are made by a function in the database, so that a suspended process holds no
 * lock.
 */
export class PostgresRecords implements Records {
  readonly place: string;
  readonly #database: PostgresDatabase;
  readonly #notifications: Notifications;
  readonly #clock: Clock;
  readonly #listeners: { readonly kind: string; readonly listener: () => void }[] = [];

  constructor({ database, notifications, clock }: PostgresRecordsOptions) {
    this.place = `the table waybill.records of the ${database.place}`;
    this.#database = database;
    this.#notifications = notifications;
    this.#clock = clock;
  }

  async get(kind: RecordKind, key: string): Promise<StoredRecord | undefined> {
    if (!isText(key)) return undefined;
    const sql = `
      SELECT * FROM waybill.records
      WHERE kind = $1 AND key = $2 AND ${LIVE} $3)`;
    const values = [kind.name, key, this.#clock.wall()];
    const [row] = await this.#database.query<RecordRow>("reading a record", sql, values);
    return row && storedOf(row);
  }

  async list(
    kind: RecordKind,
    { prefix = "", after = "", limit }: RecordRange,
  ): Promise<readonly StoredRecord[]> {
    if (!isText(prefix) || !isText(after)) return [];
    const sql = `
      SELECT * FROM waybill.records
      WHERE kind = $1 AND key >= $2 AND key > $3 AND key < $2 || chr(1114111) AND ${LIVE} $4)
      ORDER BY key LIMIT $5`;
    const values = [kind.name, prefix, after, this.#clock.wall(), limit];
    const rows = await this.#database.query<RecordRow>("listing records", sql, values);
    return rows.map(storedOf);
  }

  async change(changes: readonly RecordChange[]): Promise<number | undefined> {
    const requested = changes.map(({ kind, key, value, ifRevision, expireTime, note }) => ({
      kind: kind.name,
      key,
      value: value === undefined ? null : JSON.stringify(value),
      ifRevision,
      expireTime,
      note: note === undefined ? null : JSON.stringify(note),
      isFollowed: kind.isFollowed === true,
      isAudited: kind.isAudited === true,
      isSecret: kind.isSecret === true,
    }));
    const values = [JSON.stringify(requested), this.#clock.wall()];
    const sql = "SELECT waybill.change_records($1, $2) AS revision";
    for (let attempt = 1; ; attempt++) {
      try {
        const [row] = await this.#database.query<{ revision: string | null }>(
          "changing records",
          sql,
          values,
        );
        if (row === undefined || row.revision === null) return undefined;
        for (const { kind, listener } of this.#listeners)
          if (changes.some((change) => change.kind.name === kind)) listener();
        return Number(row.revision);
      } catch (error) {
        if (!(error instanceof RepeatableError) || attempt === MAX_ATTEMPTS) throw error;
      }
    }
  }

  changesSince(kind: RecordKind, revision: number): AsyncIterable<RecordChanges> {
    return changesInPages(revision, (position, base) => this.#changesAfter(kind, position, base));
  }

  onChange(kind: RecordKind, listener: () => void): void {
    this.#listeners.push({ kind: kind.name, listener });
    this.#notifications.on(kind.name, listener);
  }

  async history(range: HistoryRange): Promise<readonly HistoryEntry[]> {
    const { sql, values } = historyQuery(range, HISTORY);
    const rows = await this.#database.query<HistoryRow>("reading the history of records", sql, values);
    return rows.map(entryOf);
  }

  async removeHistory(before: number, limit: number): Promise<number> {
    return (await this.#database.query("removing history", REMOVE_HISTORY, [before, limit])).length;
  }

  async forget(kind: RecordKind, prefix: string, limit: number): Promise<number> {
    return (await this.#database.query("removing deleted records", FORGET, [kind.name, prefix, limit]))
      .length;
  }

  async #changesAfter({ name }: RecordKind, position: number, base: number): Promise<ChangesPage> {
    const values = [name, position, base, RECORDS_A_PAGE];
    const [page] = await this.#database.query<ChangedRows>("reading changes of records", CHANGED, values);
    if (page === undefined) throw new Error("the statement returned no row");
    return {
      records: page.rows.map((row) => changedOf({ ...row, kind: name })),
      last: Number(page.last),
      forgotten: Number(page.forgotten),
      isKnown: page.is_known,
    };
  }
}
