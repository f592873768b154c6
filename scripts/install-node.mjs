// Installs versions of Node.js from npm into the cache unless they are there: install-node.mjs 24
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { nodeIn } from "../test/support/cluster/chdb-package.mjs";

for (const version of process.argv.slice(2)) {
  const program = nodeIn(version);
  if (existsSync(program)) continue;
  const folder = join(program, "..", "..", "..");
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true }));
  const install = ["install", "--no-audit", "--no-fund", `node@${version}`];
  const { status } = spawnSync("npm", install, { cwd: folder, stdio: ["ignore", 2, 2] });
  if (status !== 0) process.exit(status ?? 1);
}
