import type { DuckDBConnection } from "@duckdb/node-api";
import type { ProjectNumber } from "../../../model/names.js";
import { listValue } from "../engine.js";
import type { PreparedStatements } from "../prepared-statements.js";
import { readSql } from "../sql.js";
import { eraseRows } from "./erasure.js";

/** Maximum number of names in the cache. When it is exceeded, the least recently used project's names are removed. */
const MAX_CACHED = 300_000;

/** Returns a name's id. @throws Error if the name has no id. */
export type NumberOf = (name: string) => number;

interface ProjectNames {
  readonly numbers: Map<string, number>;
  /** True if no rows were removed since the last removal of unused names. */
  areAllUsed: boolean;
}

/**
 * Ids of the names in a project's rows, stored in a table `(id, project, name)`. Supports a single writer. All names of
 * an active project are in the cache, so that an append does not have to search the table or count its rows.
 */
export class Dictionary {
  readonly #table: "apps" | "labels";
  readonly #max: number;
  readonly #connection: DuckDBConnection;
  readonly #statements: PreparedStatements;
  readonly #removeUnusedSql: string;
  /** Names by project. The least recently used project comes first. */
  readonly #projects = new Map<string, ProjectNames>();
  #cached = 0;
  #last: number;

  private constructor(
    connection: DuckDBConnection,
    statements: PreparedStatements,
    table: "apps" | "labels",
    max: number,
    last: number,
  ) {
    this.#connection = connection;
    this.#statements = statements;
    this.#table = table;
    this.#max = max;
    this.#removeUnusedSql = readSql(`write/remove-unused-${table}.sql`);
    this.#last = last;
  }

  /**
   * Loads the dictionary.
   *
   * @param statements prepared statements of the connection.
   * @param max maximum number of names per project.
   */
  static async load(
    connection: DuckDBConnection,
    statements: PreparedStatements,
    table: "apps" | "labels",
    max: number,
  ): Promise<Dictionary> {
    const result = await connection.runAndReadAll(`SELECT coalesce(max(id), 0) FROM ${table}`);
    return new Dictionary(connection, statements, table, max, Number(result.getRows()[0]?.[0]));
  }

  /** True if the cache has room for another project's names, so that readers may add them. */
  get hasRoom(): boolean {
    return this.#cached < MAX_CACHED / 2;
  }

  /** Returns a name's id from the cache: 0 if it has none, `undefined` if the project's names are not cached. */
  cachedNumberOf(project: ProjectNumber, name: string): number | undefined {
    const known = this.#projects.get(project);
    return known && (known.numbers.get(name) ?? 0);
  }

  /** Returns the ids of `names`. Assigns ids to new names, within the current transaction. */
  async numbersOf(project: ProjectNumber, names: Iterable<string>): Promise<NumberOf> {
    const { numbers } = await this.#namesOf(project);
    const numberOf = (name: string): number => {
      const number = numbers.get(name);
      if (number === undefined) throw new Error(`the table ${this.#table} has no id for "${name}"`);
      return number;
    };
    const added = [...new Set(names)].filter((name) => !numbers.has(name));
    if (added.length > 0) {
      this.#cached += added.length;
      for (const name of added) numbers.set(name, ++this.#last);
      await this.#statements.run(
        `INSERT INTO ${this.#table} SELECT unnest($ids::INTEGER[]), $project, unnest($names::VARCHAR[])`,
        { ids: listValue(added.map(numberOf)), project: BigInt(project), names: listValue(added) },
      );
    }
    return numberOf;
  }

  /**
   * Returns the new names that exceed the project's maximum, in the order of `names`. If there are any, first removes
   * names that are no longer used.
   *
   * @param names distinct names.
   */
  async excessOf(project: ProjectNumber, names: readonly string[]): Promise<readonly string[]> {
    const known = await this.#namesOf(project);
    const excess = (): string[] =>
      names.filter((name) => !known.numbers.has(name)).slice(Math.max(0, this.#max - known.numbers.size));
    if (known.areAllUsed || excess().length === 0) return excess();
    const removed = await this.#connection.runAndReadAll(this.#removeUnusedSql, { project: BigInt(project) });
    for (const [name] of removed.getRows()) known.numbers.delete(String(name));
    this.#cached -= removed.currentRowCount;
    known.areAllUsed = true;
    return excess();
  }

  /**
   * Erases up to `limit` names of a deleted project, within the current transaction.
   *
   * @returns the number of names.
   */
  async erase(project: ProjectNumber, limit: number): Promise<number> {
    this.#cached -= this.#projects.get(project)?.numbers.size ?? 0;
    this.#projects.delete(project);
    return eraseRows(this.#connection, this.#table, project, limit);
  }

  /** Records that rows of a project were removed, so that some of its names may be unused now. */
  noteRemoved(project: ProjectNumber): void {
    const known = this.#projects.get(project);
    if (known !== undefined) known.areAllUsed = false;
  }

  /** Clears the cache. After a failed transaction, it may contain ids that are not on disk. */
  reset(): void {
    this.#projects.clear();
    this.#cached = 0;
  }

  async #namesOf(project: ProjectNumber): Promise<ProjectNames> {
    let known = this.#projects.get(project);
    if (known === undefined) {
      known = await this.#read(project);
      this.#cached += known.numbers.size;
    }
    this.#projects.delete(project);
    this.#projects.set(project, known);
    for (const [other, { numbers }] of this.#projects) {
      if (this.#cached <= MAX_CACHED || other === project) break;
      this.#projects.delete(other);
      this.#cached -= numbers.size;
    }
    return known;
  }

  async #read(project: ProjectNumber): Promise<ProjectNames> {
    const numbers = new Map<string, number>();
    const sql = `SELECT name, id FROM ${this.#table} WHERE project = $1::BIGINT`;
    // Streaming keeps the event loop responsive.
    const result = await this.#connection.stream(sql, [project]);
    for (;;) {
      const chunk = await result.fetchChunk();
      if (chunk === null || chunk.rowCount === 0) break;
      for (const [name, id] of chunk.getRows()) numbers.set(String(name), Number(id));
    }
    return { numbers, areAllUsed: false };
  }
}
