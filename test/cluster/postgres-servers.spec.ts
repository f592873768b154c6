import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { errorOf } from "../../src/api/testing/error-of.js";
import { runInProcess } from "../../src/cli/testing/run-in-process.js";
import { closedAtEnd, opening } from "../support/closing.js";
import { type TestDatabase, testDatabase } from "../support/cluster/postgres-database.js";
import { POSTGRES_PASSWORD, POSTGRES_USER, postgresServer } from "../support/cluster/postgres-server.js";
import { parsedLines } from "../support/data/import.js";
import { configOf, nameOf, patch, readConfig } from "../support/data/integrity.js";
import { send } from "../support/http/exchange.js";
import { poll } from "../support/poll.js";
import { test as base } from "../support/servers/process-fixtures.js";
import { BASE_CONFIG, EDITOR, IOS_APP, PROJECT } from "../support/servers/project.js";
import type { ServerProcess } from "../support/servers/server-process.js";
import { waybill } from "../support/servers/waybill-command.js";

const test = base
  .extend("postgres", { scope: "file" }, opening(postgresServer))
  .extend("database", { scope: "file" }, async ({ postgres }, { onCleanup }) =>
    closedAtEnd(await testDatabase(postgres.port), onCleanup),
  )
  .extend("shared", { scope: "file" }, ({ database, sharedDirectory }) =>
    withControl(database, sharedDirectory),
  )
  /** Two servers with separate data directories that share one database. */
  .extend("servers", { scope: "file" }, async ({ shared, openSharedServer }) => {
    const [one, two] = await Promise.all([openSharedServer(shared), openSharedServer(shared)]);
    return { one, two };
  })
  .extend("configFile", { scope: "file" }, ({ shared, sharedDirectory }) => {
    const file = join(sharedDirectory, "shared.yaml");
    writeFileSync(file, JSON.stringify(shared));
    return file;
  })
  .extend("token", { scope: "file" }, async ({ configFile }) => {
    const { stdout, stderr } = await runInProcess(["token", "--config", configFile, "--principal", EDITOR]);
    expect(stderr).toBe("");
    return stdout.trim();
  });

function withControl({ port, name }: TestDatabase, directory: string): object {
  const passwordFile = join(directory, "control-password");
  writeFileSync(passwordFile, `${POSTGRES_PASSWORD}\n`);
  const url = `postgres://${POSTGRES_USER}@127.0.0.1:${port}/${name}`;
  return { ...BASE_CONFIG, control: { engine: "postgres", url, passwordFile, connections: 3 } };
}

const ttlAt = async (server: ServerProcess, token: string) =>
  (await readConfig(server, token, IOS_APP)).tokenTtl;

test("servers with the same database accept each other's tokens, page tokens and etags", async ({
  servers: { one, two },
  token,
}) => {
  for (const { dataDir } of [one, two]) expect(existsSync(join(dataDir, "keys"))).toBe(false);
  const apps = `/v1/projects/${PROJECT.id}/apps?pageSize=1`;
  const first = await send(one.integrityUrl, apps, { token });
  const { nextPageToken } = JSON.parse(first.text);
  const second = await send(two.integrityUrl, `${apps}&pageToken=${nextPageToken}`, { token });
  expect([second.status, JSON.parse(second.text)]).toMatchObject([200, { apps: [{ appId: "app-7d" }] }]);
  const { headers } = await send(one.integrityUrl, configOf(IOS_APP), { token });
  const same = await send(two.integrityUrl, configOf(IOS_APP), {
    token,
    headers: { "if-none-match": String(headers.etag) },
  });
  expect(same.status).toBe(304);
});

test("servers with the same database see each other's changes and their history", async ({
  servers: { one, two },
  token,
  configFile,
}) => {
  const body = { tokenTtl: "7200s" };
  expect((await patch(one, token, IOS_APP, body)).status).toBe(200);
  await poll(() => ttlAt(two, token), "7200s");
  expect((await patch(two, token, IOS_APP, { tokenTtl: "1800s" })).status).toBe(200);
  expect(await ttlAt(two, token)).toBe("1800s");
  await poll(() => ttlAt(one, token), "1800s");
  const { stdout } = await runInProcess(["config", "history", "--config", configFile, "--json"]);
  const changes = parsedLines(stdout);
  expect(changes).toMatchObject([
    { principal: EDITOR, name: nameOf(IOS_APP), revision: 1, tokenTtl: "7200s" },
    { principal: EDITOR, name: nameOf(IOS_APP), revision: 2, tokenTtl: "1800s", previousTokenTtl: "7200s" },
  ]);
});

test("a command reports in one line that the database is unavailable", async ({ shared, directory }) => {
  const file = join(directory, "wrong.yaml");
  const control = { engine: "postgres", url: "postgres://waybill@127.0.0.1:1/waybill" };
  writeFileSync(file, JSON.stringify({ ...shared, control }));
  for (const command of [["token"], ["config", "history"], ["serve"]]) {
    const { code, stdout, stderr } = await waybill([...command, "--config", file]);
    expect([code, stdout]).toEqual([1, ""]);
    expect(stderr).toBe(
      "waybill: the PostgreSQL database waybill at 127.0.0.1:1 cannot be used: connect ECONNREFUSED 127.0.0.1:1\n",
    );
  }
});

test("a server returns 503 while its database is unavailable, and continues afterwards", async ({
  postgres,
  servers: { one },
  token,
}) => {
  const read = () => send(one.integrityUrl, configOf(IOS_APP), { token });
  const readyz = async () => (await send(one.adminUrl, "/readyz")).status;
  const before = await read();
  await postgres.crash();
  const gone = await poll(read, ({ status }) => status !== 200);
  expect(gone.status).toBe(503);
  expect(Number(gone.headers["retry-after"])).toBeGreaterThan(0);
  expect(errorOf(gone.text)).toMatchObject({ status: "UNAVAILABLE", reason: "STORE_UNAVAILABLE" });
  expect((await patch(one, token, IOS_APP, { tokenTtl: "3600s" })).status).toBe(503);
  expect(await readyz()).toBe(503);
  await postgres.start();
  await poll(readyz, 200);
  expect((await read()).text).toBe(before.text);
  for (const text of [gone.text, one.log(), one.output()]) expect(text).not.toContain(POSTGRES_PASSWORD);
});
