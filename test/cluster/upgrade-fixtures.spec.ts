import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect } from "vitest";
import { stringify } from "yaml";
import { runInProcess } from "../../src/cli/testing/run-in-process.js";
import { databaseName } from "../support/cluster/database-name.js";
import { controlOn } from "../support/cluster/postgres-database.js";
import { runSql } from "../support/cluster/postgres-server.js";
import { sharedChdb, sharedPostgres } from "../support/cluster/shared-servers.js";
import {
  expectHistory,
  expectRecorded,
  FIXTURE_OWNER,
  FIXTURE_VERSIONS,
  fixtureConfig,
  fixtureFile,
  type Recorded,
  restoreClickHouse,
} from "../support/data/upgrade-fixtures.js";
import { need } from "../support/needs.js";
import { test } from "../support/servers/process-fixtures.js";
import { run } from "../support/servers/run.js";
import { startProcess } from "../support/servers/server-process.js";
import { shiftedClock } from "../support/servers/shifted-clock.js";
import { WAYBILL } from "../support/servers/waybill-command.js";

need("chdb");

/** Time at which a fixture's responses were recorded. An ongoing incident has other figures on later days. */
function timeOf(recorded: string): number {
  const [, time = ""] = /"acknowledgeTime":"([^"]+)"/.exec(recorded) ?? [];
  return Date.parse(time);
}

/** Returns options of Node.js with which a process starts at another time. Shared databases have no adjustable clock. */
async function clockAt(time: number, directory: string): Promise<readonly string[]> {
  const file = join(directory, "clock-offset");
  await writeFile(file, String(time - Date.now()));
  return shiftedClock(file);
}

describe.each(FIXTURE_VERSIONS)("databases of version %s", (version) => {
  test("open with all figures, configurations, history and incidents", async ({
    directory,
    onTestFinished,
  }) => {
    const [port, url, name] = [await sharedPostgres(), await sharedChdb(), databaseName("upgrade")];
    await runSql(port, `CREATE DATABASE ${name}`);
    onTestFinished(async () => void (await runSql(port, `DROP DATABASE ${name} WITH (FORCE)`)));
    await runSql(port, fixtureFile(version, "postgres.sql").toString(), name);
    onTestFinished(await restoreClickHouse(url, name, version));
    const config = {
      ...fixtureConfig(version),
      clock: {},
      store: { engine: "clickhouse", urls: [url], database: name },
      control: controlOn({ name, port }, directory),
    };
    const file = join(directory, "databases.yaml");
    await writeFile(file, stringify(config));

    const { code, stdout } = await runInProcess(["check", "--upgrade", "--config", file]);
    expect(code).toBe(0);
    expect(stdout).toMatch(new RegExp(`^the database ${name} in ClickHouse +\\d+ +\\d+ +\\S`, "m"));
    expect(stdout).toMatch(new RegExp(`^the PostgreSQL database ${name} at \\S+ +\\d+ +\\d+ +\\S`, "m"));
    expect(stdout).toMatch(`back up the ClickHouse database ${name} and the PostgreSQL database`);

    const text = fixtureFile(version, "cluster.json").toString();
    const recorded: Recorded = JSON.parse(text);
    const clock = await clockAt(timeOf(text), directory);
    const server = await startProcess(directory, config, [], clock);
    onTestFinished(async () => void (await server.stop()));
    const { stdout: token } = await run(process.execPath, [
      ...clock,
      WAYBILL,
      ...["token", "--config", file, "--principal", FIXTURE_OWNER],
    ]);
    await expectRecorded(server, token.trim(), recorded);
    await expectHistory(recorded, ["--config", file]);
  });
});
