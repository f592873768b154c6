import { DuckDBInstance, type DuckDBValue } from "@duckdb/node-api";
import { respondToQuestions } from "../support/process.js";
import { meanTime } from "../support/reads/in-parallel.js";

/** A statement to run once for each set of parameters. */
export interface QueryQuestion {
  readonly sql: string;
  readonly parameters: readonly Readonly<Record<string, DuckDBValue>>[];
  /** Number of rows that each run must read. */
  readonly rows: number;
  readonly concurrency: number;
}

const [file] = process.argv.slice(2);
const instance = DuckDBInstance.create(file);

/**
 * Runs a prepared statement, with one connection for each concurrent run; returns the mean time in
 * milliseconds.
 */
respondToQuestions(async ({ sql, parameters, rows, concurrency }: QueryQuestion) => {
  const connections = await Promise.all(
    Array.from({ length: concurrency }, async () => (await instance).connect()),
  );
  const statements = await Promise.all(connections.map((connection) => connection.prepare(sql)));
  const mean = await meanTime(parameters, concurrency, async (some, worker) => {
    const statement = statements[worker];
    statement?.bind({ ...some });
    const read = (await statement?.runAndReadAll())?.getRows();
    if (read?.length !== rows) throw new Error(`${read?.length} rows were read, not ${rows}`);
  });
  for (const connection of connections) connection.closeSync();
  return mean;
});
