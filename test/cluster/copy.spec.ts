import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { EmbeddedRecords } from "../../src/control/embedded/embedded-records.js";
import { PostgresRecords } from "../../src/control/postgres/postgres-records.js";
import { RECORD_KINDS } from "../../src/control/records.js";
import { systemClock } from "../../src/model/clock.js";
import { opening } from "../support/closing.js";
import { dropTables, makeTables } from "../support/cluster/clickhouse-cluster.js";
import { CLUSTER } from "../support/cluster/clickhouse-server.js";
import { databaseName } from "../support/cluster/database-name.js";
import { testDatabase } from "../support/cluster/postgres-database.js";
import { POSTGRES_PASSWORD, POSTGRES_USER } from "../support/cluster/postgres-server.js";
import { sharedClickHouse } from "../support/cluster/shared-servers.js";
import { accepted, listOf, type Page } from "../support/data/delivery-data.js";
import { importBatch, ndjson } from "../support/data/import.js";
import { configOf, patch } from "../support/data/integrity.js";
import { importTraffic } from "../support/data/simulated-traffic.js";
import { send } from "../support/http/exchange.js";
import { need } from "../support/needs.js";
import { poll } from "../support/poll.js";
import { test as base } from "../support/servers/process-fixtures.js";
import { BASE_CONFIG, EDITOR, IOS_APP } from "../support/servers/project.js";
import type { ServerProcess } from "../support/servers/server-process.js";
import { waybill } from "../support/servers/waybill-command.js";

need("clickhouse-server", "zookeeper");

const test = base
  .extend("postgres", { scope: "file" }, opening(testDatabase))
  /** Configuration of a cluster without data. */
  .extend("clustered", { scope: "file" }, async ({ postgres, sharedDirectory }, { onCleanup }) => {
    const urls = await sharedClickHouse();
    const database = databaseName("copy");
    await makeTables(urls, database);
    onCleanup(() => dropTables(urls, database));
    const passwordFile = join(sharedDirectory, "control-password");
    writeFileSync(passwordFile, POSTGRES_PASSWORD);
    const url = `postgres://${POSTGRES_USER}@127.0.0.1:${postgres.port}/${postgres.name}`;
    return {
      ...BASE_CONFIG,
      store: { engine: "clickhouse", urls, database, cluster: CLUSTER },
      control: { engine: "postgres", url, passwordFile },
    };
  });

/** Responses that must be the same after a copy. */
async function responsesOf(server: ServerProcess, token: string) {
  const list = (appId: string, query: string) =>
    send(server.messagingDataUrl, `${listOf(appId)}?${query}`, { token });
  const pages = [await list("app-a", "pageSize=10000"), await list("app-b", "pageSize=10000")];
  const config = await send(server.integrityUrl, configOf(IOS_APP), { token });
  return [...pages, config].map(({ status, text, headers }) => ({ status, text, etag: headers.etag }));
}

test("waybill copy copies a stopped server's data into a cluster, which continues with this data", async ({
  directory,
  clustered,
  postgres,
  startServer,
  openServer,
}) => {
  const embedded = await startServer();
  const { dataDir } = embedded;
  const token = await embedded.token(EDITOR);
  await importTraffic(embedded, token, "app-a", "app-b");
  await patch(embedded, token, IOS_APP, { tokenTtl: "7200s" });
  const before = await responsesOf(embedded, token);
  const page = `${listOf("app-a")}?pageSize=2`;
  const first = await send(embedded.messagingDataUrl, page, { token });
  const next = `${page}&pageToken=${encodeURIComponent((JSON.parse(first.text) as Page).nextPageToken ?? "")}`;
  const second = await send(embedded.messagingDataUrl, next, { token });

  const file = join(directory, "cluster.yaml");
  writeFileSync(file, JSON.stringify(clustered));
  const copy = () => waybill(["copy", "--from", dataDir, "--to", file, "--with-keys"]);
  expect(await copy()).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("in use by another process"),
  });
  await embedded.stop();
  // A record as a webhook stores it.
  const notified = { kind: RECORD_KINDS.webhook, key: "123456789012/on-call", value: { until: 20_000 } };
  const records = await EmbeddedRecords.open(dataDir, systemClock);
  await records.change([notified]);
  await records.close();
  expect(await copy()).toMatchObject({
    code: 0,
    stderr: "",
    stdout: expect.stringMatching(
      /^copied 5 days of 1 projects: \d+ message states, \d+ entries; 1 configuration changes, 3 keys; all counts agree\n$/,
    ),
  });
  expect(await copy()).toMatchObject({ code: 1, stderr: expect.stringContaining("has a complete copy") });

  const connections = postgres.connect();
  const { database } = connections;
  const copied = new PostgresRecords({ ...connections, clock: systemClock });
  expect((await copied.get(notified.kind, notified.key))?.value).toEqual(notified.value);
  const mark = (isComplete: boolean) =>
    database.query("marking", "UPDATE waybill.copy SET is_complete = $1", [isComplete]);
  await mark(false);
  expect(await waybill(["serve", "--config", file])).toMatchObject({
    code: 1,
    stderr: "waybill: a copy into this cluster is incomplete; repeat waybill copy until it completes\n",
  });
  await mark(true);

  const server = await openServer(clustered);
  expect(await responsesOf(server, token)).toEqual(before);
  expect((await send(server.messagingDataUrl, next, { token })).text).toBe(second.text);
  const history = (...of: readonly string[]) => waybill(["config", "history", "--json", ...of]);
  expect((await history("--config", file)).stdout).toBe((await history("--data-dir", dataDir)).stdout);

  const old = await startServer();
  const late = ndjson([
    accepted("app-a", "2025-03-04T12:00:00-08:00", "late"),
    accepted("app-b", "2025-03-05T12:00:00-08:00"),
  ]);
  const afterwards = [];
  for (const each of [server, old]) {
    await importBatch(each, token, late);
    afterwards.push(
      await poll(
        () => responsesOf(each, token),
        (responses) => [0, 1].every((index) => responses[index]?.text !== before[index]?.text),
      ),
    );
  }
  expect(afterwards[0]).toEqual(afterwards[1]);
});

test("waybill copy rejects a target configuration for a single machine", async ({ directory }) => {
  const file = join(directory, "single.yaml");
  writeFileSync(file, JSON.stringify(BASE_CONFIG));
  expect(await waybill(["copy", "--from", directory, "--to", file])).toMatchObject({
    code: 1,
    stderr: "waybill: --to: store.engine must be clickhouse\n",
  });
});
