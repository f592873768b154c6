import { once } from "node:events";
import { type ClientRequest, type IncomingMessage, request } from "node:http";
import { expect } from "vitest";
import { errorOf } from "../../src/api/testing/error-of.js";
import { accepted, listOf } from "../support/data/delivery-data.js";
import { importInto, ndjson, postEvents } from "../support/data/import.js";
import { type HttpResponse, send } from "../support/http/exchange.js";
import { poll } from "../support/poll.js";
import { test as serving } from "../support/servers/fixtures.js";

const OWNER = "owner@example.com";
const WRITER = "writer@example.com";
const APP = "app";
const EVENT = ndjson([accepted(APP, "2026-01-02T20:00:00Z")]);

serving.override("config", { access: [{ principal: OWNER, projects: "*", role: "owner" }] });
const test = serving
  .extend("owner", { scope: "file" }, ({ server }) => server.token(OWNER))
  .extend("writer", { scope: "file" }, ({ server }) => server.token(WRITER))
  /** Sends JSON to the registry service. */
  .extend(
    "registry",
    ({ server, owner }) =>
      async (method: string, target: string, body?: object): Promise<HttpResponse> => {
        const response = await send(server.registryUrl, target, {
          method,
          token: owner,
          ...(body && { headers: { "content-type": "application/json" }, body: JSON.stringify(body) }),
        });
        expect([response.status, response.text]).toEqual([200, expect.any(String)]);
        return response;
      },
  )
  /** Creates a project with an editor. */
  .extend("createProject", ({ registry }) => async (projectId: string) => {
    await registry("POST", "/v1/projects", { projectId, name: "A project" });
    await setEditors(registry, projectId, [WRITER]);
  })
  /** Starts an import, and sends a part of its events. */
  .extend("startImport", ({ server, writer }) => async (project: string): Promise<ClientRequest> => {
    const { hostname, port } = new URL(server.messagingDataUrl);
    const upload = request({
      host: hostname,
      port,
      method: "POST",
      path: importInto(project),
      headers: {
        authorization: `Bearer ${writer}`,
        "content-type": "application/x-ndjson",
        expect: "100-continue",
      },
    });
    upload.flushHeaders();
    await once(upload, "continue");
    upload.write(EVENT);
    return upload;
  });

type Registry = (method: string, target: string, body?: object) => Promise<HttpResponse>;

async function setEditors(registry: Registry, projectId: string, editors: readonly string[]): Promise<void> {
  const { text } = await registry("POST", `/v1/projects/${projectId}:getIamPolicy`, {});
  const { etag } = JSON.parse(text) as { etag: string };
  const bindings = [
    { role: "roles/owner", members: [`user:${OWNER}`] },
    ...(editors.length > 0 ? [{ role: "roles/editor", members: editors.map((name) => `user:${name}`) }] : []),
  ];
  await registry("POST", `/v1/projects/${projectId}:setIamPolicy`, { policy: { bindings, etag } });
}

/** Completes an import. */
async function finish(
  upload: ClientRequest,
): Promise<{ readonly status: number | undefined; readonly text: string }> {
  upload.end(EVENT);
  const [response] = (await once(upload, "response")) as [IncomingMessage];
  return { status: response.statusCode, text: Buffer.concat(await response.toArray()).toString() };
}

test("a project that was created at run time accepts events and lists them immediately", async ({
  server,
  owner,
  writer,
  registry,
  createProject,
}) => {
  await createProject("created-now");
  expect((await postEvents(server, writer, EVENT, { project: "created-now" })).status).toBe(200);
  const target = listOf(APP, "created-now");
  const { text } = await poll(
    () => send(server.messagingDataUrl, target, { token: owner }),
    (response) => response.text.includes("androidDeliveryData"),
  );
  expect(JSON.parse(text)).toMatchObject({ androidDeliveryData: [{ appId: APP }] });
  const projects = await send(server.messagingDataUrl, "/v1beta1/projects", { token: writer });
  expect(JSON.parse(projects.text)).toMatchObject({ projects: [{ projectId: "created-now" }] });
  const { projectNumber } = JSON.parse((await registry("GET", "/v1beta1/projects/created-now")).text);
  await poll(
    () => fetch(`${server.adminUrl}/metrics`).then((response) => response.text()),
    (metrics) => metrics.includes(`waybill_ongoing_incidents{project="${projectNumber}"`),
  );
});

test("an upload stores no events if its caller loses the role before the end", async ({
  server,
  owner,
  registry,
  createProject,
  startImport,
}) => {
  await createProject("lost-role");
  const upload = await startImport("lost-role");
  await setEditors(registry, "lost-role", []);
  const { status, text } = await finish(upload);
  expect([status, errorOf(text).reason]).toEqual([403, "PERMISSION_MISSING"]);
  const apps = await send(server.messagingDataUrl, listOf("-", "lost-role"), { token: owner });
  expect([apps.status, JSON.parse(apps.text)]).toEqual([200, {}]);
});

test("an upload stores no events if its project is deleted before the end", async ({
  server,
  owner,
  registry,
  createProject,
  startImport,
}) => {
  await createProject("deleted-meanwhile");
  const upload = await startImport("deleted-meanwhile");
  await registry("DELETE", "/v1/projects/deleted-meanwhile");
  const { status, text } = await finish(upload);
  expect([status, errorOf(text).reason]).toEqual([403, "PERMISSION_MISSING"]);
  await registry("POST", "/v1/projects/deleted-meanwhile:undelete", {});
  const apps = await send(server.messagingDataUrl, listOf("-", "deleted-meanwhile"), { token: owner });
  expect([apps.status, JSON.parse(apps.text)]).toEqual([200, {}]);
});

test("an upload is stored if its caller keeps the role", async ({ createProject, startImport }) => {
  await createProject("kept-role");
  const upload = await startImport("kept-role");
  expect((await finish(upload)).status).toBe(200);
});
