import { copyFile } from "node:fs/promises";
import { join } from "node:path";
import { appIds } from "../../dist/simulator/app-ids.js";
import type { QueryQuestion } from "../processes/duckdb-list.js";
import type { ListQuestion } from "../processes/list-client.js";
import { DATABASE, makeEntries } from "../support/delivery-data.js";
import { compare, type Measurement, timeLine } from "../support/measurement.js";
import { Process } from "../support/process.js";
import type { Row } from "../support/row.js";
import { dataDirectory, PROJECT, startWaybill } from "../support/waybill-server.js";

const PAGE_SIZE = 1_000;
const CONCURRENCIES = [1, 16];

/** `list`, every request another app, so that nothing is cached, against the same query on DuckDB's client. */
export const uncachedListRow: Row = {
  name: "uncached-list",
  measure: async ({ runs, appsPerRun }, directory) => {
    // The first run of each concurrency warms up and does not count.
    const apps = appIds(CONCURRENCIES.length * (runs + 1) * appsPerRun);
    await makeEntries(directory, apps, PAGE_SIZE);
    const copy = join(directory, "copy.duckdb");
    await copyFile(join(dataDirectory(directory), DATABASE), copy);
    const server = await startWaybill(directory);
    const client = new Process<ListQuestion, number>("list-client");
    const engine = new Process<QueryQuestion, number>("duckdb-list", copy);
    const urlOf = (app: string): string =>
      `${server.messagingDataUrl}/v1beta1/projects/${PROJECT}/androidApps/${app}/deliveryData?pageSize=${PAGE_SIZE}`;
    try {
      const lines: Measurement[] = [];
      for (const concurrency of CONCURRENCIES) {
        const nextApps = (): string[] => apps.splice(0, appsPerRun);
        const list = (appsOfRun: readonly string[]): Promise<number> =>
          client.ask({ urls: appsOfRun.map(urlOf), token: server.token, concurrency });
        const query = (appsOfRun: readonly string[]): Promise<number> =>
          engine.ask({ project: PROJECT, appIds: appsOfRun, pageSize: PAGE_SIZE, concurrency });
        const warmUp = nextApps();
        await list(warmUp);
        await query(warmUp);
        const appsOfRuns = Array.from({ length: runs }, nextApps);
        const comparison = await compare(
          runs,
          (run) => list(appsOfRuns[run] ?? []),
          (run) => query(appsOfRuns[run] ?? []),
        );
        lines.push(
          timeLine(`list, 1,000 entries, each of another app, ${concurrency} at a time`, comparison, 2),
        );
      }
      return lines;
    } finally {
      await client.stop();
      await engine.stop();
      await server.stop();
    }
  },
};
