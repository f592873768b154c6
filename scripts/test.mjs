// Builds unless nothing has changed, installs the clients and programs that only tests need, runs all tests, and ends with
// the line "N passed, N failed".
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { isBuilt } from "./build-stamp.mjs";

/** Debian packages with clients and servers that npm does not have. */
const DEBIAN_PACKAGES = [
  "chromium",
  "clickhouse-server",
  "curl",
  "haproxy",
  "postgresql",
  "python3-googleapi",
  "zookeeper",
];

const root = fileURLToPath(new URL("..", import.meta.url));

function run(command, ...args) {
  const { status, error } = spawnSync(command, args, { cwd: root, stdio: "inherit" });
  if (error) throw error;
  return status;
}

function require(status) {
  if (status !== 0) process.exit(status ?? 1);
}

/** Returns true if the packages in `folder` match its lock file. */
function isInstalled(folder) {
  const marker = join(folder, "node_modules", ".package-lock.json");
  const lock = join(folder, "package-lock.json");
  return existsSync(marker) && statSync(marker).mtimeMs >= statSync(lock).mtimeMs;
}

if (!isBuilt()) require(run(process.execPath, "scripts/build.mjs"));
require(run("node_modules/.bin/buf", "generate", "--template", "buf.gen.test.yaml"));
const clients = join(root, "test", "clients");
if (!isInstalled(clients)) require(run("npm", "ci", "--prefix", clients, "--no-audit", "--no-fund"));
require(run(process.execPath, "scripts/install-debian-packages.mjs", ...DEBIAN_PACKAGES));
require(run(process.execPath, "scripts/install-chdb.mjs"));

const folder = mkdtempSync(join(tmpdir(), "waybill-tests-"));
const report = join(folder, "report.json");
const filters = process.argv.slice(2);
const status = run(
  "node_modules/.bin/vitest",
  "run",
  "--reporter=default",
  "--reporter=json",
  `--outputFile.json=${report}`,
  ...filters,
);
const { numPassedTests, numFailedTests, numFailedTestSuites, success } = JSON.parse(
  readFileSync(report, "utf8"),
);
rmSync(folder, { recursive: true });
// A file that fails to load has no tests to count, but counts as a failure.
const failed = numFailedTests > 0 ? numFailedTests : success ? 0 : Math.max(1, numFailedTestSuites);
console.log(`${numPassedTests} passed, ${failed} failed`);
process.exit(status ?? 1);
