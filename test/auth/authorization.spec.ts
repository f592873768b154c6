import { join } from "node:path";
import { describe, expect } from "vitest";
import { errorOf } from "../../src/api/testing/error-of.js";
import { runInProcess } from "../../src/cli/testing/run-in-process.js";
import { listOf } from "../support/data/delivery-data.js";
import { type HttpResponse, send } from "../support/http/exchange.js";
import { localIssuerOf } from "../support/servers/access-token.js";
import { test as serving } from "../support/servers/fixtures.js";
import {
  ANDROID_APP,
  BASE_CONFIG,
  EDITOR,
  IOS_APP,
  NO_ROLE,
  OTHER_PROJECT,
  PROJECT,
  VIEWER,
} from "../support/servers/project.js";

const AUDITOR = "auditor@example.com";
const SCOPE_BASE = "https://scopes.example.com/auth";
const config = {
  ...BASE_CONFIG,
  auth: { scopeBase: SCOPE_BASE },
  access: [...BASE_CONFIG.access, { principal: AUDITOR, projects: "*", role: "viewer" }],
};

serving.override("config", config);
const test = serving
  .extend("issuer", { scope: "file" }, ({ server }) => localIssuerOf(server.dataDir))
  .extend(
    "token",
    ({ issuer }) =>
      (principal: string, ...scopes: string[]): Promise<string> =>
        issuer.sign({
          principal,
          scopes: (scopes.length > 0 ? scopes : ["platform"]).map((scope) => `${SCOPE_BASE}/${scope}`),
          ttlSeconds: 600,
        }),
  )
  .extend(
    "get",
    ({ server }) =>
      (sent: object, project: string = PROJECT.id, app?: string) =>
        send(server.integrityUrl, getIn(project, app), sent),
  )
  .extend(
    "list",
    ({ server }) =>
      (sent: object, project: string = PROJECT.id, query = "") =>
        send(server.messagingDataUrl, listOf(ANDROID_APP, project) + query, sent),
  )
  .extend(
    "importInto",
    ({ server }) =>
      (sent: object, project: string = PROJECT.id) =>
        send(server.messagingDataUrl, `/v1beta1/projects/${project}/messageEvents:import`, {
          method: "POST",
          headers: { "content-type": "application/x-ndjson" },
          body: "",
          ...sent,
        }),
  );

const getIn = (project: string, app: string = IOS_APP) =>
  `/v1/projects/${project}/apps/${app}/appAttestConfig`;

describe("scopes", () => {
  const both = `${SCOPE_BASE}/platform ${SCOPE_BASE}/app-platform`;
  test.for<[scopes: string[], got: number, listed: number, imported: number]>([
    [["platform"], 200, 200, 200],
    [["app-platform"], 200, 403, 403],
    [["platform", "app-platform"], 200, 200, 200],
    [["cloud-platform"], 200, 200, 200],
    [["firebase"], 200, 403, 403],
    [["Platform", "platform/", "platform.read-only"], 403, 403, 403],
  ])(
    "the scopes %j allow get %d, list %d, import %d",
    async ([scopes, got, listed, imported], { token, get, list, importInto }) => {
      const sent = { token: await token(EDITOR, ...scopes) };
      expect((await get(sent)).status).toBe(got);
      expect((await list(sent)).status).toBe(listed);
      expect((await importInto(sent)).status).toBe(imported);
    },
  );

  test("are named in the error if the token lacks them", async ({ token, list, importInto }) => {
    const sent = { token: await token(EDITOR, "app-platform") };
    for (const response of [await list(sent), await importInto(sent)])
      expectScopes(response, `${SCOPE_BASE}/platform`);
  });

  test("are written into tokens by `waybill token`", async ({ server, list }) => {
    const place = ["--config", join(server.dataDir, "..", "waybill.yaml"), "--data-dir", server.dataDir];
    const { stdout } = await runInProcess(["token", ...place, "--principal", VIEWER, "--scope", "platform"]);
    expect((await list({ token: stdout.trim() })).status).toBe(200);
  });

  test("count only under the configured scope base", async ({ server, get, list }) => {
    // Created without the configuration, so its scopes have the default base.
    const other = await server.token(EDITOR, "platform", "app-platform");
    expectScopes(await get({ token: other }), both);
    expectScopes(await list({ token: other }), `${SCOPE_BASE}/platform`);
  });

  function expectScopes({ status, headers, text }: HttpResponse, scope: string): void {
    expect(status).toBe(403);
    expect(headers["www-authenticate"]).toBe(
      `Bearer realm="waybill", error="insufficient_scope", scope="${scope}"`,
    );
    expect(errorOf(text)).toMatchObject({
      status: "PERMISSION_DENIED",
      reason: "ACCESS_TOKEN_SCOPE_INSUFFICIENT",
      metadata: { scope },
    });
  }
});

describe("roles", () => {
  test.for([
    ["an editor", EDITOR, PROJECT.id, 200, 200, 200],
    ["a viewer", VIEWER, PROJECT.id, 200, 200, 403],
    ["a viewer, with the project number", VIEWER, PROJECT.number, 200, 200, 403],
    ["a viewer of another project", VIEWER, OTHER_PROJECT.id, 403, 403, 403],
    ["a viewer of every project", AUDITOR, PROJECT.id, 200, 200, 403],
    ["a caller without a role", NO_ROLE, PROJECT.id, 403, 403, 403],
    ["the editor in another case", EDITOR.toUpperCase(), PROJECT.id, 403, 403, 403],
  ] as const)(
    "limit what %s may do",
    async ([_case, principal, project, got, listed, imported], { token, get, list, importInto }) => {
      const sent = { token: await token(principal) };
      const responses = [
        await get(sent, project),
        await list(sent, project),
        await importInto(sent, project),
      ];
      expect(responses.map(({ status }) => status)).toEqual([got, listed, imported]);
      for (const { text } of responses.filter(({ status }) => status === 403)) {
        expect(errorOf(text)).toMatchObject({
          status: "PERMISSION_DENIED",
          reason: "PERMISSION_MISSING",
          metadata: { project },
        });
      }
    },
  );

  test("do not reveal whether a project or an app exists", async ({ token, get, list, importInto }) => {
    const sent = { token: await token(VIEWER) };
    const seen = ({ status, headers, text }: HttpResponse, project: string) => {
      const { "x-request-id": _id, date: _date, "content-length": _length, ...rest } = headers;
      return { status, headers: rest, text: text.replaceAll(project, "PROJECT") };
    };
    const absent = "missing-project";
    for (const call of [get, list, importInto]) {
      expect(seen(await call(sent, OTHER_PROJECT.id), OTHER_PROJECT.id)).toEqual(
        seen(await call(sent, absent), absent),
      );
      expect(seen(await call(sent, OTHER_PROJECT.number), OTHER_PROJECT.number)).toEqual(
        seen(await call(sent, "999999999999"), "999999999999"),
      );
    }
    expect((await get(sent, OTHER_PROJECT.id, "x")).status).toBe(403);
  });
});

/** Calls with some parts of a request, and a function that creates tokens for them. */
interface Callers {
  readonly get: (sent: object, project?: string, app?: string) => Promise<HttpResponse>;
  readonly list: (sent: object, project?: string, query?: string) => Promise<HttpResponse>;
  readonly token: (principal: string, ...scopes: string[]) => Promise<string>;
}

describe("requests are checked in the order route, credentials, scope, role, parameters", () => {
  const wrong = "?pageSize=x&unknown=1";
  test.for<[name: string, call: (by: Callers) => Promise<HttpResponse>, status: number, reason: string]>([
    ["no route, no credentials", ({ get }) => get({}, "a/b"), 404, "ROUTE_NOT_FOUND"],
    ["wrong method, no credentials", ({ list }) => list({ method: "PUT" }), 405, "METHOD_NOT_ALLOWED"],
    [
      "wrong parameters, no credentials",
      ({ list }) => list({}, PROJECT.id, wrong),
      401,
      "CREDENTIALS_MISSING",
    ],
    ["malformed path, no credentials", ({ list }) => list({}, "%ff"), 401, "CREDENTIALS_MISSING"],
    [
      "wrong parameters, wrong scope",
      async ({ list, token }) => list({ token: await token(EDITOR, "app-platform") }, PROJECT.id, wrong),
      403,
      "ACCESS_TOKEN_SCOPE_INSUFFICIENT",
    ],
    [
      "no role, wrong scope",
      async ({ list, token }) => list({ token: await token(NO_ROLE, "app-platform") }, PROJECT.id),
      403,
      "ACCESS_TOKEN_SCOPE_INSUFFICIENT",
    ],
    [
      "wrong parameters, no role",
      async ({ list, token }) => list({ token: await token(NO_ROLE) }, PROJECT.id, wrong),
      403,
      "PERMISSION_MISSING",
    ],
    [
      "a body, no role",
      async ({ list, token }) => list({ token: await token(NO_ROLE), body: "x" }),
      403,
      "PERMISSION_MISSING",
    ],
    [
      "no such app, no role",
      async ({ get, token }) => get({ token: await token(NO_ROLE) }, PROJECT.id, "missing"),
      403,
      "PERMISSION_MISSING",
    ],
  ])("%s", async ([_name, call, status, reason], { get, list, token }) => {
    const response = await call({ get, list, token });
    expect(response.status).toBe(status);
    expect(errorOf(response.text).reason).toBe(reason);
  });
});
