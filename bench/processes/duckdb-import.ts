import { withDuckDb } from "../../test/support/data/duckdb.js";
import { CREATE_EVENTS, READ_EVENTS } from "../support/data/read-json.js";
import { respondToQuestions } from "../support/process.js";

/** The events to load, and the database file to create. */
export interface LoadQuestion {
  readonly events: string;
  readonly database: string;
}

/** Returns the milliseconds until the events are on disk. */
respondToQuestions(({ events, database }: LoadQuestion) =>
  withDuckDb(database, async (connection) => {
    await connection.run(CREATE_EVENTS);
    const start = performance.now();
    await connection.run(`INSERT INTO events SELECT * FROM ${READ_EVENTS}`, { file: events });
    return performance.now() - start;
  }),
);
