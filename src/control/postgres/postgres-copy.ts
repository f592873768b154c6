import { StoreOpenError } from "../../model/store-error.js";
import type { ControlCopy } from "../control-copy.js";
import type { ChangeRecord } from "../file/change-record.js";
import type { PostgresDatabase } from "./postgres-database.js";
import { readSql } from "./sql.js";

const BEGIN = readSql("begin-copy.sql");
const ADD_CONFIG_CHANGES = readSql("add-config-changes.sql");

/** Maximum number of changes of configurations in a statement. */
const CHANGES_A_STATEMENT = 1_000;

interface CopyRow {
  readonly source: string;
  readonly is_complete: boolean;
}

/** A copy into tables, which a row of the table `waybill.copy` stands for. */
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

  async addConfigChanges(changes: readonly ChangeRecord[]): Promise<void> {
    for (let start = 0; start < changes.length; start += CHANGES_A_STATEMENT) {
      const some = changes.slice(start, start + CHANGES_A_STATEMENT);
      const column = (value: (change: ChangeRecord) => unknown) => some.map(value);
      await this.#database.query("adding changes of configurations", ADD_CONFIG_CHANGES, [
        column(({ id }) => id),
        column(({ time }) => time),
        column(({ principal }) => principal),
        column(({ project }) => project),
        column(({ appId }) => appId),
        column(({ revision }) => revision),
        column(({ updateMask }) => updateMask),
        column(({ tokenTtl }) => tokenTtl?.seconds),
        column(({ tokenTtl }) => tokenTtl?.nanos),
        column(({ previousTokenTtl }) => previousTokenTtl?.seconds),
        column(({ previousTokenTtl }) => previousTokenTtl?.nanos),
      ]);
    }
  }

  async complete(): Promise<void> {
    await this.#database.query("completing a copy", "UPDATE waybill.copy SET is_complete = true");
  }
}
