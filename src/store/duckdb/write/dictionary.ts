import type { DuckDBConnection } from "@duckdb/node-api";
import { LRUCache } from "lru-cache";
import { listValue } from "../engine.js";

/** Maximum number of cached entries; others are looked up in the table. */
const MAX_CACHED = 100_000;

/**
 * Numbers that stand for names in the rows of a project, kept in a table `(id, project, name)`. Supports a
 * single writer.
 */
export class Dictionary {
  readonly #table: "apps" | "labels";
  readonly #cache = new LRUCache<string, number>({ max: MAX_CACHED });
  #last: number;

  private constructor(table: "apps" | "labels", last: number) {
    this.#table = table;
    this.#last = last;
  }

  static async load(connection: DuckDBConnection, table: "apps" | "labels"): Promise<Dictionary> {
    const result = await connection.runAndReadAll(`SELECT coalesce(max(id), 0) FROM ${table}`);
    return new Dictionary(table, Number(result.getRows()[0]?.[0]));
  }

  /**
   * Returns the numbers of `names`, in their order. Assigns numbers to new names, within the transaction of
   * `connection`.
   */
  async numbersOf(
    connection: DuckDBConnection,
    project: string,
    names: readonly string[],
  ): Promise<Int32Array> {
    const numbers = new Map<string, number>();
    const uncached = new Set<string>();
    for (const name of names) {
      const number = this.#cache.get(`${project}/${name}`);
      if (number === undefined) uncached.add(name);
      else numbers.set(name, number);
    }
    if (uncached.size > 0) {
      await this.#read(connection, project, [...uncached], numbers);
      await this.#add(
        connection,
        project,
        [...uncached].filter((name) => !numbers.has(name)),
        numbers,
      );
      for (const name of uncached) this.#cache.set(`${project}/${name}`, numbers.get(name));
    }
    return Int32Array.from(names, (name) => numbers.get(name) ?? 0);
  }

  /** Clears the cache, which after a failed transaction may contain numbers that are not on disk. */
  reset(): void {
    this.#cache.clear();
  }

  async #read(
    connection: DuckDBConnection,
    project: string,
    names: readonly string[],
    numbers: Map<string, number>,
  ): Promise<void> {
    const result = await connection.runAndReadAll(
      `SELECT name, id FROM ${this.#table} WHERE project = $1::BIGINT AND name IN (SELECT unnest($2::VARCHAR[]))`,
      [project, listValue(names)],
    );
    for (const [name, id] of result.getRows()) numbers.set(String(name), Number(id));
  }

  async #add(
    connection: DuckDBConnection,
    project: string,
    names: readonly string[],
    numbers: Map<string, number>,
  ): Promise<void> {
    if (names.length === 0) return;
    for (const name of names) numbers.set(name, ++this.#last);
    await connection.run(
      `INSERT INTO ${this.#table} SELECT unnest($1::INTEGER[]), $2::BIGINT, unnest($3::VARCHAR[])`,
      [listValue(names.map((name) => numbers.get(name) ?? 0)), project, listValue(names)],
    );
  }
}
