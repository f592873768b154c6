import type {
  DuckDBConnection,
  DuckDBMaterializedResult,
  DuckDBPreparedStatement,
  DuckDBValue,
} from "@duckdb/node-api";
import { LRUCache } from "lru-cache";

/** Maximum number of kept statements. Rarely do more than this number of forms occur at the same time. */
const MAX_STATEMENTS = 32;

/**
 * Prepared statements of a connection. It keeps those that were used last, because preparing a statement costs as much
 * as running a small one.
 */
export class PreparedStatements {
  readonly #connection: DuckDBConnection;
  readonly #statements = new LRUCache<string, DuckDBPreparedStatement>({
    max: MAX_STATEMENTS,
    dispose: (statement) => statement.destroySync(),
  });

  constructor(connection: DuckDBConnection) {
    this.#connection = connection;
  }

  async prepare(sql: string): Promise<DuckDBPreparedStatement> {
    const known = this.#statements.get(sql);
    if (known !== undefined) return known;
    const statement = await this.#connection.prepare(sql);
    this.#statements.set(sql, statement);
    return statement;
  }

  async run(
    sql: string,
    parameters: Readonly<Record<string, DuckDBValue>>,
  ): Promise<DuckDBMaterializedResult> {
    const statement = await this.prepare(sql);
    statement.bind(parameters);
    try {
      return await statement.run();
    } finally {
      // A kept statement would also keep its parameters, which may be large.
      statement.clearBindings();
    }
  }
}
