// Returns true if `dist` was built from the sources as they are, to avoid needless builds.
import { existsSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const STAMP = join(root, "dist", ".built");
const INPUTS = [
  ...["src", "packages", "proto", "console", "scripts"],
  ...["buf.yaml", "buf.gen.yaml", "package.json", "package-lock.json"],
  ...["tsconfig.json", "tsconfig.build.json"],
];
/** Folders with generated code, with builds of workspaces, and with helpers of specs. */
const NO_INPUTS = ["gen", "dist", "testing"];

/** Notes that a build has succeeded. */
export function markBuilt() {
  writeFileSync(STAMP, "");
}

/** True if nothing that a build reads has changed since the last one. */
export function isBuilt() {
  if (!existsSync(STAMP)) return false;
  const built = statSync(STAMP).mtimeMs;
  return INPUTS.every((input) => newestChange(join(root, input)) <= built);
}

/** When a file changed last, or anything below a folder. Removing a file changes its folder. */
function newestChange(path) {
  const entry = statSync(path);
  const names = entry.isDirectory() ? readdirSync(path) : [];
  const inputs = names.filter((name) => !NO_INPUTS.includes(name));
  return Math.max(entry.mtimeMs, ...inputs.map((name) => newestChange(join(path, name))));
}
