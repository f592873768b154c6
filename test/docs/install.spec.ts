import { execFileSync, spawnSync } from "node:child_process";
import { readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { stringify } from "yaml";
import { accepted } from "../support/data/delivery-data.js";
import { ndjson } from "../support/data/import.js";
import { packagePath } from "../support/package-path.js";
import { poll } from "../support/poll.js";
import { test as serving } from "../support/servers/fixtures.js";
import { BASE_CONFIG, EDITOR, PROJECT } from "../support/servers/project.js";
import { addressesOf, FREE_PORTS, spawnServe } from "../support/servers/serve-process.js";

const CLIENT = packagePath("packages/client");
const tool = (name: string): string => packagePath(`test/clients/node_modules/.bin/${name}`);

/** Maximum size of the server's installed packages without DuckDB's engine, and of the client's tarball, in bytes. */
const MAX_SERVER_BYTES = 60 * 1024 * 1024;
const MAX_CLIENT_BYTES = 300 * 1024;

const run = (command: string, args: readonly string[], cwd: string): string =>
  execFileSync(command, args, { cwd, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });

const test = serving.extend("pack", { scope: "file" }, ({ sharedDirectory }) => (folder: string): string => {
  // The package is already built when the tests run.
  const args = ["pack", "--ignore-scripts", "--json", "--pack-destination", sharedDirectory];
  const [packed] = JSON.parse(run("npm", args, folder)) as { readonly filename: string }[];
  return join(sharedDirectory, packed?.filename ?? "");
});

/** Installs a tarball into an empty project. Packages that an installation of this project has downloaded are reused. */
function install(directory: string, tarball: string): void {
  writeFileSync(join(directory, "package.json"), JSON.stringify({ private: true, type: "module" }));
  run("npm", ["install", "--prefer-offline", "--no-audit", "--no-fund", tarball], directory);
}

function bytesIn(folder: string): number {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0);
}

test("the packed server runs in an empty project, and is small", async ({
  directory,
  pack,
  onTestFinished,
}) => {
  install(directory, pack(packagePath(".")));
  const modules = join(directory, "node_modules");
  expect(bytesIn(modules) - bytesIn(join(modules, "@duckdb"))).toBeLessThan(MAX_SERVER_BYTES);
  const command = join(modules, "waybill/bin/waybill");
  const waybill = (...args: string[]): string => run(process.execPath, [command, ...args], directory).trim();
  const config = join(directory, "waybill.yaml");
  writeFileSync(config, stringify(BASE_CONFIG));
  const dataDir = join(directory, "data");
  const args = ["--config", config, "--data-dir", dataDir, ...FREE_PORTS];
  const child = spawnServe(args, [], { stdio: ["ignore", "pipe", "ignore"] }, command);
  onTestFinished(() => {
    child.kill("SIGKILL");
  });
  const addresses = await addressesOf(child);
  const token = waybill("token", "--data-dir", dataDir, "--principal", EDITOR);
  const target = ["--server", addresses?.messagingDataUrl ?? "", "--token", token, "--project", PROJECT.id];
  const events = join(directory, "events.ndjson");
  writeFileSync(events, ndjson([accepted("app", "2025-06-02T12:00:00-07:00")]));
  waybill("import", events, ...target);
  await poll(
    async () => waybill("list", ...target, "--app", "app"),
    (listed) => listed.includes("2025-06-02"),
  );
  for (const path of ["console/", "docs/"])
    expect((await fetch(new URL(path, `${addresses?.messagingDataUrl}/`))).status).toBe(200);
});

test("the packed client lists delivery data in an empty project", async ({
  directory,
  editor,
  pack,
  server,
}) => {
  const tarball = pack(CLIENT);
  expect(statSync(tarball).size).toBeLessThan(MAX_CLIENT_BYTES);
  install(directory, tarball);
  expect(readdirSync(join(directory, "node_modules")).filter((name) => !name.startsWith("."))).toEqual([
    "@bufbuild",
    "@waybill",
  ]);
  const options = JSON.stringify({ messagingDataUrl: server.messagingDataUrl, token: editor });
  writeFileSync(
    join(directory, "list.js"),
    `import { WaybillClient } from "@waybill/client";
const client = new WaybillClient(${options});
for await (const entry of client.listDeliveryData({ project: "${PROJECT.id}", app: "none" })) console.log(entry);
console.log("listed");
`,
  );
  expect(run(process.execPath, ["list.js"], directory)).toBe("listed\n");
});

test("publint and attw find no problem in the packed client", ({ pack }) => {
  const checks = [
    [tool("publint"), "run", "--strict", CLIENT],
    // Excludes Node.js's old module resolution, which does not support `exports`, and CommonJS.
    [tool("attw"), pack(CLIENT), "--profile", "esm-only"],
  ];
  for (const [command = "", ...args] of checks) {
    const { status, stdout } = spawnSync(command, args, { encoding: "utf8" });
    expect([status, stdout]).toEqual([0, expect.any(String)]);
  }
});
