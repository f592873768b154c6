// Installs the current ClickHouse in one process, the npm package chdb, into a cache outside of the repository if it is missing.
// It has half a gigabyte: only tests use it.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const VERSION = "3.4.0";

const cache = join(process.env.XDG_CACHE_HOME || join(homedir(), ".cache"), "waybill", `chdb-${VERSION}`);

/** Folder of the package. */
export const CHDB_PACKAGE = join(cache, "node_modules", "chdb");

if (process.argv[1] === fileURLToPath(import.meta.url) && !existsSync(join(CHDB_PACKAGE, "package.json"))) {
  mkdirSync(cache, { recursive: true });
  writeFileSync(join(cache, "package.json"), JSON.stringify({ private: true }));
  const install = [
    "install",
    "--no-audit",
    "--no-fund",
    "--ignore-scripts",
    "--save-exact",
    `chdb@${VERSION}`,
  ];
  const { status } = spawnSync("npm", install, { cwd: cache, stdio: ["ignore", 2, 2] });
  process.exit(status ?? 1);
}
