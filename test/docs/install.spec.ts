import { spawnSync } from "node:child_process";
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { sharedPackages } from "../support/cluster/shared-servers.js";
import { packagePath } from "../support/package-path.js";
import { test as base } from "../support/servers/process-fixtures.js";

// docs.spec.ts runs the guides with the installed packages.

const tool = (name: string): string => packagePath(`test/clients/node_modules/.bin/${name}`);

/** Maximum size of the server's installed packages without DuckDB's engine, and of the client's tarball, in bytes. */
const MAX_SERVER_BYTES = 60 * 1024 * 1024;
const MAX_CLIENT_BYTES = 300 * 1024;

const test = base.extend("packages", { scope: "file" }, sharedPackages);

function bytesIn(folder: string): number {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0);
}

test("the installed server is small", ({ packages: { serverProject } }) => {
  const modules = join(serverProject, "node_modules");
  expect(bytesIn(modules) - bytesIn(join(modules, "@duckdb"))).toBeLessThan(MAX_SERVER_BYTES);
});

test("the packed client is small, and needs only @bufbuild/protobuf", ({
  packages: { clientProject, clientTarball },
}) => {
  expect(statSync(clientTarball).size).toBeLessThan(MAX_CLIENT_BYTES);
  const installed = readdirSync(join(clientProject, "node_modules"), { recursive: true, encoding: "utf8" });
  const names = installed
    .filter((path) => /^@[^/]+\/[^/]+\/package\.json$|^[^@./][^/]*\/package\.json$/.test(path))
    .map((path) => path.replace("/package.json", ""));
  expect(names.toSorted()).toEqual(["@bufbuild/protobuf", "@waybill/client"]);
});

test("publint and attw find no problem in the packed client", ({ packages: { clientTarball } }) => {
  const checks = [
    [tool("publint"), "run", "--strict", clientTarball],
    // Excludes Node.js's old module resolution, which does not support `exports`, and CommonJS.
    [tool("attw"), clientTarball, "--profile", "esm-only"],
  ];
  for (const [command = "", ...args] of checks) {
    const { status, stdout } = spawnSync(command, args, { encoding: "utf8" });
    expect([status, stdout]).toEqual([0, expect.any(String)]);
  }
});
