import { randomUUID } from "node:crypto";
import { describe, expect } from "vitest";
import { errorOf, rejectionOf } from "../../src/api/testing/error-of.js";
import { accepted, incidentsOf, listOf } from "../support/data/delivery-data.js";
import { importInto, ndjson } from "../support/data/import.js";
import { REGISTRY_CONFIG, ROOT } from "../support/data/registry.js";
import { type HttpResponse, send } from "../support/http/exchange.js";
import { test as serving } from "../support/servers/fixtures.js";
import { ANDROID_APP, IOS_APP, PROJECT } from "../support/servers/project.js";

serving.override("config", REGISTRY_CONFIG);

const CONFIG = `/v1/projects/${PROJECT.id}/apps/${IOS_APP}/appAttestConfig`;

type Resource = readonly [listener: "integrityUrl" | "messagingDataUrl", target: string];

const test = serving.extend("resource", ["integrityUrl", CONFIG] as Resource).extend(
  "ask",
  ({ server, viewer, resource: [listener, target] }) =>
    (method: string, headers: Record<string, string> = {}): Promise<HttpResponse> =>
      send(server[listener], target, { method, token: viewer, headers }),
);

describe.each<Resource>([
  ["integrityUrl", CONFIG],
  ["integrityUrl", `${CONFIG}?fields=tokenTtl&prettyPrint=true`],
  ["integrityUrl", `/v1/projects/${PROJECT.id}/apps/-/appAttestConfig:batchGet`],
  ["integrityUrl", `/v1/projects/${PROJECT.id}/apps`],
  ["integrityUrl", "/openapi.json"],
  ["integrityUrl", "/$discovery/rest"],
  ["messagingDataUrl", listOf(ANDROID_APP)],
  ["messagingDataUrl", `${listOf(ANDROID_APP)}:aggregate`],
  ["messagingDataUrl", incidentsOf(ANDROID_APP)],
  ["messagingDataUrl", "/v1beta1/projects"],
  ["messagingDataUrl", "/console/"],
])("GET and HEAD at %s of %s", (...resource) => {
  test.override("resource", resource);

  let etag: string;
  test.beforeEach(async ({ ask }) => {
    etag = (await ask("GET")).headers.etag ?? "";
    expect(etag).toMatch(/^"[^"]+"$/);
  });

  /** Replaces OWN in a header with the response's entity tag. */
  const own = (header: string): string => header.replace("OWN", etag);
  test.for<[status: number, ifMatch: string | undefined, ifNoneMatch: string | undefined]>([
    [200, "OWN", undefined],
    [200, '"other", OWN', undefined],
    [200, "*", undefined],
    [412, '"other"', undefined],
    [412, "W/OWN", undefined],
    [412, "", undefined],
    [304, undefined, "OWN"],
    [304, undefined, "W/OWN"],
    [304, undefined, "*"],
    [200, undefined, '"other"'],
    [304, "OWN", "OWN"],
    [200, "OWN", '"other"'],
    [412, '"other"', "OWN"],
    [412, '"other"', "*"],
  ])("return %i for If-Match %j and If-None-Match %j", async ([status, ifMatch, ifNoneMatch], { ask }) => {
    const headers = {
      ...(ifMatch !== undefined && { "if-match": own(ifMatch) }),
      ...(ifNoneMatch !== undefined && { "if-none-match": own(ifNoneMatch) }),
    };
    const response = await ask("GET", headers);
    expect(response.status).toBe(status);
    expect(response.headers.etag).toBe(status === 412 ? undefined : etag);
    if (status === 412) {
      expect(errorOf(response.text)).toMatchObject({ status: "ABORTED", reason: "PRECONDITION_FAILED" });
    }
    expect(await ask("HEAD", headers)).toMatchObject({ status, text: "" });
  });
});

test("preconditions have no effect on requests that fail for other reasons", async ({ server, viewer }) => {
  const headers = { "if-match": '"other"', "if-none-match": "*" };
  const statusOf = async (target: string, sent: object): Promise<number> =>
    (await send(server.integrityUrl, target, { headers, ...sent })).status;
  expect(await statusOf(CONFIG, {})).toBe(401);
  expect(await statusOf(`${CONFIG}?x=1`, { token: viewer })).toBe(400);
  expect(await statusOf(CONFIG.replace(IOS_APP, "missing"), { token: viewer })).toBe(404);
  expect(await statusOf("/nothing", { token: viewer })).toBe(404);
});

describe.each<[kind: string, collection: string, body: object, change: object, mask: string]>([
  [
    "annotation",
    "annotations",
    { date: { year: 2026, month: 11, day: 25 }, kind: "RELEASE", text: "1" },
    { text: "2" },
    "text",
  ],
  [
    "target",
    "targets",
    { appId: "conditions", deliveredPercent: 80 },
    { deliveredPercent: 90 },
    "deliveredPercent",
  ],
])("changes of a resource: %s", (_kind, collection, body, change, mask) => {
  const changing = serving.extend("call", ({ editor, server }) => {
    return (method: string, path: string, headers: Record<string, string> = {}, sent?: object) =>
      send(server.messagingDataUrl, `/v1beta1/${path}`, {
        method,
        token: editor,
        headers: { ...headers, ...(sent !== undefined && { "content-type": "application/json" }) },
        ...(sent !== undefined && { body: JSON.stringify(sent) }),
      });
  });

  changing("are rejected in another state than If-Match or If-None-Match requires", async ({ call }) => {
    const created = await call("POST", `projects/${PROJECT.id}/${collection}`, {}, body);
    const { name, etag } = JSON.parse(created.text) as { readonly name: string; readonly etag: string };
    const quoted = etag.startsWith('"') ? etag : `"${etag}"`;
    const path = `${name}?updateMask=${mask}`;
    const read = () => call("GET", name);
    const header = (await read()).headers.etag ?? "";
    for (const wrong of [
      { "if-match": '"other"' },
      { "if-none-match": "*" },
      { "if-none-match": header },
      { "if-none-match": quoted },
    ])
      for (const changed of [call("PATCH", path, wrong, change), call("DELETE", name, wrong)]) {
        const { status, text } = await changed;
        expect([status, errorOf(text).status]).toEqual([412, "ABORTED"]);
      }
    expect(JSON.parse((await read()).text).etag).toBe(etag);

    expect((await call("PATCH", path, { "if-match": header }, change)).status).toBe(200);
    const { etag: next } = JSON.parse((await read()).text);
    expect(next).not.toBe(etag);
    expect((await call("DELETE", name, { "if-match": quoted })).status).toBe(412);
    const right = { "if-match": next.startsWith('"') ? next : `"${next}"` };
    // The field requires another state.
    expect((await call("PATCH", path, right, { ...change, etag })).status).toBe(409);
    expect((await call("DELETE", name, right)).status).toBe(200);
    expect((await call("DELETE", name, { "if-match": "*" })).status).toBe(404);
  });
});

serving(
  "one of several changes with the same If-Match is made, and the others return 412",
  async ({ server, editor }) => {
    const change = (seconds: number, headers: Record<string, string> = {}) =>
      send(server.integrityUrl, `${CONFIG}?updateMask=tokenTtl`, {
        method: "PATCH",
        token: editor,
        headers: { ...headers, "content-type": "application/json" },
        body: JSON.stringify({ tokenTtl: `${seconds}s` }),
      });
    await change(2_000);
    const header = (await send(server.integrityUrl, CONFIG, { token: editor })).headers.etag ?? "";
    const same = { "if-match": header };
    const responses = await Promise.all(
      Array.from({ length: 10 }, (_, index) => change(2_001 + index, same)),
    );
    expect(responses.map(({ status }) => status).sort()).toEqual([200, ...Array<number>(9).fill(412)]);
    const rejected = responses.filter(({ status }) => status === 412);
    const sentAs = (text: string) => JSON.parse(text).error.details[0].metadata.sentAs;
    expect(new Set(rejected.map(({ text }) => sentAs(text)))).toEqual(new Set(["If-Match"]));
  },
);

describe("changes of a resource without an etag field", () => {
  const PARENT = `/v1/projects/${PROJECT.id}/apps/${IOS_APP}/debugTokens`;

  test("are rejected in another state than If-Match or If-None-Match requires", async ({
    server,
    editor,
  }) => {
    const call = (method: string, path: string, headers: Record<string, string> = {}, body?: object) =>
      send(server.integrityUrl, path, {
        method,
        token: editor,
        headers: { ...headers, ...(body !== undefined && { "content-type": "application/json" }) },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
    const create = (headers: Record<string, string> = {}) =>
      call("POST", PARENT, headers, { displayName: "CI", token: randomUUID() });
    const path = `/v1/${JSON.parse((await create()).text).name}`;
    const tag = async (target: string) => (await call("GET", target)).headers.etag ?? "";
    const [own, list] = [await tag(path), await tag(PARENT)];
    const rename = (headers: Record<string, string>) =>
      call("PATCH", `${path}?updateMask=displayName`, headers, { displayName: "Build" });
    for (const changed of [
      rename({ "if-match": '"other"' }),
      rename({ "if-none-match": own }),
      call("DELETE", path, { "if-match": '"other"' }),
      call("DELETE", path, { "if-none-match": "*" }),
      create({ "if-none-match": "*" }),
      create({ "if-none-match": list }),
    ]) {
      expect(rejectionOf(await changed)).toEqual([412, "ETAG_MISMATCH"]);
    }
    expect([await tag(path), await tag(PARENT)]).toEqual([own, list]);
    expect((await rename({ "if-match": own })).status).toBe(200);
    expect((await call("DELETE", path, { "if-match": own })).status).toBe(412);
    expect((await call("DELETE", path, { "if-match": await tag(path) })).status).toBe(200);
  });
});

serving(
  "changes of projects and policies are rejected in another state than If-Match or If-None-Match requires",
  async ({ server }) => {
    const token = await server.token(ROOT);
    const change = (method: string, path: string, headers: Record<string, string> = {}, body?: object) =>
      send(server.registryUrl, path, {
        method,
        token,
        headers: { ...headers, ...(body !== undefined && { "content-type": "application/json" }) },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
    await change("POST", "/v1/projects", {}, { projectId: "conditional" });
    const path = "/v1/projects/conditional";
    const bindings = [{ role: "roles/owner", members: [`user:${ROOT}`] }];
    const setPolicy = (headers: Record<string, string>) =>
      change("POST", `${path}:setIamPolicy`, headers, { policy: { bindings } });
    const { etag } = JSON.parse((await change("POST", `${path}:getIamPolicy`, {}, {})).text);
    for (const changed of [
      change("DELETE", path, { "if-match": '"other"' }),
      change("DELETE", path, { "if-none-match": "*" }),
      setPolicy({ "if-match": '"other"' }),
      setPolicy({ "if-none-match": "*" }),
      setPolicy({ "if-none-match": `"${etag}"` }),
    ]) {
      const { status, text } = await changed;
      expect([status, errorOf(text).status]).toEqual([412, "ABORTED"]);
    }
    expect((await setPolicy({ "if-match": `"${etag}"` })).status).toBe(200);
    const current = (await change("GET", path)).headers.etag ?? "";
    expect((await change("DELETE", path, { "if-match": current })).status).toBe(200);
  },
);

describe("custom verbs of projects, which have no etag in their requests,", () => {
  const verbs = serving.extend("call", async ({ server }) => {
    const token = await server.token(ROOT);
    return async (line: string, headers: Record<string, string> = {}, body: object = {}) => {
      const [method = "", path = ""] = line.split(" ");
      const response = await send(server.registryUrl, path, {
        method,
        token,
        headers: { ...headers, ...(method === "POST" && { "content-type": "application/json" }) },
        ...(method === "POST" && { body: JSON.stringify(body) }),
      });
      return { ...response, json: JSON.parse(response.text) };
    };
  });
  const quote = (etag: string): string => `"${etag}"`;
  const ALWAYS_WRONG = [{ "if-match": '"other"' }, { "if-none-match": "*" }];

  verbs("check the tags of a project that they add or restore", async ({ call }) => {
    await call("POST /v1/projects", {}, { projectId: "verbs-project" });
    const add = "POST /v1beta1/projects/verbs-project:addFirebase";
    const read = await call("GET /v1beta1/projects/verbs-project");
    const tags = [read.headers.etag ?? "", quote(read.json.etag)];
    for (const headers of [...ALWAYS_WRONG, ...tags.map((tag) => ({ "if-none-match": tag }))])
      expect(rejectionOf(await call(add, headers))).toEqual([412, "ETAG_MISMATCH"]);
    for (const tag of tags) expect((await call(add, { "if-match": tag })).status).toBe(200);

    const restore = "POST /v1/projects/verbs-project:undelete";
    // The request would fail without the header, too.
    expect(rejectionOf(await call(restore, { "if-match": '"other"' }))).toEqual([400, "WRONG_STATE"]);
    await call("DELETE /v1/projects/verbs-project");
    const { results } = (await call("GET /v1beta1/projects?showDeleted=true")).json;
    const { etag } = results.find(({ projectId }: { projectId: string }) => projectId === "verbs-project");
    for (const headers of [...ALWAYS_WRONG, { "if-none-match": quote(etag) }, { "if-match": tags[1] ?? "" }])
      expect(rejectionOf(await call(restore, headers))).toEqual([412, "ETAG_MISMATCH"]);
    expect((await call(restore, { "if-match": quote(etag) })).status).toBe(200);
  });

  verbs("check the tag of a policy that they read", async ({ call }) => {
    const get = `POST /v1/projects/${PROJECT.id}:getIamPolicy`;
    const tag = quote((await call(get)).json.etag);
    for (const headers of [...ALWAYS_WRONG, { "if-none-match": tag }])
      expect(rejectionOf(await call(get, headers))).toEqual([412, "ETAG_MISMATCH"]);
    expect((await call(get, { "if-match": tag, "if-none-match": '"other"' })).status).toBe(200);
  });

  verbs("have no tag if they test permissions", async ({ call }) => {
    const test = `POST /v1/projects/${PROJECT.id}:testIamPermissions`;
    for (const headers of ALWAYS_WRONG)
      expect(rejectionOf(await call(test, headers))).toEqual([412, "ETAG_MISMATCH"]);
    expect((await call(test, { "if-match": "*", "if-none-match": '"other"' })).status).toBe(200);
  });
});

serving(
  "changes without a resource to read are rejected if a tag or its absence is required",
  async ({ server }) => {
    const token = await server.token(ROOT);
    const post = (url: string, path: string, type: string, body: string, headers: Record<string, string>) =>
      send(url, path, { method: "POST", token, headers: { "content-type": type, ...headers }, body });
    const line = ndjson([accepted(ANDROID_APP, "2025-11-01T12:00:00Z", "tagless")]);
    const project = JSON.stringify({ projectId: "tagless-project" });
    for (const change of [
      (headers: Record<string, string>) =>
        post(server.messagingDataUrl, importInto(), "application/x-ndjson", line, headers),
      (headers: Record<string, string>) =>
        post(server.registryUrl, "/v1/projects", "application/json", project, headers),
    ]) {
      for (const headers of [{ "if-match": '"other"' }, { "if-none-match": "*" }])
        expect(rejectionOf(await change(headers))).toEqual([412, "ETAG_MISMATCH"]);
      expect((await change({ "if-match": "*", "if-none-match": '"other"' })).status).toBe(200);
    }
  },
);
