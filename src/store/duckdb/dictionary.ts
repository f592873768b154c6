import { type DuckDBConnection, listValue } from "@duckdb/node-api";
import { LRUCache } from "lru-cache";

/** How many numbers are kept at hand; the others are looked up in the table. */
const MAX_CACHED = 100_000;

/** The numbers by which the rows of one project refer to names; kept in a table `(id, project, name)`. For one writer. */
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

  /** The numbers of `names`, in their order. Gives new names a number, within the transaction of `connection`. */
  async numbersOf(
    connection: DuckDBConnection,
    project: string,
    names: readonly string[],
  ): Promise<Int32Array> {
    const key = (name: string): string => `${project}/${name}`;
    const missing = names.filter((name) => !this.#cache.has(key(name)));
    const known =
      missing.length > 0 ? await this.#read(connection, project, missing) : new Map<string, number>();
    const numbers = new Int32Array(names.length);
    for (const [index, name] of names.entries()) {
      const number =
        this.#cache.get(key(name)) ?? known.get(name) ?? (await this.#add(connection, project, name));
      this.#cache.set(key(name), number);
      numbers[index] = number;
    }
    return numbers;
  }

  /** Forgets what is not on disk, after a transaction failed. */
  reset(): void {
    this.#cache.clear();
  }

  async #read(
    connection: DuckDBConnection,
    project: string,
    names: readonly string[],
  ): Promise<Map<string, number>> {
    const result = await connection.runAndReadAll(
      `SELECT name, id FROM ${this.#table} WHERE project = $1::BIGINT AND name IN (SELECT unnest($2::VARCHAR[]))`,
      [project, listValue(names)],
    );
    return new Map(result.getRows().map(([name, id]) => [String(name), Number(id)]));
  }

  async #add(connection: DuckDBConnection, project: string, name: string): Promise<number> {
    const id = ++this.#last;
    await connection.run(`INSERT INTO ${this.#table} VALUES ($1, $2::BIGINT, $3)`, [id, project, name]);
    return id;
  }
}
