import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "vitest";
import { errorOf } from "../../src/api/testing/error-of.js";
import { runInProcess } from "../../src/cli/testing/run-in-process.js";
import { accepted, listOf } from "../support/data/delivery-data.js";
import { ndjson, postEvents } from "../support/data/import.js";
import { type HttpResponse, send } from "../support/http/exchange.js";
import { poll } from "../support/poll.js";
import { test as serving } from "../support/servers/fixtures.js";
import { untilLogged } from "../support/servers/log.js";
import type { Server } from "../support/servers/server.js";
import { setClock } from "../support/servers/set-clock.js";
import { backupOf } from "../support/servers/waybill-command.js";

const OWNER = "owner@example.com";
const PROJECT = "short-lived";
const DAY_MS = 86_400_000;
/** Strings that occur nowhere else. */
const LABEL = "quagga-campaign";
const APP = "1:1:android:quagga-app";
const BUNDLE = "com.example.quagga";
const RETAINED = { audit: { retention: "40d" } };

const test = serving.override("config", {
  access: [{ principal: OWNER, projects: "*", role: "owner" }],
  clock: { adjustable: true },
  registry: RETAINED,
});

/** Sends JSON to the registry service. */
const call = (
  server: Server,
  token: string,
  method: string,
  target: string,
  body?: object,
): Promise<HttpResponse> =>
  send(server.registryUrl, target, {
    method,
    token,
    ...(body && { headers: { "content-type": "application/json" }, body: JSON.stringify(body) }),
  });

/** Makes a backup, and returns the strings that its files contain. */
async function textsInBackup(
  server: Server,
  directory: string,
  texts: readonly string[],
): Promise<readonly string[]> {
  const { code, stderr } = await runInProcess(backupOf(server, directory));
  expect([code, stderr]).toEqual([0, ""]);
  const files = await readdir(directory, { recursive: true, withFileTypes: true });
  const contents = await Promise.all(
    files.filter((file) => file.isFile()).map(({ parentPath, name }) => readFile(join(parentPath, name))),
  );
  return texts.filter((text) => contents.some((content) => content.includes(text)));
}

test("a deleted project can be restored for 30 days, and is then erased with its audit entries", async ({
  openServer,
  directory,
}) => {
  const server = await openServer();
  const owner = await server.token(OWNER);
  const registry = (method: string, target: string, body?: object) =>
    call(server, owner, method, target, body);
  const list = () => send(server.messagingDataUrl, listOf("-", PROJECT), { token: owner });
  expect((await registry("POST", "/v1/projects", { projectId: PROJECT, name: "Short lived" })).status).toBe(
    200,
  );
  const created = await registry("POST", `/v1beta1/projects/${PROJECT}/iosApps`, { bundleId: BUNDLE });
  expect(created.status).toBe(200);
  const events = ndjson([accepted(APP, new Date().toISOString(), LABEL)]);
  expect((await postEvents(server, owner, events, { project: PROJECT })).status).toBe(200);
  // The event's day may have 25 hours.
  await setClock(server, { advance: "2d" });
  await poll(list, ({ text }) => text.includes(LABEL));
  const texts = [LABEL, APP, BUNDLE];
  expect(await textsInBackup(server, join(directory, "before"), texts)).toEqual(texts);

  expect((await registry("DELETE", `/v1/projects/${PROJECT}`)).status).toBe(200);
  expect((await list()).status).toBe(403);
  await setClock(server, { advance: "29d", force: true });
  expect((await registry("POST", `/v1/projects/${PROJECT}:undelete`, {})).status).toBe(200);
  expect((await list()).text).toContain(LABEL);

  expect((await registry("DELETE", `/v1/projects/${PROJECT}`)).status).toBe(200);
  await setClock(server, { advance: "31d" });
  const undeleted = await registry("POST", `/v1/projects/${PROJECT}:undelete`, {});
  expect([undeleted.status, errorOf(undeleted.text).reason]).toEqual([404, "RESOURCE_NOT_FOUND"]);
  expect((await registry("GET", "/v1beta1/projects?showDeleted=true")).text).toBe("{}");
  // The last check for remaining data happens an hour later.
  await poll(
    async () => {
      await setClock(server, { advance: "2h" });
      return server.log();
    },
    (log) => log.includes("erased a deleted project"),
  );
  const again = await registry("POST", "/v1/projects", { projectId: PROJECT, name: "Another one" });
  expect(again.status).toBe(200);
  expect((await list()).text).toBe("{}");
  await setClock(server, { advance: "41d" });
  await untilLogged(server, "erased removed apps and old audit entries");
  expect(await textsInBackup(server, join(directory, "after"), texts)).toEqual([]);
});

test("a removed app can be restored for 30 days, and is then erased", async ({ openServer }) => {
  const server = await openServer();
  const owner = await server.token(OWNER);
  const registry = (method: string, target: string, body?: object) =>
    call(server, owner, method, target, body);
  expect((await registry("POST", "/v1/projects", { projectId: "with-apps", name: "With apps" })).status).toBe(
    200,
  );
  const created = await registry("POST", "/v1beta1/projects/with-apps/iosApps", { bundleId: BUNDLE });
  const { appId } = (JSON.parse(created.text) as { response: { appId: string } }).response;
  const app = `/v1beta1/projects/with-apps/iosApps/${appId}`;
  expect((await registry("POST", `${app}:remove`, {})).status).toBe(200);
  await setClock(server, { time: new Date(Date.now() + 29 * DAY_MS).toISOString() });
  expect((await registry("POST", `${app}:undelete`, {})).status).toBe(200);
  expect((await registry("POST", `${app}:remove`, {})).status).toBe(200);
  await setClock(server, { advance: "31d" });
  const statusOf = async (method: string, target: string) => (await registry(method, target)).status;
  expect([await statusOf("POST", `${app}:undelete`), await statusOf("GET", app)]).toEqual([404, 404]);
  const listed = await registry("GET", "/v1beta1/projects/with-apps/iosApps?showDeleted=true");
  expect(JSON.parse(listed.text)).toEqual({});
  await untilLogged(server, '"apps":1');
});
