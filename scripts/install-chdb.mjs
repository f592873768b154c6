// Installs chdb, the npm package that runs current ClickHouse inside a process, into the cache unless it is there. It has half a
// gigabyte: only tests use it.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { CHDB_CACHE, CHDB_PACKAGE, CHDB_VERSION } from "../test/support/cluster/chdb-package.mjs";

if (!existsSync(join(CHDB_PACKAGE, "package.json"))) {
  mkdirSync(CHDB_CACHE, { recursive: true });
  writeFileSync(join(CHDB_CACHE, "package.json"), JSON.stringify({ private: true }));
  const install = ["install", "--no-audit", "--no-fund", "--ignore-scripts", "--save-exact"];
  const { status } = spawnSync("npm", [...install, `chdb@${CHDB_VERSION}`], {
    cwd: CHDB_CACHE,
    stdio: ["ignore", 2, 2],
  });
  process.exit(status ?? 1);
}
