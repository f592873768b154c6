// Checks the imports of `src` against the table in docs/architecture.md, and that the time of day comes from a `Clock`.
// Specs and their helpers are exempt from both.
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const ROW = /^\| `([\w-]+)` \| (.*) ?\|$/gm;
const IMPORT = /(?:from|import|import\(|new URL\()\s*"(\.{1,2}\/[^"]+\.js)"/g;

const table =
  readFileSync(join(root, "docs/architecture.md"), "utf8").split("## Direction of imports")[1] ?? "";
const rows = [...table.matchAll(ROW)].map(([, folder, cell]) => [folder, cell]);
const folders = new Set(rows.map(([folder]) => folder));
const allowed = new Map(
  rows.map(([folder, cell]) => {
    const named = [...cell.matchAll(/`([\w-]+)`/g)].map(([, name]) => name);
    const isAll = cell.startsWith("all");
    const others = isAll ? [...folders].filter((name) => !named.includes(name)) : named;
    return [folder, new Set([folder, "gen", ...others])];
  }),
);

/** Reads the time of the machine. */
const NOW = /\bDate\.now\b|\bnew Date\(\)/;
/** Where that is allowed: in the clock, and in programs of users. */
const MAY_READ_TIME = /^src.(?:model.clock\.ts$|client.|cli.|simulator.)/;

const problems = [];
for (const path of readdirSync(join(root, "src"), { recursive: true }).map((file) => join("src", file))) {
  const [, folder, ...rest] = path.split(sep);
  if (!path.endsWith(".ts") || folder === "gen" || rest.includes("testing") || path.endsWith(".spec.ts"))
    continue;
  const mayImport = allowed.get(folder);
  if (mayImport === undefined) {
    problems.push(`${path}: docs/architecture.md has no row for src/${folder}`);
    continue;
  }
  const source = readFileSync(join(root, path), "utf8");
  if (NOW.test(source) && !MAY_READ_TIME.test(path)) problems.push(`${path}: take the time from a Clock`);
  for (const [, specifier] of source.matchAll(IMPORT)) {
    const [top, imported] = relative(root, normalize(join(root, dirname(path), specifier))).split(sep);
    if (top === "src" && !mayImport.has(imported))
      problems.push(`${path}: src/${folder} may not import ${specifier}`);
  }
}
for (const problem of problems) console.error(problem);
if (problems.length > 0) process.exit(1);
