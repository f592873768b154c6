import { StoreOpenError } from "../../model/store-error.js";
import type { ControlCopy } from "../control.js";
import type { CopiedRecord, HistoryEntry, Json } from "../records.js";
import type { PostgresDatabase } from "./postgres-database.js";
import { readSql } from "./sql.js";

const BEGIN = readSql("records/begin-copy.sql");
const ADD_RECORDS = readSql("records/add-records.sql");
const ADD_HISTORY = readSql("records/add-history.sql");

const RECORDS_A_STATEMENT = 1_000;

interface CopyRow {
  readonly source: string;
  readonly is_complete: boolean;
}

/** A copy of control data into tables. A row in the table `waybill.copy` tracks its state. */
export class PostgresCopy implements ControlCopy {
  readonly #database: PostgresDatabase;

  constructor(database: PostgresDatabase) {
    this.#database = database;
  }

  async state(): Promise<"none" | "begun" | "complete"> {
    const sql = "SELECT source, is_complete FROM waybill.copy";
    const [copy] = await this.#database.query<CopyRow>("looking for a copy", sql);
    if (copy === undefined) return "none";
    return copy.is_complete ? "complete" : "begun";
  }

  async begin(source: string): Promise<void> {
    const [copy] = await this.#database.query<CopyRow>("beginning a copy", BEGIN, [source]);
    const place = `the ${this.#database.place}`;
    if (copy === undefined) throw new StoreOpenError(`${place} has other data; copy into an empty one`);
    if (copy.is_complete)
      throw new StoreOpenError(`${place} has a complete copy; start servers, or copy into an empty one`);
    if (copy.source === source) return;
    throw new StoreOpenError(
      `${place} has part of a copy of other data; repeat that copy, or copy into an empty one`,
    );
  }

  async addRecords(records: readonly CopiedRecord[], history: readonly HistoryEntry[]): Promise<void> {
    await this.#add(
      "adding records",
      ADD_RECORDS,
      records.map((record) => ({ ...record, value: textOf(record.value) })),
    );
    const entries = history.map((entry) => ({
      ...entry,
      value: textOf(entry.value),
      previous: textOf(entry.previous),
      note: textOf(entry.note),
    }));
    await this.#add("adding the history of records", ADD_HISTORY, entries);
  }

  async historyLength(): Promise<number> {
    const sql = "SELECT count(*)::integer AS length FROM waybill.record_history";
    const [row] = await this.#database.query<{ length: number }>("counting changes of records", sql);
    if (row === undefined) throw new Error("the count query returned no row");
    return row.length;
  }

  async #add(what: string, sql: string, rows: readonly object[]): Promise<void> {
    for (let start = 0; start < rows.length; start += RECORDS_A_STATEMENT) {
      await this.#database.query(what, sql, [JSON.stringify(rows.slice(start, start + RECORDS_A_STATEMENT))]);
    }
  }

  async complete(): Promise<void> {
    await this.#database.query("completing a copy", "UPDATE waybill.copy SET is_complete = true");
  }
}

/** Returns a value as it is stored in the tables, in which a JSON null is the same as an absent value. */
const textOf = (value: Json | undefined): string | null =>
  value === undefined ? null : JSON.stringify(value);
