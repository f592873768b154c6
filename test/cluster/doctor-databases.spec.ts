import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { stringify } from "yaml";
import { type CommandOutcome, runInProcess } from "../../src/cli/testing/run-in-process.js";
import { freePort } from "../support/cluster/free-port.js";
import { controlOn } from "../support/cluster/postgres-database.js";
import { sharedChdb, sharedPostgres } from "../support/cluster/shared-servers.js";
import { need } from "../support/needs.js";
import { test as base } from "../support/servers/process-fixtures.js";

need("chdb");

const test = base
  .extend("databases", { scope: "file" }, async ({ sharedDirectory }) => {
    const [port, url] = [await sharedPostgres(), await sharedChdb()];
    const store = { engine: "clickhouse", urls: [url], database: "default" };
    return { store, control: (name: string) => controlOn({ name, port }, sharedDirectory) };
  })
  .extend("doctor", ({ directory }) => async (config: object): Promise<CommandOutcome> => {
    const file = join(directory, "waybill.yaml");
    writeFileSync(file, stringify({ adminPort: await freePort(), ...config }));
    return runInProcess(["doctor", "--config", file, "--data-dir", directory]);
  });

test("waybill doctor shows the versions of reachable databases, and compares clocks", async ({
  databases,
  doctor,
}) => {
  const { code, stdout } = await doctor({
    store: databases.store,
    control: databases.control("postgres"),
  });
  expect([code, stdout]).toEqual([0, expect.stringMatching(/^ok {7}ClickHouse at \S+: version \d+\.\d+/m)]);
  expect(stdout).toMatch(/^ok {7}PostgreSQL database postgres at \S+: version \d+\.\d+/m);
  // PostgreSQL has the tests' date. ClickHouse may have the real one (scripts/test-anywhere.mjs).
  expect(stdout).toMatch(/^ok {7}clock: .* PostgreSQL/m);
  if (process.env.WAYBILL_TEST_MOVED_DAYS === undefined)
    expect(stdout).toMatch(/^ok {7}clock: .* ClickHouse/m);
});

test("waybill doctor reports a database that does not exist", async ({ databases, doctor }) => {
  const { code, stdout } = await doctor({ control: databases.control("absent") });
  expect([code, stdout]).toEqual([
    1,
    expect.stringMatching(
      /^FAILED {3}PostgreSQL database absent at \S+: database "absent" does not exist .*\n {9}To do: check .* in control\.$/m,
    ),
  ]);
});
