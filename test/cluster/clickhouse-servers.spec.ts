import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { runInProcess } from "../../src/cli/testing/run-in-process.js";
import { testDatabase } from "../support/cluster/postgres-database.js";
import { POSTGRES_PASSWORD, POSTGRES_USER } from "../support/cluster/postgres-server.js";
import { runStatement } from "../support/cluster/run-statement.js";
import { sharedChdb } from "../support/cluster/shared-servers.js";
import { accepted, type Entry, listOf, type Page } from "../support/data/delivery-data.js";
import { entriesOf, importEvents } from "../support/data/import.js";
import { send } from "../support/http/exchange.js";
import { need } from "../support/needs.js";
import { test as base } from "../support/servers/process-fixtures.js";
import { BASE_CONFIG, EDITOR } from "../support/servers/project.js";
import { backupOf } from "../support/servers/waybill-command.js";

need("chdb");

const APP = "1:123456789012:android:0a1b2c3d4e5f";
const STORE_DATABASE = "servers";

const test = base
  .extend("shared", { scope: "file" }, async ({ sharedDirectory }, { onCleanup }) => {
    const { port, name, close } = await testDatabase();
    const url = await sharedChdb();
    onCleanup(async () => {
      await close();
      await runStatement(url, `DROP DATABASE IF EXISTS ${STORE_DATABASE}`);
    });
    const passwordFile = join(sharedDirectory, "control-password");
    writeFileSync(passwordFile, POSTGRES_PASSWORD);
    return {
      ...BASE_CONFIG,
      store: { engine: "clickhouse", urls: [url], database: STORE_DATABASE },
      control: {
        engine: "postgres",
        url: `postgres://${POSTGRES_USER}@127.0.0.1:${port}/${name}`,
        passwordFile,
        connections: 3,
      },
    };
  })
  /** Two servers that store no data themselves. */
  .extend("servers", { scope: "file" }, async ({ shared, openSharedServer }) => {
    const [one, two] = await Promise.all([openSharedServer(shared), openSharedServer(shared)]);
    return { one, two };
  })
  .extend("token", { scope: "file" }, async ({ shared, sharedDirectory }) => {
    const file = join(sharedDirectory, "shared.yaml");
    writeFileSync(file, JSON.stringify(shared));
    const { stdout, stderr } = await runInProcess(["token", "--config", file, "--principal", EDITOR]);
    expect(stderr).toBe("");
    return stdout.trim();
  });

test("a client that reads each page from a different server gets all events that were imported through one server", async ({
  servers: { one, two },
  token,
}) => {
  const labels = Array.from({ length: 7 }, (_, i) => `label-${i}`);
  const events = labels.map((label) => accepted(APP, "2026-03-05T20:00:00Z", label));
  await importEvents(two, token, events, { appId: APP, entries: labels.length });
  const whole = await entriesOf(one, token, APP);
  expect(whole.map(({ analyticsLabel }) => analyticsLabel)).toEqual(labels);
  const walked: Entry[] = [];
  for (let pageToken = "", page = 0; ; page++) {
    const { messagingDataUrl } = page % 2 === 0 ? one : two;
    const target = `${listOf(APP)}?pageSize=2&pageToken=${pageToken}`;
    const { status, text } = await send(messagingDataUrl, target, { token });
    expect(status).toBe(200);
    const { androidDeliveryData = [], nextPageToken } = JSON.parse(text) as Page;
    walked.push(...androidDeliveryData);
    if (nextPageToken === undefined) break;
    pageToken = nextPageToken;
  }
  expect(walked).toEqual(whole);
});

test("all servers return a response with the same bytes and the same ETag", async ({
  servers: { one, two },
  token,
}) => {
  await importEvents(one, token, [accepted("app-etag", "2026-03-05T20:00:00Z", "x")], {
    appId: "app-etag",
    entries: 1,
  });
  await entriesOf(two, token, "app-etag");
  const target = listOf("app-etag");
  const first = await send(one.messagingDataUrl, target, { token });
  const second = await send(two.messagingDataUrl, target, { token });
  expect([second.text, second.headers.etag]).toEqual([first.text, first.headers.etag]);
  const headers = { "if-none-match": String(first.headers.etag) };
  expect((await send(two.messagingDataUrl, target, { token, headers })).status).toBe(304);
});

test("waybill backup is rejected in a cluster, with a hint at the alternative", async ({
  servers: { one },
  directory,
}) => {
  const { code, stderr } = await runInProcess(backupOf(one, join(directory, "backup")));
  expect(code).toBe(1);
  expect(stderr).toMatch(/use the tools of ClickHouse and PostgreSQL/);
});
