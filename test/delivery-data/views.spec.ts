import { describe, expect } from "vitest";
import { errorOf, rejectionOf } from "../../src/api/testing/error-of.js";
import { auditEntries, REGISTRY_CONFIG } from "../support/data/registry.js";
import { test as serving } from "../support/http/grpc-test.js";
import { jsonCalls } from "../support/http/json-calls.js";
import { EDITOR, OTHER_PROJECT, PROJECT } from "../support/servers/project.js";

const BELOW = `projects/${PROJECT.id}/views`;
const QUERY = "app=1%3A5%3Aandroid%3Add&tab=labels&days=7&label=promo+a&label=&sort=-failed";
const VIEW = { displayName: "Promo, 7 days", query: QUERY };
const NAME = new RegExp(`^projects/${PROJECT.number}/views/[0-9a-f-]{36}$`);

interface View {
  readonly name: string;
  readonly etag: string;
}

const test = serving
  .override("config", REGISTRY_CONFIG)
  .extend("call", ({ server, editor }) => jsonCalls(server.messagingDataUrl, editor))
  .extend("create", ({ call }) => async (body: object = VIEW): Promise<View> => {
    const { status, text } = await call("POST", BELOW, body);
    expect([status, text]).toEqual([200, expect.any(String)]);
    return JSON.parse(text);
  });

describe("saved views", () => {
  test("can be created, read, renamed and deleted, and the audit log has all of it", async ({
    call,
    create,
    server,
  }) => {
    const created = await create();
    const { name, etag, ...fields } = created;
    expect(name).toMatch(NAME);
    const time = expect.stringMatching(/^\d{4}-.*Z$/);
    expect(fields).toEqual({ ...VIEW, createTime: time, updateTime: time });
    expect(JSON.parse((await call("GET", name)).text)).toEqual(created);

    const renaming = { displayName: "Promo", etag };
    const renamed = await call("PATCH", `${name}?updateMask=displayName`, renaming);
    const after = JSON.parse(renamed.text);
    expect(after).toMatchObject({ displayName: "Promo", query: QUERY });
    const outdated = await call("PATCH", `${name}?updateMask=displayName`, renaming);
    expect([outdated.status, errorOf(outdated.text).reason]).toEqual([409, "ETAG_MISMATCH"]);
    expect((await call("DELETE", `${name}?etag=${after.etag}`)).status).toBe(200);
    expect(rejectionOf(await call("GET", name))).toEqual([404, "RESOURCE_NOT_FOUND"]);

    expect(await auditEntries(server, `principal=${EDITOR}&pageSize=3`)).toMatchObject(
      ["DeleteView", "UpdateView", "CreateView"].map((method) => ({ method, resource: name })),
    );
  });

  test("can be read by viewers, and changed by editors, of their project", async ({
    call,
    create,
    viewer,
  }) => {
    const { name } = await create();
    expect((await call("GET", name, undefined, viewer)).status).toBe(200);
    expect(JSON.parse((await call("GET", BELOW, undefined, viewer)).text).views).toMatchObject([{ name }]);
    expect((await call("POST", BELOW, VIEW, viewer)).status).toBe(403);
    expect((await call("PATCH", `${name}?updateMask=*`, VIEW, viewer)).status).toBe(403);
    expect((await call("DELETE", name, undefined, viewer)).status).toBe(403);
    expect((await call("GET", `projects/${OTHER_PROJECT.id}/views`)).status).toBe(403);
    await call("DELETE", name);
  });

  test.for<[change: object, field: string]>([
    [{ displayName: "" }, "displayName"],
    [{ displayName: " " }, "displayName"],
    [{ displayName: "x".repeat(101) }, "displayName"],
    [{ displayName: "two\nlines" }, "displayName"],
    [{ displayName: "two\u2028lines" }, "displayName"],
    [{ query: "https://example.com/?app=a" }, "query"],
    [{ query: "//example.com" }, "query"],
    [{ query: "?app=a" }, "query"],
    [{ query: "app" }, "query"],
    [{ query: "app=a&" }, "query"],
    [{ query: "app=a#b" }, "query"],
    [{ query: "app=a b" }, "query"],
    [{ query: "app=%zz" }, "query"],
    [{ query: "app=a&project=other" }, "query"],
    [{ query: `app=${"a".repeat(1_997)}` }, "query"],
  ])("are rejected with %j", async ([change, field], { call }) => {
    const { status, text } = await call("POST", BELOW, { ...VIEW, ...change });
    expect([status, errorOf(text).reason]).toEqual([400, "INVALID_VIEW"]);
    expect(JSON.parse(text).error.details.at(-1).fieldViolations).toMatchObject([{ field }]);
  });

  test("can have the console's defaults, and up to 2,000 bytes", async ({ call, create }) => {
    for (const query of ["", `app=${"a".repeat(1_996)}`]) {
      const { name } = await create({ displayName: "x".repeat(100), query });
      await call("DELETE", name);
    }
  });

  test("are limited to 100 per project", async ({ call, create }) => {
    const names: string[] = [];
    for (let index = 0; index < 100; index += 1) names.push((await create()).name);
    expect(rejectionOf(await call("POST", BELOW, VIEW))).toEqual([400, "TOO_MANY_RESOURCES"]);
    for (const name of names) await call("DELETE", name);
    expect(JSON.parse((await call("GET", BELOW)).text)).toEqual({});
  });

  test("are created over gRPC", async ({ messagingData, editor, call }) => {
    const request = { parent: `projects/${PROJECT.id}`, view: VIEW };
    const { message } = await messagingData.unary<View>("CreateView", request, { token: editor });
    const { views } = JSON.parse((await call("GET", BELOW)).text);
    expect(views).toMatchObject([{ name: message.name, ...VIEW }]);
    await messagingData.unary("DeleteView", { name: message.name }, { token: editor });
  });
});
