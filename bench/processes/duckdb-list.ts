import { DuckDBInstance } from "@duckdb/node-api";
import { ENTRIES_SQL } from "../../dist/store/duckdb/entry-statement.js";
import { meanTime } from "../support/in-parallel.js";
import { answerQuestions } from "../support/process.js";

/** Which apps to read the newest entries of. */
export interface QueryQuestion {
  /** Project number. */
  readonly project: string;
  readonly appIds: readonly string[];
  readonly pageSize: number;
  readonly concurrency: number;
}

const LAST_DAY = 0x7fff_ffff;

const [file] = process.argv.slice(2);
const instance = DuckDBInstance.create(file);

/** Runs the query of the list, with a connection for each that runs at once; returns the mean time in milliseconds. */
answerQuestions(async ({ project, appIds, pageSize, concurrency }: QueryQuestion) => {
  const connections = await Promise.all(
    Array.from({ length: concurrency }, async () => (await instance).connect()),
  );
  const statements = await Promise.all(connections.map((connection) => connection.prepare(ENTRIES_SQL)));
  const mean = await meanTime(appIds, concurrency, async (name, worker) => {
    const statement = statements[worker];
    statement?.bind({
      ...{ project: BigInt(project), name, until: LAST_DAY },
      ...{ after_day: LAST_DAY, after_label: "", limit: pageSize + 1 },
    });
    const rows = (await statement?.runAndReadAll())?.getRows();
    if (rows?.length !== pageSize) throw new Error(`${name} has ${rows?.length} entries`);
  });
  for (const connection of connections) connection.closeSync();
  return mean;
});
