// Puts each mutant of table.mjs into a copy of the sources and runs specs that must fail with it. Arguments choose
// mutants by parts of their file names. Ends with code 1 if any survives, or if the specs fail without a mutant.
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { compileAssembly } from "../compile-assembly.mjs";
import { MUTANTS, specsOf } from "./table.mjs";

const root = fileURLToPath(new URL("../..", import.meta.url));
/** The sources, and files outside them that specs read. */
const COPIED = [
  "bench",
  "src",
  "test/cluster",
  "test/fixtures",
  "test/support",
  "package.json",
  "tsconfig.json",
  "vitest.config.ts",
];
/** A mutant may make a spec wait for ever, which counts as caught. The limit also suits a busy machine. */
const TIMEOUT_MS = 300_000;

const vitest = join(root, "node_modules/.bin/vitest");
const copy = mkdtempSync(join(tmpdir(), "waybill-mutants-"));
for (const path of COPIED) cpSync(join(root, path), join(copy, path), { recursive: true });
symlinkSync(join(root, "node_modules"), join(copy, "node_modules"));
/** The process group of the mutant's specs. */
let running;
process.once("exit", () => {
  endRunning();
  rmSync(copy, { recursive: true });
});
for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => process.exit(1));

const filters = process.argv.slice(2);
const chosen = MUTANTS.filter(
  ([file]) => filters.length === 0 || filters.some((part) => file.includes(part)),
);
const allSpecs = new Set(chosen.map(specsOf));
const unmutated = spawnSync(vitest, ["run", "--bail=1", ...allSpecs], { cwd: copy, stdio: "inherit" });
if (unmutated.status !== 0) throw new Error("a spec fails without a mutant");
const survivors = [];
for (const [index, mutant] of chosen.entries()) {
  const [file, code, wrong] = mutant;
  const path = join(copy, "src", file);
  const source = readFileSync(path, "utf8");
  if (source.split(code).length !== 2) throw new Error(`${file} does not have exactly once: ${code}`);
  writeFileSync(
    path,
    source.replace(code, () => wrong),
  );
  if (file.includes("/assembly/")) await compileAssembly(join(copy, "src"));
  const caught = !(await passes(specsOf(mutant)));
  writeFileSync(path, source);
  if (file.includes("/assembly/")) await compileAssembly(join(copy, "src"));
  const line = `${file}: ${code.trim()} → ${wrong.trim() || "(removed)"}`;
  console.log(`${index + 1}/${chosen.length} ${caught ? "caught" : "SURVIVED"} ${line}`);
  if (!caught) survivors.push(line);
}
console.log(`${chosen.length - survivors.length} caught, ${survivors.length} survived`);
if (survivors.length > 0) process.exitCode = 1;

async function passes(specs) {
  const args = ["run", "--bail=1", "--testTimeout=120000", specs];
  const child = spawn(vitest, args, { cwd: copy, stdio: "ignore", detached: true });
  running = child.pid;
  const timer = setTimeout(endRunning, TIMEOUT_MS);
  const [code] = await once(child, "exit");
  clearTimeout(timer);
  running = undefined;
  return code === 0;
}

/** Also ends workers of Vitest that are in an endless loop. They would ignore the end of Vitest. */
function endRunning() {
  if (running !== undefined) process.kill(-running, "SIGKILL");
}
