import type { DuckDBConnection, DuckDBDataChunk, DuckDBPreparedStatement } from "@duckdb/node-api";
import { COUNTS, type EntryColumns, type EntryQuery } from "../delivery-data-store.js";
import { readSql } from "./sql.js";

/** Counts travel as doubles, which are exact to 2⁵³ and need no bigint on the way. */
const COLUMNS = COUNTS.map((name) => `${name}::DOUBLE`).join(", ");

/** The statement that reads a page of entries, with its parameters by name. */
export const ENTRIES_SQL = readSql("entries.sql", { columns: COLUMNS });

/** Reads pages of entries on one connection, one at a time. */
export class EntryReader {
  readonly #statement: DuckDBPreparedStatement;

  private constructor(statement: DuckDBPreparedStatement) {
    this.#statement = statement;
  }

  static async open(connection: DuckDBConnection): Promise<EntryReader> {
    return new EntryReader(await connection.prepare(ENTRIES_SQL));
  }

  async read(query: EntryQuery): Promise<readonly EntryColumns[]> {
    this.#statement.bind({
      project: BigInt(query.project),
      name: query.appId,
      until: query.until,
      after_day: query.after?.day ?? 0x7fff_ffff,
      after_label: query.after?.label ?? "",
      limit: query.limit,
    });
    const result = await this.#statement.run();
    return (await result.fetchAllChunks()).map(toColumns);
  }
}

function toColumns(chunk: DuckDBDataChunk): EntryColumns {
  return {
    length: chunk.rowCount,
    days: chunk.getColumnValues(0) as number[],
    labels: chunk.getColumnValues(1) as string[],
    counts: COUNTS.map((_, index) => {
      const vector = chunk.getColumnVector(index + 2);
      if ("items" in vector && vector.items instanceof Float64Array) return vector.items;
      throw new Error(`column ${COUNTS[index]} is not of doubles`);
    }),
  };
}
