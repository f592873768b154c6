import { copyFile } from "node:fs/promises";
import { join } from "node:path";
import type { DuckDBValue } from "@duckdb/node-api";
import { appIds } from "#dist/simulator/simulate-traffic.js";
import type { QueryQuestion } from "../../processes/duckdb-query.js";
import type { ListQuestion } from "../../processes/list-client.js";
import { DATABASE, makeEntries } from "../data/delivery-data.js";
import { compare, type Measurement, timeLine } from "../measurement.js";
import { Process } from "../process.js";
import { untilIdle } from "../processor-time.js";
import type { Scale } from "../row.js";
import { dataDirectory, PROJECT, startWaybill } from "../waybill-server.js";

/** Condition that selects the app `$name`. The server looks up the app's number in memory instead. */
export const ONE_APP = "app = (SELECT id FROM apps WHERE project = $project AND name = $name)";

/** Uncached reads, each of a different app, and the SQL statement that reads the same data. */
export interface UncachedRead {
  readonly what: string;
  readonly concurrency: number;
  /** The path after the app, with the query. */
  readonly request: string;
  readonly sql: string;
  readonly parametersOf: (appId: string) => Readonly<Record<string, DuckDBValue>>;
  /** Number of rows that the statement reads for an app. */
  readonly rows: number;
  /** Maximum duration as a multiple of the statement's. */
  readonly most: number;
}

/** Measures reads over HTTP, compared with the statement in DuckDB's client for Node.js on a copy of the same file. */
export async function measureUncachedReads(
  { runs, appsPerRun }: Scale,
  directory: string,
  entriesPerApp: number,
  reads: readonly UncachedRead[],
): Promise<Measurement[]> {
  // The first run of each read is a warm-up and does not count.
  const apps = appIds(reads.length * (runs + 1) * appsPerRun);
  await makeEntries(directory, apps, entriesPerApp);
  const copy = join(directory, "copy.duckdb");
  await copyFile(join(dataDirectory(directory), DATABASE), copy);
  const server = await startWaybill(directory);
  // The server looks for incidents in the entries of all apps.
  await untilIdle(server.pid);
  const client = new Process<ListQuestion, number>("list-client");
  const engine = new Process<QueryQuestion, number>("duckdb-query", copy);
  try {
    const lines: Measurement[] = [];
    for (const { what, concurrency, request, sql, parametersOf, rows, most } of reads) {
      const urlOf = (app: string): string =>
        `${server.messagingDataUrl}/v1beta1/projects/${PROJECT}/androidApps/${app}/${request}`;
      const ask = (some: readonly string[]): Promise<number> =>
        client.ask({ urls: some.map(urlOf), token: server.token, concurrency });
      const query = (some: readonly string[]): Promise<number> =>
        engine.ask({ sql, parameters: some.map(parametersOf), rows, concurrency });
      const nextApps = (): string[] => apps.splice(0, appsPerRun);
      const warmUp = nextApps();
      await ask(warmUp);
      await query(warmUp);
      const appsOfRuns = Array.from({ length: runs }, nextApps);
      const comparison = await compare(
        runs,
        (run) => ask(appsOfRuns[run] ?? []),
        (run) => query(appsOfRuns[run] ?? []),
      );
      lines.push(timeLine(what, comparison, most));
    }
    return lines;
  } finally {
    await client.stop();
    await engine.stop();
    await server.stop();
  }
}
