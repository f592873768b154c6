import { execFile } from "node:child_process";
import { createReadStream } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";
import { at } from "#dist/model/collections.js";
import type { Place } from "#dist/store/clickhouse/tables.js";
import { BlockRows } from "#dist/store/clickhouse/write/block-rows.js";
import { insertStates } from "#dist/store/clickhouse/write/state-values.js";
import {
  ADMIN,
  CLICKHOUSE,
  CLUSTER,
  type Cluster,
  clientArgs,
  MESSAGING_DATA,
  openStore,
  runAt,
  tokenOf,
} from "../../support/cluster.js";
import { DAY, parsed } from "../../support/data/day-store.js";
import { writeEventFile } from "../../support/data/event-file.js";
import { timeOfImport } from "../../support/data/import-file.js";
import { compare, type Measurement, throughputLine } from "../../support/measurement.js";
import { rolledUp } from "../../support/metrics.js";
import { progress } from "../../support/progress.js";
import type { Scale } from "../../support/row.js";
import { PROJECT } from "../../support/waybill-server.js";

/** Number of senders to each process, similar to `waybill import`. */
const SENDERS = 2;
/** Number of rows of the reference that are written at a time. */
const ROWS_AN_INSERT = 100_000;
/** Pairs of runs, each nearly a minute long. */
const PAIRS = 3;
/** A second set of tables, for the reference. */
const REFERENCE: Place = { database: "reference", cluster: CLUSTER };
const [ENGINE = ""] = CLICKHOUSE;

/** Import through two processes, compared with the same rows as TSV, inserted by the engine's client. */
export async function measureImport(
  { runs, clusterEvents: count }: Scale,
  cluster: Cluster,
): Promise<Measurement[]> {
  const [events, rows] = [join(cluster.directory, "events.ndjson"), join(cluster.directory, "rows.tsv")];
  await writeEventFile(events, count, 1);
  await (await openStore(cluster, CLICKHOUSE, REFERENCE)).close();
  progress("  writing their rows as TSV");
  await writeRows(cluster, events, rows);
  const token = await tokenOf(cluster);
  const servers = MESSAGING_DATA.flatMap((url) => Array<string>(SENDERS).fill(url));
  const parts = await splitFile(events, servers.length);
  const importAll = async (): Promise<void> => {
    const imports = servers.map((messagingDataUrl, sender) =>
      timeOfImport({ messagingDataUrl, token }, at(parts, sender)),
    );
    await Promise.all(imports);
  };
  const comparison = await compare(
    Math.min(runs, PAIRS),
    async () => {
      const speed = await rowsPerSecond(count, importAll);
      await Promise.all(ADMIN.map((adminUrl) => rolledUp({ adminUrl })));
      await dropRows(cluster, "waybill");
      return speed;
    },
    async () => {
      const speed = await rowsPerSecond(count, () => insertByClient(cluster, rows));
      await dropRows(cluster, REFERENCE.database);
      return speed;
    },
  );
  const what = `import of ${count.toLocaleString("en-US")} events through 2 processes`;
  return [throughputLine(what, comparison, 0.6, "rows/s")];
}

async function rowsPerSecond(rows: number, work: () => Promise<void>): Promise<number> {
  const start = performance.now();
  await work();
  return (1000 * rows) / (performance.now() - start);
}

/** Inserts rows with the same quorum as Waybill. */
async function insertByClient(cluster: Cluster, rows: string): Promise<void> {
  const query = `INSERT INTO ${REFERENCE.database}.all_message_states FORMAT TabSeparated`;
  const settings = ["--insert_distributed_sync=1", "--insert_quorum=2", "--insert_quorum_timeout=60000"];
  const args = [...clientArgs(cluster), ...settings, `--query=${query}`];
  // The shell connects the file to the client's input.
  await promisify(execFile)("bash", ["-c", 'exec clickhouse-client "$@" < "$0"', rows, ...args]);
}

/** Removes the day's rows. The engine would not store the same blocks again. */
async function dropRows(cluster: Cluster, database: string): Promise<void> {
  const table = `${database}.message_states ON CLUSTER ${CLUSTER}`;
  await runAt(ENGINE, cluster, `ALTER TABLE ${table} DROP PARTITION (${PROJECT}, ${DAY})`);
}

/** Writes each event as a TSV row, without merging events of the same message. */
async function writeRows(cluster: Cluster, events: string, file: string): Promise<void> {
  await runAt(
    ENGINE,
    cluster,
    `CREATE TABLE default.rows AS ${REFERENCE.database}.message_states ENGINE = Log`,
  );
  const statement = insertStates({ database: "default" }).replace("message_states", "rows").trimEnd();
  const rows = new BlockRows();
  const insert = async (): Promise<void> => {
    await runAt(ENGINE, cluster, Buffer.concat([Buffer.from(`${statement} FORMAT RowBinary\n`), rows.bytes]));
    rows.reuse();
  };
  let count = 0;
  for await (const line of createInterface(createReadStream(events))) {
    await rows.add(PROJECT, [parsed(Buffer.from(line))], new Set([DAY]));
    if (++count % ROWS_AN_INSERT === 0) await insert();
  }
  await insert();
  await writeFile(file, await runAt(ENGINE, cluster, "SELECT * FROM default.rows FORMAT TabSeparated"));
  await runAt(ENGINE, cluster, "DROP TABLE default.rows");
}

/** Divides a file between lines into several files of about the same size. Returns their paths. */
async function splitFile(path: string, count: number): Promise<readonly string[]> {
  const bytes = await readFile(path);
  const paths: string[] = [];
  for (let start = 0; paths.length < count; ) {
    const share = Math.floor((bytes.length * (paths.length + 1)) / count);
    const end = bytes.indexOf("\n", share - 1) + 1;
    const part = `${path}.${paths.length}`;
    await writeFile(part, bytes.subarray(start, end));
    paths.push(part);
    start = end;
  }
  return paths;
}
