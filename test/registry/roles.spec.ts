import { describe, expect } from "vitest";
import { errorOf } from "../../src/api/testing/error-of.js";
import { RegistryService } from "../../src/gen/waybill/registry/v1/registry_pb.js";
import { call, createIosApp, createProject, OWNER, REGISTRY_CONFIG, ROOT } from "../support/data/registry.js";
import { test as serving } from "../support/servers/fixtures.js";
import { EDITOR, NO_ROLE, VIEWER } from "../support/servers/project.js";

const TEAM = "team-project";
const NOBODY = "nobody@example.com";
/** Principals by rank. Each may do everything that the following ones may do. */
const PRINCIPALS = [ROOT, OWNER, EDITOR, VIEWER, NO_ROLE];

serving.override("config", REGISTRY_CONFIG);
const test = serving
  .extend("tokens", { scope: "file" }, async ({ server }) => {
    const all = await Promise.all(
      [...PRINCIPALS, NOBODY].map(async (one) => [one, await server.token(one)] as const),
    );
    return Object.fromEntries(all) as Record<string, string>;
  })
  .extend("app", { scope: "file" }, async ({ server, tokens }) => {
    const root = String(tokens[ROOT]);
    await createProject(server, root, TEAM, { [OWNER]: "owner", [EDITOR]: "editor", [VIEWER]: "viewer" });
    return String((await createIosApp(server, root, TEAM, "com.example.app")).appId);
  });

type Row = readonly [method: keyof typeof RegistryService.method, line: string, body?: unknown];

/** Calls, by the lowest role that may make them. None of them changes anything. */
const CALLS: Readonly<Record<string, readonly Row[]>> = {
  [NO_ROLE]: [
    ["listProjects", "GET /v1beta1/projects"],
    ["testIamPermissions", "POST /v1/projects/PROJECT:testIamPermissions", { permissions: [] }],
    ["getOperation", "GET /v1/operations/none"],
    ["listAuditEntries", "GET /v1/projects/-/auditEntries"],
  ],
  [VIEWER]: [
    ["getProject", "GET /v1beta1/projects/PROJECT"],
    ["searchApps", "GET /v1beta1/projects/PROJECT:searchApps"],
    ["listIosApps", "GET /v1beta1/projects/PROJECT/iosApps"],
    ["getIosApp", "GET /v1beta1/projects/PROJECT/iosApps/APP"],
    ["getIosApp", "GET /v1beta1/projects/-/iosApps/APP"],
    ["getIosAppConfig", "GET /v1beta1/projects/PROJECT/iosApps/APP/config"],
    ["getAndroidAppConfig", "GET /v1beta1/projects/PROJECT/androidApps/APP/config"],
    ["getWebAppConfig", "GET /v1beta1/projects/PROJECT/webApps/APP/config"],
    ["listAndroidApps", "GET /v1beta1/projects/PROJECT/androidApps"],
    ["getAndroidApp", "GET /v1beta1/projects/PROJECT/androidApps/APP"],
    ["listWebApps", "GET /v1beta1/projects/PROJECT/webApps"],
    ["getWebApp", "GET /v1beta1/projects/PROJECT/webApps/APP"],
  ],
  [OWNER]: [
    ["updateProject", "PATCH /v1beta1/projects/PROJECT?updateMask=displayName", { displayName: "x" }],
    ["createIosApp", "POST /v1beta1/projects/PROJECT/iosApps", {}],
    ["updateIosApp", "PATCH /v1beta1/projects/PROJECT/iosApps/APP?updateMask=teamId", { teamId: "x" }],
    ["removeIosApp", "POST /v1beta1/projects/PROJECT/iosApps/APP:remove", { validateOnly: true }],
    ["undeleteIosApp", "POST /v1beta1/projects/PROJECT/iosApps/APP:undelete", { validateOnly: true }],
    ["createAndroidApp", "POST /v1beta1/projects/PROJECT/androidApps", {}],
    ["updateAndroidApp", "PATCH /v1beta1/projects/PROJECT/androidApps/APP", { displayName: "x" }],
    ["removeAndroidApp", "POST /v1beta1/projects/PROJECT/androidApps/APP:remove", {}],
    ["undeleteAndroidApp", "POST /v1beta1/projects/PROJECT/androidApps/APP:undelete", {}],
    ["createWebApp", "POST /v1beta1/projects/PROJECT/webApps", { appUrls: ["x"] }],
    ["updateWebApp", "PATCH /v1beta1/projects/PROJECT/webApps/APP", { displayName: "x" }],
    ["removeWebApp", "POST /v1beta1/projects/PROJECT/webApps/APP:remove", {}],
    ["undeleteWebApp", "POST /v1beta1/projects/PROJECT/webApps/APP:undelete", {}],
    ["getIamPolicy", "POST /v1/projects/PROJECT:getIamPolicy", {}],
    ["setIamPolicy", "POST /v1/projects/PROJECT:setIamPolicy", { policy: { bindings: [{ role: "x" }] } }],
    ["listAuditEntries", "GET /v1/projects/PROJECT/auditEntries"],
  ],
  [ROOT]: [
    ["createProject", "POST /v1/projects", { projectId: "x" }],
    ["deleteProject", "DELETE /v1/projects/missing-project"],
    ["undeleteProject", "POST /v1/projects/PROJECT:undelete", {}],
    ["addFirebase", "POST /v1beta1/projects/PROJECT:addFirebase", {}],
  ],
};
const ROWS = Object.entries(CALLS).flatMap(([last, rows]) => rows.map((row) => [last, ...row] as const));

const lineOf = (line: string, project: string, app: string) =>
  line.replace("PROJECT", project).replace("APP", app);

describe("roles on projects", () => {
  test("are tested for each method in the contract", () => {
    const tested = new Set(ROWS.map(([, method]) => method));
    expect([...tested].sort()).toEqual(RegistryService.methods.map(({ localName }) => localName).sort());
  });

  test.for(ROWS)(
    "from %s up are sufficient for %s: %s",
    async ([last, , line, body], { server, tokens, app }) => {
      const allowed = PRINCIPALS.slice(0, PRINCIPALS.indexOf(last) + 1);
      for (const principal of PRINCIPALS) {
        const { status, text } = await call(server, String(tokens[principal]), lineOf(line, TEAM, app), body);
        if (allowed.includes(principal)) {
          expect([200, 400, 404], text).toContain(status);
        } else {
          expect(status, `${principal}: ${text}`).toBe(403);
          expect(errorOf(text)).toMatchObject({ reason: "PERMISSION_MISSING", domain: "registry.waybill" });
        }
      }
    },
  );

  test.for(ROWS.filter(([, , line]) => line.includes("PROJECT")))(
    "that are lower than %s get the same response as for a project that does not exist: %s: %s",
    async ([, , line, body], { server, tokens, app }) => {
      const of = async (project: string) => {
        const { status, text } = await call(server, String(tokens[NOBODY]), lineOf(line, project, app), body);
        return [status, text.replaceAll(project, "PROJECT")];
      };
      const forbidden = await of(TEAM);
      for (const missing of ["team-nowhere", "999999999999"]) expect(await of(missing)).toEqual(forbidden);
    },
  );

  test("hide an operation as if it did not exist", async ({ server, tokens, app }) => {
    const of = (principal: string, id: string) =>
      call(server, String(tokens[principal]), `GET /v1/operations/${id}`);
    const [, number] = app.split(":");
    for (const id of [`create.${number}`, `firebase.${number}`, `app.${number}.${app}`]) {
      expect((await of(VIEWER, id)).status).toBe(200);
      const hidden = await of(NOBODY, id);
      expect(hidden.status).toBe(404);
      const missing = id.replaceAll(String(number), "999999999999");
      const other = await of(NOBODY, missing);
      expect(other.text.replaceAll(missing, id)).toBe(hidden.text);
    }
  });

  test("determine permissions, and grant none on a project that does not exist", async ({
    server,
    tokens,
  }) => {
    const permissions = [
      "firebase.projects.get",
      "firebaseappcheck.appAttestConfig.update",
      "resourcemanager.projects.setIamPolicy",
      "resourcemanager.projects.delete",
      "storage.buckets.get",
    ];
    const held = async (principal: string, project: string) => {
      const line = `POST /v1/projects/${project}:testIamPermissions`;
      return (await call(server, String(tokens[principal]), line, { permissions })).json.permissions ?? [];
    };
    expect(await held(ROOT, TEAM)).toEqual(permissions.slice(0, 4));
    expect(await held(OWNER, TEAM)).toEqual(permissions.slice(0, 3));
    expect(await held(EDITOR, TEAM)).toEqual(permissions.slice(0, 2));
    expect(await held(VIEWER, TEAM)).toEqual(permissions.slice(0, 1));
    expect([await held(NOBODY, TEAM), await held(ROOT, "team-nowhere")]).toEqual([[], []]);
  });

  test("are not sufficient without a scope in the token", async ({ server }) => {
    expect((await call(server, "x", "GET /v1beta1/projects")).status).toBe(401);
    const narrow = await server.token(ROOT, "app-platform");
    expect((await call(server, narrow, "GET /v1beta1/projects")).status).toBe(200);
  });
});
