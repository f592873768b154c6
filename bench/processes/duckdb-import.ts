import { DuckDBInstance } from "@duckdb/node-api";
import { CREATE_EVENTS, READ_EVENTS } from "../support/data/read-json.js";
import { respondToQuestions } from "../support/process.js";

/** The events to load, and the database file to create. */
export interface LoadQuestion {
  readonly events: string;
  readonly database: string;
}

/** Returns the milliseconds until the events are on disk. */
respondToQuestions(async ({ events, database }: LoadQuestion): Promise<number> => {
  const instance = await DuckDBInstance.create(database);
  const connection = await instance.connect();
  await connection.run(CREATE_EVENTS);
  const start = performance.now();
  await connection.run(`INSERT INTO events SELECT * FROM ${READ_EVENTS}`, { file: events });
  const took = performance.now() - start;
  connection.closeSync();
  instance.closeSync();
  return took;
});
