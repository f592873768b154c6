import type { DuckDBConnection, DuckDBDataChunk, DuckDBPreparedStatement } from "@duckdb/node-api";
import { LRUCache } from "lru-cache";
import { COUNTS, type EntryColumns, type EntryQuery } from "../delivery-data-store.js";
import { ENTRIES_SQL, entryStatement } from "./entry-statement.js";
import { interruptible } from "./interruptible.js";

/** Statements that are kept: filters of more shapes than this are rarely in use at the same time. */
const MAX_STATEMENTS = 16;

/** Reads pages of entries on one connection, one at a time. */
export class EntryReader {
  readonly #connection: DuckDBConnection;
  readonly #statements = new LRUCache<string, DuckDBPreparedStatement>({
    max: MAX_STATEMENTS,
    dispose: (statement) => statement.destroySync(),
  });

  private constructor(connection: DuckDBConnection) {
    this.#connection = connection;
  }

  static async open(connection: DuckDBConnection): Promise<EntryReader> {
    const reader = new EntryReader(connection);
    await reader.#prepared(ENTRIES_SQL);
    return reader;
  }

  /** @param signal interrupts the reading when it aborts. */
  read(query: EntryQuery, signal?: AbortSignal): Promise<readonly EntryColumns[]> {
    const { sql, parameters } = entryStatement(query);
    return interruptible(this.#connection, signal, async () => {
      const statement = await this.#prepared(sql);
      statement.bind(parameters);
      const result = await statement.run();
      return (await result.fetchAllChunks()).map((chunk) => toColumns(chunk, query.appId));
    });
  }

  async #prepared(sql: string): Promise<DuckDBPreparedStatement> {
    const known = this.#statements.get(sql);
    if (known !== undefined) return known;
    const statement = await this.#connection.prepare(sql);
    this.#statements.set(sql, statement);
    return statement;
  }
}

const APP_COLUMN = COUNTS.length + 2;

/** @param appId of all rows; each says its own if it is left out. */
function toColumns(chunk: DuckDBDataChunk, appId: string | undefined): EntryColumns {
  const length = chunk.rowCount;
  return {
    length,
    days: chunk.getColumnValues(0) as number[],
    appIds:
      appId === undefined
        ? (chunk.getColumnValues(APP_COLUMN) as string[])
        : new Array<string>(length).fill(appId),
    labels: chunk.getColumnValues(1) as string[],
    counts: COUNTS.map((_, index) => {
      const vector = chunk.getColumnVector(index + 2);
      if ("items" in vector && vector.items instanceof Float64Array) return vector.items;
      throw new Error(`column ${COUNTS[index]} is not of doubles`);
    }),
  };
}
