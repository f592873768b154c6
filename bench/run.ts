import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { parseArgs } from "node:util";
import { attestationRow } from "./rows/attestation.js";
import { busyDayRow } from "./rows/busy-day.js";
import { CLUSTER_ROWS } from "./rows/cluster.js";
import { consoleRow } from "./rows/console.js";
import { dayRow } from "./rows/day.js";
import { getRow } from "./rows/get.js";
import { grpcListRow } from "./rows/grpc-list.js";
import { HOSTILE_ROWS } from "./rows/hostile/hostile-rows.js";
import { hugeDayRow } from "./rows/huge-day.js";
import { importRow } from "./rows/import.js";
import { incidentsRow } from "./rows/incidents.js";
import { lateEventsRow } from "./rows/late-events.js";
import { listRow } from "./rows/list.js";
import { memoryRow } from "./rows/memory.js";
import { mirrorRow } from "./rows/mirror.js";
import { registryRow } from "./rows/registry.js";
import { retentionRow } from "./rows/retention.js";
import { rollupRow } from "./rows/rollup.js";
import { shapedListRow } from "./rows/shaped-list.js";
import { startRow } from "./rows/start.js";
import { telemetryRow } from "./rows/telemetry.js";
import { uncachedListRow } from "./rows/uncached-list.js";
import { uncachedSumsRow } from "./rows/uncached-sums.js";
import { progress } from "./support/progress.js";
import { FULL, type Program, QUICK, type Row } from "./support/row.js";
import { tableHead, tableLine } from "./support/table.js";

const ROWS = [
  getRow,
  listRow,
  uncachedListRow,
  uncachedSumsRow,
  shapedListRow,
  grpcListRow,
  importRow,
  dayRow,
  rollupRow,
  lateEventsRow,
  busyDayRow,
  retentionRow,
  memoryRow,
  startRow,
  incidentsRow,
  mirrorRow,
  consoleRow,
  registryRow,
  attestationRow,
  telemetryRow,
];
/** Returns true if a name selects a row: the row's own name, or its part before a colon. */
const isAskedBy =
  (asked: string) =>
  ({ name }: Row): boolean =>
    name === asked || name.startsWith(`${asked}:`);

const { values, positionals } = parseArgs({
  options: { quick: { type: "boolean", default: false } },
  allowPositionals: true,
});
const named = [...ROWS, hugeDayRow, ...CLUSTER_ROWS, ...HOSTILE_ROWS];
const unknown = positionals.find((asked) => !named.some(isAskedBy(asked)));
if (unknown !== undefined) {
  const names = named.map(({ name }) => name);
  console.error(`There is no row "${unknown}". There are: ${names.join(", ")}.`);
  process.exit(1);
}

const directory = mkdtempSync(join(tmpdir(), "waybill-bench-"));
// PostgreSQL does not run as root. Its user must be able to enter this directory.
chmodSync(directory, 0o711);
process.on("exit", () => rmSync(directory, { recursive: true, force: true }));
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(1));

const chosen =
  positionals.length === 0 ? ROWS : named.filter((row) => positionals.some((asked) => isAskedBy(asked)(row)));
const [missing, measurable] = [true, false].map((isMissing) =>
  chosen.filter(({ needs }) => (needs !== undefined && !isInstalled(needs)) === isMissing),
) as [Row[], Row[]];
for (const { name, needs } of missing) {
  progress(`skipped: ${name}, because ${needs?.command} is not installed; ${needs?.install}`);
}
console.log(tableHead());
for (const row of measurable) {
  progress(row.name);
  const own = join(directory, row.name);
  mkdirSync(own);
  for (const measurement of await row.measure(values.quick ? QUICK : FULL, own)) {
    console.log(tableLine(measurement));
  }
  rmSync(own, { recursive: true });
}

/** Returns true if a program is on the `PATH` or in one of its places. */
function isInstalled({ command, places = [] }: Program): boolean {
  if (places.some((place) => existsSync(place))) return true;
  return (process.env.PATH ?? "").split(delimiter).some((folder) => existsSync(join(folder, command)));
}
