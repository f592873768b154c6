import { describe, expect } from "vitest";
import { errorOf } from "../../src/api/testing/error-of.js";
import { call, createIosApp, createProject, REGISTRY_CONFIG, ROOT } from "../support/data/registry.js";
import { test as serving } from "../support/servers/fixtures.js";

const TEAM = "team-project";

serving.override("config", REGISTRY_CONFIG);
const test = serving
  .extend("root", { scope: "file" }, ({ server }) => server.token(ROOT))
  .extend("app", { scope: "file" }, async ({ server, root }) => {
    await createProject(server, root, TEAM);
    return String((await createIosApp(server, root, TEAM, "com.example.app")).appId);
  });

const PROJECTS = "POST /v1/projects";
const IOS = `POST /v1beta1/projects/${TEAM}/iosApps`;
const ANDROID = `POST /v1beta1/projects/${TEAM}/androidApps`;
const WEB = `POST /v1beta1/projects/${TEAM}/webApps`;
const POLICY = `POST /v1/projects/${TEAM}:setIamPolicy`;
const PROJECT = `PATCH /v1beta1/projects/${TEAM}`;
const APP = `PATCH /v1beta1/projects/${TEAM}/iosApps/APP`;
const policy = (role: string, ...members: string[]) => ({
  policy: {
    bindings: [
      { role: "roles/owner", members: [`user:${ROOT}`] },
      { role, members },
    ],
  },
});
const users = (count: number) => Array.from({ length: count }, (_, index) => `user:${index}@x.y`);
const subjects = (count: number) => users(count).map((id) => `principal:https://x.y/${"i".repeat(50)}#${id}`);

describe("the registry rejects a request:", () => {
  test.for<[line: string, body: unknown, reason: string, field: string]>([
    [PROJECTS, {}, "INVALID_PROJECT_ID", "projectId"],
    [PROJECTS, { projectId: "short" }, "INVALID_PROJECT_ID", "projectId"],
    [PROJECTS, { projectId: "123456789" }, "INVALID_PROJECT_ID", "projectId"],
    [PROJECTS, { projectId: "Team-Project" }, "INVALID_PROJECT_ID", "projectId"],
    [PROJECTS, { projectId: "team-project-" }, "INVALID_PROJECT_ID", "projectId"],
    [PROJECTS, { projectId: "team_project" }, "INVALID_PROJECT_ID", "projectId"],
    [PROJECTS, { projectId: `t${"e".repeat(30)}` }, "INVALID_PROJECT_ID", "projectId"],
    [PROJECTS, { projectId: "other-team", name: "x" }, "INVALID_DISPLAY_NAME", "name"],
    [PROJECTS, { projectId: "other-team", name: "a\u0000bcd" }, "INVALID_DISPLAY_NAME", "name"],
    [PROJECTS, { projectId: "other-team", number: "1" }, "INVALID_BODY", "body"],
    [PROJECTS, { projectId: 7 }, "INVALID_BODY", "projectId"],
    [PROJECTS, "{", "MALFORMED_JSON", "body"],
    [`${PROJECT}?updateMask=displayName`, { displayName: "x" }, "INVALID_DISPLAY_NAME", "displayName"],
    [`${PROJECT}?updateMask=projectId`, { displayName: "Other" }, "IMMUTABLE_FIELD", "updateMask"],
    [`${PROJECT}?updateMask=state`, { displayName: "Other" }, "OUTPUT_ONLY_FIELD", "updateMask"],
    [`${PROJECT}?updateMask=displayname`, { displayName: "Other" }, "UNKNOWN_FIELD", "updateMask"],
    [`${PROJECT}?mask=displayName`, { displayName: "Other" }, "UNKNOWN_PARAMETER", "mask"],
    [IOS, {}, "INVALID_BUNDLE_ID", "bundleId"],
    [IOS, { bundleId: "com example" }, "INVALID_BUNDLE_ID", "bundleId"],
    [IOS, { bundleId: "com.example", teamId: "abc" }, "INVALID_TEAM_ID", "teamId"],
    [IOS, { bundleId: "com.example", appStoreId: "x" }, "INVALID_APP_STORE_ID", "appStoreId"],
    [IOS, { bundleId: "com.example", displayName: "\u0007" }, "INVALID_DISPLAY_NAME", "displayName"],
    [IOS, { bundleId: "com.example", packageName: "com.example" }, "INVALID_BODY", "body"],
    [ANDROID, { packageName: "com" }, "INVALID_PACKAGE_NAME", "packageName"],
    [WEB, { appUrls: ["javascript:alert(1)"] }, "INVALID_APP_URL", "appUrls[0]"],
    [`${APP}?updateMask=bundleId`, { bundleId: "com.other" }, "IMMUTABLE_FIELD", "updateMask"],
    [`${APP}?updateMask=teamId,,state`, {}, "INVALID_PARAMETER", "updateMask"],
    [`${APP}?updateMask=teamId`, { teamId: "x" }, "INVALID_TEAM_ID", "teamId"],
    [POLICY, {}, "INVALID_POLICY", "policy"],
    [POLICY, { policy: { version: 3 } }, "INVALID_POLICY", "policy.version"],
    [POLICY, policy("roles/admin", `user:${ROOT}`), "UNKNOWN_ROLE", "policy.bindings[1].role"],
    [POLICY, policy("roles/viewer", "allUsers"), "PUBLIC_MEMBER", "policy.bindings[1].members[0]"],
    [
      POLICY,
      policy("roles/viewer", "allAuthenticatedUsers"),
      "PUBLIC_MEMBER",
      "policy.bindings[1].members[0]",
    ],
    [POLICY, policy("roles/viewer", "user:ada"), "INVALID_MEMBER", "policy.bindings[1].members[0]"],
    [POLICY, policy("roles/viewer", "group:team@x.y"), "INVALID_MEMBER", "policy.bindings[1].members[0]"],
    [POLICY, policy("roles/viewer", ...users(1_500)), "TOO_MANY_MEMBERS", "policy.bindings"],
    [POLICY, policy("roles/viewer", ...subjects(1_000)), "POLICY_TOO_LARGE", "policy.bindings"],
    [POLICY, { policy: { bindings: [{ role: "roles/owner", condition: {} }] } }, "INVALID_BODY", "body"],
    [POLICY, { policy: { etag: "%" } }, "INVALID_BODY", "etag"],
    [
      `POST /v1/projects/${TEAM}:testIamPermissions`,
      { permissions: ["*"] },
      "INVALID_PERMISSION",
      "permissions[0]",
    ],
    [
      `POST /v1/projects/${TEAM}:testIamPermissions`,
      { permissions: Array(101).fill("firebase.projects.get") },
      "TOO_MANY_PERMISSIONS",
      "permissions",
    ],
    ["GET /v1beta1/projects?pageSize=-1", undefined, "INVALID_PAGE_SIZE", "pageSize"],
    ["GET /v1beta1/projects?pageSize=many", undefined, "INVALID_PARAMETER", "pageSize"],
    ["GET /v1beta1/projects?pageToken=x", undefined, "PAGE_TOKEN_INVALID", "pageToken"],
    [`GET /v1beta1/projects/${TEAM}:searchApps?filter=x`, undefined, "UNKNOWN_PARAMETER", "filter"],
    [`GET /v1/projects/${TEAM}/auditEntries?startTime=today`, undefined, "INVALID_PARAMETER", "startTime"],
  ])("%s %j: %s", async ([line, body, reason, field], { server, root, app }) => {
    const { status, text } = await call(server, root, line.replace("APP", app), body);
    expect(status, text).toBe(400);
    expect(errorOf(text)).toMatchObject({ status: "INVALID_ARGUMENT", reason, domain: "registry.waybill" });
    expect(errorOf(text).fields).toContain(field);
  });

  test("with an invalid project id, without a problem of the display name, which the request omits", async ({
    server,
    root,
  }) => {
    const { text } = await call(server, root, PROJECTS, { projectId: "ab" });
    expect(errorOf(text).fields).toEqual(["projectId"]);
  });

  test("with a body above 256 KiB", async ({ server, root, app }) => {
    const response = await call(server, root, `${APP.replace("APP", app)}`, {
      displayName: "x".repeat(256 * 1024),
    });
    expect([response.status, errorOf(response.text).reason]).toEqual([413, "BODY_TOO_LARGE"]);
  });

  test("with etags that are not current", async ({ server, root, app }) => {
    for (const [line, body] of [
      [`${PROJECT}?updateMask=displayName`, { displayName: "Other", etag: "other" }],
      [`${APP.replace("APP", app)}?updateMask=displayName`, { displayName: "Other", etag: "other" }],
      [`POST /v1beta1/projects/${TEAM}/iosApps/${app}:remove`, { etag: "other" }],
      [POLICY, { policy: { ...policy("roles/viewer").policy, etag: "b3RoZXI=" } }],
    ] as const) {
      const { status, text } = await call(server, root, line, body);
      expect([status, errorOf(text).status, errorOf(text).reason]).toEqual([409, "ABORTED", "ETAG_MISMATCH"]);
    }
  });

  test("with page tokens from another project, list or filter", async ({ server, root, app }) => {
    await createProject(server, root, "second-project");
    await createIosApp(server, root, TEAM, "com.example.second");
    const search = `GET /v1beta1/projects/${TEAM}:searchApps?pageSize=1`;
    const { nextPageToken } = (await call(server, root, search)).json;
    expect(nextPageToken).toEqual(expect.any(String));
    const reason = async (line: string) => {
      const { status, text } = await call(server, root, `${line}&pageToken=${nextPageToken}`);
      return status === 200 ? "" : errorOf(text).reason;
    };
    expect(await reason(search)).toBe("");
    for (const other of [
      search.replace(TEAM, "second-project"),
      search.replace("pageSize=1", "pageSize=2"),
      `${search}&showDeleted=true`,
      `GET /v1beta1/projects/${TEAM}/iosApps?pageSize=1`,
    ])
      expect(await reason(other)).toBe("PAGE_TOKEN_MISMATCH");
    expect(app).toMatch(/^1:/);
  });

  test("for apps that do not exist or have another platform, and for operations that do not exist", async ({
    server,
    root,
    app,
  }) => {
    for (const line of [
      `GET /v1beta1/projects/${TEAM}/iosApps/1:1:ios:ab`,
      `GET /v1beta1/projects/${TEAM}/androidApps/${app}`,
      `POST /v1beta1/projects/${TEAM}/iosApps/none:remove`,
      "GET /v1/operations/none",
      "DELETE /v1/projects/missing-project",
    ]) {
      const { status, text } = await call(server, root, line, line.startsWith("POST") ? {} : undefined);
      expect([status, errorOf(text).reason]).toEqual([404, "RESOURCE_NOT_FOUND"]);
    }
    const missing = `POST /v1beta1/projects/${TEAM}/iosApps/none:remove`;
    const allowed = await call(server, root, missing, { allowMissing: true });
    expect([allowed.status, allowed.json]).toEqual([200, { name: "operations/none", done: true }]);
  });

  test("with names that are in use", async ({ server, root, app }) => {
    for (const [line, body, field] of [
      [PROJECTS, { projectId: TEAM }, "projectId"],
      [PROJECTS, { projectId: "test-project" }, "projectId"],
      [IOS, { bundleId: "com.example.app" }, "bundleId"],
    ] as const) {
      const { status, text } = await call(server, root, line, body);
      expect([status, errorOf(text).status]).toEqual([409, "ALREADY_EXISTS"]);
      expect(errorOf(text)).toMatchObject({ reason: "NAME_IN_USE", fields: [field] });
    }
    expect(app).toMatch(/^1:/);
  });
});
