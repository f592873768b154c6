import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { getRow } from "./rows/get.js";
import { grpcListRow } from "./rows/grpc-list.js";
import { importRow } from "./rows/import.js";
import { listRow } from "./rows/list.js";
import { memoryRow } from "./rows/memory.js";
import { rollupRow } from "./rows/rollup.js";
import { uncachedListRow } from "./rows/uncached-list.js";
import { uncachedSumsRow } from "./rows/uncached-sums.js";
import type { Measurement } from "./support/measurement.js";
import { progress } from "./support/progress.js";
import { FULL, QUICK } from "./support/row.js";
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
const NAMES = ROWS.map(({ name }) => name);

const { values, positionals } = parseArgs({
  options: { quick: { type: "boolean", default: false } },
  allowPositionals: true,
});
const unknown = positionals.find((name) => !NAMES.includes(name));
if (unknown !== undefined) {
  console.error(`There is no row "${unknown}". There are: ${NAMES.join(", ")}.`);
  process.exit(1);
}

const directory = mkdtempSync(join(tmpdir(), "waybill-bench-"));
process.on("exit", () => rmSync(directory, { recursive: true, force: true }));
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(1));

const measurements: Measurement[] = [];
for (const row of ROWS.filter(({ name }) => positionals.length === 0 || positionals.includes(name))) {
  progress(row.name);
  const own = join(directory, row.name);
  mkdirSync(own);
  measurements.push(...(await row.measure(values.quick ? QUICK : FULL, own)));
  rmSync(own, { recursive: true });
}
console.log(table(measurements));
