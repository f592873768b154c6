import { describe, expect } from "vitest";
import { errorOf } from "../../src/api/testing/error-of.js";
import { nameOf, patch } from "../support/data/integrity.js";
import { type HttpResponse, type Sent, send } from "../support/http/exchange.js";
import { test as serving } from "../support/servers/fixtures.js";
import { BASE_CONFIG, EDITOR, IOS_APP, OTHER_PROJECT, PROJECT, VIEWER } from "../support/servers/project.js";

const APPS = [IOS_APP, "app-7d", "Z", "é", "never", "reset"];
const config = {
  projects: [
    {
      ...PROJECT,
      apps: APPS.map((id) => (id === "app-7d" ? { id, appAttestConfig: { tokenTtl: "604800s" } } : { id })),
    },
    { ...OTHER_PROJECT, apps: [{ id: "elsewhere" }] },
  ],
  access: [...BASE_CONFIG.access, { principal: VIEWER, projects: [OTHER_PROJECT.id], role: "viewer" }],
};

serving.override("config", config);
const test = serving
  .extend("token", { scope: "file" }, ({ server }) => server.token(VIEWER, "app-platform"))
  .extend(
    "batchGet",
    ({ server, token }) =>
      (query: string, { project = PROJECT.id, ...sent }: BatchGet = {}): Promise<HttpResponse> =>
        send(server.integrityUrl, `/v1/projects/${project}/apps/-/appAttestConfig:batchGet${query}`, {
          token,
          ...sent,
        }),
  );

/** A request; in {@link PROJECT} unless it names another project. */
type BatchGet = Sent & { readonly project?: string };
const names = (...list: string[]): string =>
  `?${list.map((name) => `names=${encodeURIComponent(name)}`).join("&")}`;
const configNamed = (app: string, tokenTtl = "3600s") => ({ name: nameOf(app), tokenTtl });

describe("batchGet", () => {
  test.for<[query: string, configs: readonly object[]]>([
    [names(nameOf(IOS_APP)), [configNamed(IOS_APP)]],
    [
      names(nameOf("Z"), nameOf("app-7d"), nameOf("é")),
      [configNamed("Z"), configNamed("app-7d", "604800s"), configNamed("é")],
    ],
    [
      names(nameOf("Z", PROJECT.id), nameOf("Z"), nameOf("Z", PROJECT.id)),
      [configNamed("Z"), configNamed("Z"), configNamed("Z")],
    ],
    [`${names(nameOf("Z"))}&fields=configs/tokenTtl`, [{ tokenTtl: "3600s" }]],
    [`?names=projects/${PROJECT.id}/apps/${IOS_APP}/appAttestConfig`, [configNamed(IOS_APP)]],
    [
      names(...Array.from({ length: 100 }, (_, index) => nameOf(index % 2 === 0 ? "Z" : "é"))),
      Array.from({ length: 100 }, (_, index) => configNamed(index % 2 === 0 ? "Z" : "é")),
    ],
  ])("returns the configurations for %.80s", async ([query, configs], { batchGet }) => {
    for (const project of [PROJECT.id, PROJECT.number]) {
      const { status, text } = await batchGet(query, { project });
      expect([status, JSON.parse(text)]).toEqual([200, { configs }]);
    }
  });

  test("returns no configurations if none was ever set", async ({ batchGet }) => {
    const { status, text } = await batchGet("", { project: OTHER_PROJECT.id });
    expect([status, text]).toEqual([200, "{}"]);
  });

  test("without names, returns configurations from the file and changed ones, even if the change restored the default", async ({
    server,
    batchGet,
  }) => {
    expect(JSON.parse((await batchGet("")).text)).toEqual({ configs: [configNamed("app-7d", "604800s")] });
    const editor = await server.token(EDITOR);
    for (const app of ["%C3%A9", "Z", "reset"]) await patch(server, editor, app, { tokenTtl: "7200s" });
    await patch(server, editor, "reset", {});
    const etag = expect.stringMatching(/^"[\w-]+"$/);
    expect(JSON.parse((await batchGet("")).text)).toEqual({
      configs: [
        { ...configNamed("Z", "7200s"), etag },
        configNamed("app-7d", "604800s"),
        { ...configNamed("reset"), etag },
        { ...configNamed("é", "7200s"), etag },
      ],
    });
  });

  test("returns 304 for a matching If-None-Match", async ({ batchGet }) => {
    const { headers } = await batchGet("");
    const again = await batchGet("", { headers: { "if-none-match": headers.etag ?? "" } });
    expect(again).toMatchObject({ status: 304, text: "" });
  });
});

describe("batchGet", () => {
  test.for<[query: string, reason: string, ...fields: string[]]>([
    [names(...Array.from({ length: 101 }, () => nameOf("Z"))), "TOO_MANY_NAMES", "names"],
    [names(nameOf("Z"), ""), "INVALID_RESOURCE_NAME", "names[1]"],
    ["?names=", "INVALID_RESOURCE_NAME", "names[0]"],
    [names("projects/x", nameOf("Z"), `/${nameOf("Z")}`), "INVALID_RESOURCE_NAME", "names[0]", "names[2]"],
    [names(nameOf("Z"), nameOf("elsewhere", OTHER_PROJECT.number)), "PARENT_MISMATCH", "names[1]"],
    [names(nameOf("Z", OTHER_PROJECT.id)), "PARENT_MISMATCH", "names[0]"],
    [names(nameOf("Z", "nowhere")), "PARENT_MISMATCH", "names[0]"],
    [names(nameOf("Z", "-")), "PARENT_MISMATCH", "names[0]"],
    ["?name=x", "UNKNOWN_PARAMETER", "name"],
    [`?parent=projects/${PROJECT.id}`, "INVALID_PARAMETER", "parent"],
    ["?names=%ff", "MALFORMED_QUERY", "names"],
  ])("rejects %.60s: %s", async ([query, reason, ...fields], { batchGet }) => {
    const { status, text } = await batchGet(query);
    expect(status).toBe(400);
    expect(errorOf(text)).toMatchObject({ status: "INVALID_ARGUMENT", reason, fields });
  });

  test.for(["nobody", "elsewhere", "z", "__proto__", "%5A"])(
    "rejects a request with the unregistered app %s",
    async (app, { batchGet }) => {
      const { status, text } = await batchGet(names(nameOf("Z"), nameOf(app), nameOf("é")));
      expect(status).toBe(404);
      expect(errorOf(text)).toMatchObject({
        reason: "RESOURCE_NOT_FOUND",
        metadata: { resourceName: nameOf(app) },
      });
    },
  );

  test.for<[what: string, asked: (noRole: string) => BatchGet, status: number, reason: string]>([
    ["no token", () => ({ token: undefined, headers: {} }), 401, "CREDENTIALS_MISSING"],
    ["an unknown project", () => ({ project: "nowhere" }), 403, "PERMISSION_MISSING"],
    ["no role", (noRole) => ({ token: noRole }), 403, "PERMISSION_MISSING"],
    ["all projects at once", () => ({ project: "-" }), 403, "PERMISSION_MISSING"],
    ["a body", () => ({ body: "{}" }), 400, "REQUEST_BODY_NOT_EMPTY"],
    ["another method", () => ({ method: "POST" }), 405, "METHOD_NOT_ALLOWED"],
  ])("rejects a call with %s", async ([_, asked, status, reason], { noRole, batchGet }) => {
    const response = await batchGet("", asked(noRole));
    expect(response.status).toBe(status);
    expect(errorOf(response.text).reason).toBe(reason);
  });

  test.for<[scopes: ("platform" | "app-platform")[]]>([[["platform"]], [["app-platform"]]])(
    "accepts a viewer with the scopes %j",
    async ([scopes], { server, batchGet }) => {
      expect((await batchGet("", { token: await server.token(VIEWER, ...scopes) })).status).toBe(200);
    },
  );
});
