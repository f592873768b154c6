import { spawn } from "node:child_process";
import { once } from "node:events";
import { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { WaybillClient } from "@waybill/client";
import { appIds } from "#dist/simulator/simulate-traffic.js";
import { COUNT_COLUMNS, selectionWords } from "#dist/store/clickhouse/read/entry-statement.js";
import { sqlTemplate, tableIn } from "#dist/store/clickhouse/tables.js";
import type { ListQuestion } from "../../processes/list-client.js";
import {
  CLICKHOUSE,
  CLUSTER,
  type Cluster,
  clientArgs,
  MESSAGING_DATA,
  runAt,
  tokenOf,
} from "../../support/cluster.js";
import { acceptedListed } from "../../support/data/listed.js";
import { compare, type Measurement, timeLine } from "../../support/measurement.js";
import { Process } from "../../support/process.js";
import { progress } from "../../support/progress.js";
import type { Scale } from "../../support/row.js";
import { PROJECT } from "../../support/waybill-server.js";

const DAYS = 20;
const LABELS = 50;
const PAGE_SIZE = DAYS * LABELS;
const FIRST_TIME = Date.parse("2025-03-03T20:00:00Z");
const DAY_MS = 86_400_000;
const [SERVER = ""] = MESSAGING_DATA;
const [ENGINE = ""] = CLICKHOUSE;

/**
 * `list` with requests for different apps, so that none is cached, compared with the same query in the engine's client.
 */
export async function measureList({ runs }: Scale, cluster: Cluster): Promise<Measurement[]> {
  const apps = appIds((runs + 1) * APPS_PER_RUN);
  const token = await tokenOf(cluster);
  progress(`  importing ${apps.length * PAGE_SIZE} entries`);
  const client = new WaybillClient({ messagingDataUrl: SERVER, token });
  await client.importEvents({ project: PROJECT, events: Readable.from(eventsOf(apps)) });
  await acceptedListed({ messagingDataUrl: SERVER, token }, (listed) => listed === apps.length * PAGE_SIZE);
  const published = await publishedDays(cluster);
  const place = { database: "waybill", cluster: CLUSTER };
  const statementOf = (appId: string): string =>
    sqlTemplate(
      "read/entries.sql",
      place,
    )({
      ...selectionWords({ project: PROJECT, until: 0x7fff_ffff, appId }, published),
      ...{ COLUMNS: COUNT_COLUMNS, AFTER: "1", ORDER: "day DESC, label", LIMIT: String(PAGE_SIZE + 1) },
    });
  const pages = new Process<ListQuestion, number>("list-client");
  const urlOf = (app: string): string =>
    `${SERVER}/v1beta1/projects/${PROJECT}/androidApps/${app}/deliveryData?pageSize=${PAGE_SIZE}`;
  const ask = (some: readonly string[]): Promise<number> =>
    pages.ask({ urls: some.map(urlOf), token, concurrency: 1 });
  const query = (some: readonly string[]): Promise<number> =>
    meanTimeByClient(cluster, some.map(statementOf));
  try {
    const appsOf = (run: number): string[] => apps.slice(run * APPS_PER_RUN, (run + 1) * APPS_PER_RUN);
    // The last run is a warm-up.
    await ask(appsOf(runs));
    await query(appsOf(runs));
    const times = await compare(
      runs,
      (run) => ask(appsOf(run)),
      (run) => query(appsOf(run)),
    );
    return [timeLine("list, 1,000 entries, each of another app, 1 at a time", times, 2)];
  } finally {
    await pages.stop();
  }
}

const APPS_PER_RUN = 30;

/** One accepted message for each entry. */
function* eventsOf(apps: readonly string[]): Generator<Buffer> {
  for (const appId of apps) {
    const lines: string[] = [];
    for (let day = 0; day < DAYS; day++) {
      const eventTime = new Date(FIRST_TIME + day * DAY_MS).toISOString();
      for (let label = 0; label < LABELS; label++) {
        const event = { appId, messageId: `${day}-${label}`, eventTime, eventType: "ACCEPTED" };
        lines.push(
          `${JSON.stringify({ ...event, analyticsLabel: `label-${label}`, usageReportingOptIn: true })}\n`,
        );
      }
    }
    yield Buffer.from(lines.join(""));
  }
}

async function publishedDays(cluster: Cluster): Promise<{ day: number; version: number }[]> {
  const statement = `SELECT day, max(version) FROM ${tableIn({ database: "waybill", cluster: CLUSTER }, "entries")} GROUP BY day ORDER BY day DESC`;
  const rows = (await runAt(ENGINE, cluster, statement)).toString().trim().split("\n");
  return rows.map((row) => {
    const [day, version] = row.split("\t").map(Number);
    return { day: day ?? 0, version: version ?? 0 };
  });
}

/** Runs queries in one session of the engine's client; returns the mean duration in milliseconds. */
async function meanTimeByClient(cluster: Cluster, statements: readonly string[]): Promise<number> {
  const client = spawn("clickhouse-client", [...clientArgs(cluster), "--multiquery", "--time"], {
    stdio: ["pipe", "ignore", "pipe"],
  });
  client.stdin.end(statements.map((statement) => `${statement.replaceAll(/--.*$/gm, "")};\n`).join(""));
  const [times] = await Promise.all([text(client.stderr), once(client, "exit")]);
  const seconds = times.trim().split("\n").map(Number);
  const sum = seconds.reduce((total, each) => total + each, 0);
  if (seconds.length !== statements.length || Number.isNaN(sum))
    throw new Error(`clickhouse-client: ${times}`);
  return (1000 * sum) / seconds.length;
}
