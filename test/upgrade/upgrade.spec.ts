import { createHash } from "node:crypto";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect } from "vitest";
import { runInProcess } from "../../src/cli/testing/run-in-process.js";
import { queryDuckDb } from "../support/data/duckdb.js";
import {
  expectHistory,
  expectRecorded,
  FIXTURE_OWNER,
  FIXTURE_VERSIONS,
  fixtureConfig,
  fixtureFile,
  type Recorded,
} from "../support/data/upgrade-fixtures.js";
import { test as serving } from "../support/servers/process-fixtures.js";
import { backupOf } from "../support/servers/waybill-command.js";

const FILES = ["records.db", "waybill.duckdb"];

const test = serving
  .extend("version", FIXTURE_VERSIONS[0] ?? "")
  /** A data directory of an earlier version. */
  .extend("dataDir", async ({ directory, version }) => {
    const dataDir = join(directory, "data");
    await mkdir(dataDir, { mode: 0o700 });
    for (const file of FILES)
      await writeFile(join(dataDir, file), fixtureFile(version, file), { mode: 0o600 });
    return dataDir;
  });

const checkUpgrade = (dataDir: string) => runInProcess(["check", "--upgrade", "--data-dir", dataDir]);

async function digestsIn(folder: string): Promise<Record<string, string>> {
  const names = await readdir(folder);
  const digests = names.map(async (name) => [
    name,
    createHash("sha256")
      .update(await readFile(join(folder, name)))
      .digest("hex"),
  ]);
  return Object.fromEntries(await Promise.all(digests));
}

describe.each(FIXTURE_VERSIONS)("a data directory of version %s", (version) => {
  test.override("version", version);

  test("opens with all figures, configurations, history, keys and incidents", async ({
    dataDir,
    startServer,
  }) => {
    const recorded: Recorded = JSON.parse(fixtureFile(version, "embedded.json").toString());
    const server = await startServer(fixtureConfig(version));
    await expectRecorded(server, await server.token(FIXTURE_OWNER), recorded);
    await expectHistory(recorded, ["--data-dir", dataDir]);
    expect(await checkUpgrade(dataDir)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("is in use by another process"),
    });
  });

  test("is checked without any change before an upgrade", async ({ dataDir }) => {
    const before = await digestsIn(dataDir);
    const { code, stdout, stderr } = await checkUpgrade(dataDir);
    expect([code, stderr]).toEqual([0, ""]);
    for (const file of FILES)
      expect(stdout).toMatch(new RegExp(`^${join(dataDir, file)} +\\d+ +\\d+ +\\S`, "m"));
    expect(stdout).toContain(`waybill backup --data-dir ${dataDir} --out DIR --with-keys`);
    expect(await digestsIn(dataDir)).toEqual(before);
  });
});

test("waybill check --upgrade rejects data of a newer version", async ({ dataDir }) => {
  await queryDuckDb("INSERT INTO schema_migrations VALUES (1000, now())", join(dataDir, "waybill.duckdb"));
  const { code, stdout, stderr } = await checkUpgrade(dataDir);
  expect(code).toBe(1);
  expect(stdout).toMatch(/waybill\.duckdb +1000 +\d+ +cannot be opened\n/);
  expect(stderr).toMatch(
    /^waybill: \S+ has schema version 1000, but waybill \S+ supports at most version \d+; .*\n$/,
  );
});

test("waybill check --upgrade shows a backup's version", async ({ directory, openServer }) => {
  const server = await openServer();
  const backup = join(directory, "backup");
  expect(await runInProcess(backupOf(server, backup))).toMatchObject({ code: 0 });
  const before = await digestsIn(backup);
  const { code, stdout } = await checkUpgrade(backup);
  expect(code).toBe(0);
  expect(stdout).toMatch(/^This is a backup of 2\S+Z, by waybill \d+\.\d+\.\d+\.$/m);
  expect(await digestsIn(backup)).toEqual(before);
});

test("waybill check --upgrade lists data that the first start creates", async ({ directory }) => {
  const { code, stdout } = await checkUpgrade(directory);
  expect(code).toBe(0);
  expect(stdout.match(/ none +\d+ +is created$/gm)).toHaveLength(2);
  expect(await readdir(directory)).toEqual([]);
});

test.for<[flags: string[], message: string]>([
  [[], "--data-dir: name the directory to verify"],
  [["--config", "waybill.yaml"], "--config: only --upgrade reads it"],
  [["--upgrade", "--data-dir", "/none"], "--data-dir /none: there is no such directory"],
  [["--upgrade", "--days", "3"], "cannot be used with"],
])("waybill check %j explains the error", async ([flags, message]) => {
  const { code, stderr } = await runInProcess(["check", ...flags]);
  expect([code, stderr]).toEqual([1, expect.stringContaining(message)]);
});
