// Tells whether `dist` was built from the sources as they are, so that a build is not repeated for nothing.
import { existsSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join, sep } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const STAMP = join(root, "dist", ".built");
const INPUTS = ["src", "proto", "console", "scripts", "buf.gen.yaml", "package-lock.json", "tsconfig.json"];

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

function newestChange(path) {
  const own = statSync(path);
  if (!own.isDirectory()) return own.mtimeMs;
  const times = readdirSync(path, { recursive: true })
    // Generated code is an output.
    .filter((name) => !name.split(sep).includes("gen"))
    .map((name) => statSync(join(path, name)))
    .filter((file) => file.isFile())
    .map(({ mtimeMs }) => mtimeMs);
  return Math.max(...times);
}
