// Notes when the server and the docs site were built, so that a build without changes is skipped.
import { existsSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
/** The inputs of each build, by its output folder. */
const INPUTS = {
  dist: [
    ...["src", "packages", "proto", "proto-test", "console", "scripts"],
    ...["buf.yaml", "buf.gen.yaml", "buf.gen.test.yaml", "package.json", "package-lock.json"],
    ...["tsconfig.json", "tsconfig.build.json"],
  ],
  "docs-dist": [
    ...["docs", "examples", "proto", "src/descriptions", "scripts"],
    ...["CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md", "package-lock.json"],
  ],
};
const stampOf = (folder) => join(root, folder, ".built");
/** Folders with generated code, with builds of workspaces, and with helpers of specs. */
const NO_INPUTS = ["gen", "dist", "testing"];

/** Notes that a build has succeeded. */
export function markBuilt(folder) {
  writeFileSync(stampOf(folder), "");
}

/** True if nothing that a build reads has changed since the last one. */
export function isBuilt(folder) {
  if (!existsSync(stampOf(folder))) return false;
  const built = statSync(stampOf(folder)).mtimeMs;
  return INPUTS[folder].every((input) => newestChange(join(root, input)) <= built);
}

/** When a file changed last, or anything below a folder. Removing a file changes its folder. */
function newestChange(path) {
  const entry = statSync(path);
  const names = entry.isDirectory() ? readdirSync(path) : [];
  const inputs = names.filter((name) => !NO_INPUTS.includes(name));
  return Math.max(entry.mtimeMs, ...inputs.map((name) => newestChange(join(path, name))));
}
