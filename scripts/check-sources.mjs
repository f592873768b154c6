// Checks the imports of `src` and `console/src` against the tables in docs/develop/architecture.md, that the client
// imports only its own files, that the console folders have no import cycles, and that code reads the time from a
// `Clock`. Specs and their helpers are exempt.
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const ROW = /^\| `([@\w/-]+)` \| (.*) ?\|$/gm;
const IMPORT = /(?:from|import|import\(|new URL\()\s*"(\.{1,2}\/[^"]+|@waybill\/[^"]+|#[^"]+)"/g;
/** The client, which is a package of its own, and the part of it that needs nothing else. */
const CLIENT = join("packages", "client", "src");
const SUPPORT = "@waybill/client/support";

const [, directions = ""] = readFileSync(join(root, "docs/develop/architecture.md"), "utf8").split(
  "## Direction of imports",
);
const [serverTable = "", consoleTable = ""] = directions.split("| Folder of the console |");

/** The folders that each folder of a table may import, by folder. */
function allowedBy(table) {
  const rows = [...table.matchAll(ROW)].map(([, folder, cell]) => [folder, cell]);
  return new Map(
    rows.map(([folder, cell]) => {
      const named = [...cell.matchAll(/`([@\w/.-]+)`/g)].map(([, name]) => name);
      const others = cell.startsWith("all")
        ? rows.map(([name]) => name).filter((name) => !named.includes(name))
        : named;
      return [folder, new Set([folder, ...others])];
    }),
  );
}

/** The subpath imports of package.json: their beginnings, with the folders that these stand for. */
const SUBPATHS = Object.entries(JSON.parse(readFileSync(join(root, "package.json"), "utf8")).imports).map(
  ([name, folder]) => [name.replace("*", ""), normalize(folder.replace("*", ""))],
);

/** Returns where an imported file is; packages keep their name. */
function pathOf(specifier, importer) {
  if (specifier.startsWith(".")) return normalize(join(dirname(importer), specifier));
  const [name, folder] = SUBPATHS.find(([beginning]) => specifier.startsWith(beginning)) ?? ["", ""];
  return folder + specifier.slice(name.length);
}

/** Every source file below a folder, with the paths that it imports; paths are relative to the repository. */
function sourcesBelow(folder) {
  return readdirSync(join(root, folder), { recursive: true })
    .map((file) => join(folder, file))
    .filter((path) => /\.tsx?$/.test(path) && !path.endsWith(".spec.ts"))
    .map((path) => {
      const text = readFileSync(join(root, path), "utf8");
      const code = text.replace(/^ *(?:\*|\/\/).*$/gm, "");
      const imports = [...code.matchAll(IMPORT)].map(([, specifier]) => ({
        specifier,
        path: pathOf(specifier, path),
      }));
      return { path, text, imports };
    });
}

/** Returns the first import cycle of folders, as a path that ends where it begins. */
function circleIn(imports) {
  const done = new Set();
  const visit = (folder, way) => {
    if (way.includes(folder)) return [...way.slice(way.indexOf(folder)), folder];
    if (done.has(folder)) return undefined;
    for (const next of imports.get(folder) ?? []) {
      const circle = visit(next, [...way, folder]);
      if (circle !== undefined) return circle;
    }
    done.add(folder);
    return undefined;
  };
  for (const folder of imports.keys()) {
    const circle = visit(folder, []);
    if (circle !== undefined) return circle;
  }
  return undefined;
}

/** Reads the machine's time. */
const NOW = /\bDate\.now\b|\bnew Date\(\)/;
/** Files that may do so: the clock, and programs for users. */
const MAY_READ_TIME = /^src.(?:model.clock\.ts$|cli.|simulator.)/;

const problems = [];

const allowedInServer = allowedBy(serverTable);
for (const { path, text, imports } of sourcesBelow("src")) {
  const [, folder, ...rest] = path.split(sep);
  if (folder === "gen" || rest.includes("testing")) continue;
  const mayImport = allowedInServer.get(folder);
  if (mayImport === undefined) {
    problems.push(`${path}: docs/develop/architecture.md has no row for src/${folder}`);
    continue;
  }
  if (NOW.test(text) && !MAY_READ_TIME.test(path)) problems.push(`${path}: use a Clock`);
  for (const { specifier, path: imported } of imports) {
    const [top, name] = imported.split(sep);
    if (top === "@waybill" && specifier !== SUPPORT && !mayImport.has("@waybill/client"))
      problems.push(`${path}: src/${folder} may import only ${SUPPORT}`);
    if (top === "src" && specifier.endsWith(".js") && name !== "gen" && !mayImport.has(name))
      problems.push(`${path}: src/${folder} may not import ${specifier}`);
  }
}

for (const { path, imports } of sourcesBelow(CLIENT)) {
  const isInside = ({ path: imported }) =>
    imported.startsWith(path.startsWith(join(CLIENT, "support")) ? join(CLIENT, "support") : CLIENT);
  for (const { specifier } of imports.filter((imported) => !isInside(imported)))
    problems.push(`${path}: the client may not import ${specifier}`);
}

const PAGE = join("console", "src");
const allowedInConsole = allowedBy(consoleTable);
const importsOfFolders = new Map();
for (const { path, imports } of sourcesBelow(PAGE)) {
  const [floor, ...rest] = relative(PAGE, path).split(sep);
  // The page's entry file may import all folders.
  if (rest.length === 0) continue;
  const mayImport = allowedInConsole.get(floor);
  if (mayImport === undefined) {
    problems.push(`${path}: docs/develop/architecture.md has no row for ${floor}`);
    continue;
  }
  for (const { specifier, path: imported } of imports) {
    const isOfPage = !relative(PAGE, imported).startsWith("..");
    const [name] = relative(PAGE, imported).split(sep);
    const target = isOfPage ? name : imported.split("/").slice(0, 2).join("/");
    if (!mayImport.has(target)) problems.push(`${path}: ${floor} may not import ${specifier}`);
    const [from, to] = [dirname(path), dirname(imported)];
    if (isOfPage && from !== to)
      importsOfFolders.set(from, (importsOfFolders.get(from) ?? new Set()).add(to));
  }
}
const circle = circleIn(importsOfFolders);
if (circle !== undefined) problems.push(`folders import each other: ${circle.join(" → ")}`);

for (const problem of problems) console.error(problem);
if (problems.length > 0) process.exit(1);
