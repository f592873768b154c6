import { describe, expect } from "vitest";
import { errorOf } from "../../src/api/testing/error-of.js";
import { send, sender } from "../support/http/exchange.js";
import { test as serving } from "../support/servers/fixtures.js";
import { BASE_CONFIG, IOS_APP, OTHER_PROJECT, PROJECT, VIEWER } from "../support/servers/project.js";

const STRANGE_APP = "1:2 ü%+";
const config = {
  projects: BASE_CONFIG.projects.map((project) =>
    project.id === PROJECT.id && "apps" in project
      ? { ...project, apps: [...project.apps, { id: STRANGE_APP }, { id: "constructor" }] }
      : project,
  ),
  access: [{ principal: VIEWER, projects: [PROJECT.id, OTHER_PROJECT.id], role: "viewer" }],
};

serving.override("config", config);
const test = serving
  .extend("token", { scope: "file" }, ({ server }) => server.token(VIEWER, "app-platform"))
  .extend("get", ({ server, token }) => sender(server.integrityUrl, token));

const configOf = (app: string, project: string = PROJECT.id): string =>
  `/v1/projects/${project}/apps/${app}/appAttestConfig`;

describe("an App Attest configuration", () => {
  test.for([
    ["by project id, TTL never set", configOf(IOS_APP), IOS_APP, "3600s"],
    ["by project number", configOf(IOS_APP, PROJECT.number), IOS_APP, "3600s"],
    ["with a TTL that was set", configOf("app-7d"), "app-7d", "604800s"],
    ["of an app percent-encoded", configOf("1%3A2%20%C3%BC%25%2B"), STRANGE_APP, "3600s"],
    [
      "of an app with an id that is also a property of objects",
      configOf("constructor"),
      "constructor",
      "3600s",
    ],
    ["of a project percent-encoded", configOf("app-7d", "test%2Dproject"), "app-7d", "604800s"],
    ["by an absolute URL", `http://anything${configOf("app-7d")}`, "app-7d", "604800s"],
  ] as const)("is returned %s", async ([_case, target, app, tokenTtl], { get }) => {
    const { status, headers, text } = await get(target);
    expect(status).toBe(200);
    expect(headers["content-type"]).toBe("application/json; charset=utf-8");
    const name = `projects/${PROJECT.number}/apps/${app}/appAttestConfig`;
    expect(text).toBe(JSON.stringify({ name, tokenTtl }));
  });

  test.for([
    ["an app that is not registered", configOf("nobody")],
    ["an app of another project", configOf(IOS_APP, OTHER_PROJECT.id)],
    ["an app id in another case", configOf("APP-7D")],
    ["an app with an encoded slash", configOf("a%2Fb")],
    ["a property name of every object", configOf("__proto__")],
  ] as const)("does not exist for %s", async ([_case, target], { get }) => {
    const { status, text } = await get(target);
    expect(status).toBe(404);
    expect(errorOf(text)).toMatchObject({
      status: "NOT_FOUND",
      reason: "RESOURCE_NOT_FOUND",
      domain: "integrity.waybill",
      metadata: { resourceName: expect.stringContaining("/appAttestConfig") },
    });
  });
});

describe("the response with an App Attest configuration", () => {
  test("can be revalidated by its entity tag", async ({ get }) => {
    const { headers } = await get(configOf(IOS_APP));
    expect(headers["cache-control"]).toBe("private, no-cache");
    expect(headers.etag).toMatch(/^"[^"]+"$/);
    const etag = headers.etag ?? "";
    for (const condition of [etag, `W/${etag}`, `"other", ${etag}`, "*"]) {
      const response = await get(configOf(IOS_APP), { headers: { "if-none-match": condition } });
      expect(response).toMatchObject({ status: 304, text: "", headers: { etag } });
    }
  });

  test.for([['"other"'], [""], ["no tag"]] as const)(
    "is sent completely for If-None-Match: %s",
    async ([condition], { get }) => {
      const response = await get(configOf(IOS_APP), { headers: { "if-none-match": condition } });
      expect(response.status).toBe(200);
    },
  );

  test("has different entity tags for different content", async ({ get }) => {
    const tags = await Promise.all(
      [configOf(IOS_APP), configOf("app-7d"), `${configOf(IOS_APP)}?prettyPrint=true`].map(
        async (target) => (await get(target)).headers.etag,
      ),
    );
    expect(new Set(tags).size).toBe(3);
  });

  test("requires credentials before it returns 304", async ({ server }) => {
    const response = await send(server.integrityUrl, configOf(IOS_APP), {
      headers: { "if-none-match": "*" },
    });
    expect(response.status).toBe(401);
  });
});

test("HEAD of an App Attest configuration returns the headers of GET, without a body", async ({ get }) => {
  const whole = await get(configOf(IOS_APP));
  const head = await get(configOf(IOS_APP), { method: "HEAD" });
  expect(head).toMatchObject({ status: 200, text: "" });
  for (const name of ["content-type", "content-length", "etag", "cache-control"] as const) {
    expect(head.headers[name]).toBe(whole.headers[name]);
  }
  expect((await get(configOf("nobody"), { method: "HEAD" })).status).toBe(404);
});

test("small responses are never compressed", async ({ get }) => {
  const { headers } = await get(configOf(IOS_APP), { headers: { "accept-encoding": "gzip, br" } });
  expect(headers["content-encoding"]).toBeUndefined();
});
