import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { getRow } from "./rows/get.js";
import { grpcListRow } from "./rows/grpc-list.js";
import { HOSTILE_ROWS } from "./rows/hostile/hostile-rows.js";
import { importRow } from "./rows/import.js";
import { listRow } from "./rows/list.js";
import { memoryRow } from "./rows/memory.js";
import { rollupRow } from "./rows/rollup.js";
import { uncachedListRow } from "./rows/uncached-list.js";
import { uncachedSumsRow } from "./rows/uncached-sums.js";
import { type Measurement, summary } from "./support/measurement.js";
import { progress } from "./support/progress.js";
import { FULL, QUICK, type Row } from "./support/row.js";
import { table } from "./support/table.js";

const ROWS = [
  getRow,
  listRow,
  uncachedListRow,
  uncachedSumsRow,
  grpcListRow,
  importRow,
  rollupRow,
  memoryRow,
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
const named = [...ROWS, ...HOSTILE_ROWS];
const unknown = positionals.find((asked) => !named.some(isAskedBy(asked)));
if (unknown !== undefined) {
  const names = named.map(({ name }) => name);
  console.error(`There is no row "${unknown}". There are: ${names.join(", ")}.`);
  process.exit(1);
}

const directory = mkdtempSync(join(tmpdir(), "waybill-bench-"));
process.on("exit", () => rmSync(directory, { recursive: true, force: true }));
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(1));

const measurements: Measurement[] = [];
const chosen =
  positionals.length === 0 ? ROWS : named.filter((row) => positionals.some((asked) => isAskedBy(asked)(row)));
for (const row of chosen) {
  progress(row.name);
  const own = join(directory, row.name);
  mkdirSync(own);
  const lines = await row.measure(values.quick ? QUICK : FULL, own);
  for (const line of lines) progress(`  ${summary(line)}`);
  measurements.push(...lines);
  rmSync(own, { recursive: true });
}
console.log(table(measurements));
