// Builds unless nothing has changed, installs the clients and programs that only tests need, runs all tests, and ends with
// the line "N passed, N failed, N skipped". Where programs cannot be installed, tests that need them are skipped, except in CI.
import { spawnSync } from "node:child_process";
import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { isBuilt } from "./build-stamp.mjs";

/** Debian packages with clients and servers that npm does not have. */
const DEBIAN_PACKAGES = [
  "buildah",
  "caddy",
  "chromium-headless-shell",
  "clickhouse-server",
  "curl",
  "debootstrap",
  "haproxy",
  "nats-server",
  "nginx-light",
  "postgresql",
  "python3-googleapi",
  "rabbitmq-server",
  "systemd",
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

if (!isBuilt("dist")) require(run(process.execPath, "scripts/build.mjs"));
if (!isBuilt("docs-dist")) require(run(process.execPath, "scripts/build-docs.mjs"));
// Without install scripts, which would compile optional parts of the clients.
const clients = join(root, "test", "clients");
if (!isInstalled(clients))
  require(run("npm", "ci", "--prefix", clients, "--ignore-scripts", "--no-audit", "--no-fund"));
const isInstallable = [
  run(process.execPath, "scripts/install-debian-packages.mjs", ...DEBIAN_PACKAGES),
  run(process.execPath, "scripts/install-chdb.mjs"),
  run(process.execPath, "scripts/install-node.mjs", "24"),
].every((status) => status === 0);
if (!isInstallable && process.env.CI) process.exit(1);

process.exit(run("node_modules/.bin/vitest", "run", ...process.argv.slice(2)) ?? 1);
