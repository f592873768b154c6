import { describe, expect } from "vitest";
import { errorOf } from "../../src/api/testing/error-of.js";
import { listOf } from "../support/data/delivery-data.js";
import { configOf } from "../support/data/integrity.js";
import {
  call,
  createIosApp,
  createProject,
  expectOk,
  OWNER,
  REGISTRY_CONFIG,
  ROOT,
} from "../support/data/registry.js";
import { send } from "../support/http/exchange.js";
import { poll } from "../support/poll.js";
import { test as serving } from "../support/servers/fixtures.js";
import { EDITOR, IOS_APP, PROJECT, VIEWER } from "../support/servers/project.js";
import type { Server } from "../support/servers/server.js";

serving.override("config", REGISTRY_CONFIG);
const test = serving
  .extend("root", { scope: "file" }, ({ server }) => server.token(ROOT))
  .extend("owner", { scope: "file" }, ({ server }) => server.token(OWNER));

/** Sets a project's policy to roles of one member, in addition to an owner of all projects. */
const setRole = (server: Server, token: string, project: string, member: string, role: string) =>
  expectOk(server, token, `POST /v1/projects/${project}:setIamPolicy`, {
    policy: {
      bindings: [
        { role: "roles/owner", members: [`user:${ROOT}`] },
        { role: `roles/${role}`, members: [`user:${member}`] },
      ],
    },
  });

describe("a project", () => {
  test("can be created with a number, listed, renamed, and read by id and by number", async ({
    server,
    root,
  }) => {
    const body = { projectId: "first-project", name: "First project" };
    const created = await expectOk(server, root, "POST /v1/projects", body);
    const number = created.response.projectNumber;
    expect(created).toEqual({
      name: `operations/create.${number}`,
      done: true,
      response: {
        "@type": "type.googleapis.com/waybill.registry.v1.CloudProject",
        projectNumber: expect.stringMatching(/^\d{12}$/),
        projectId: "first-project",
        name: "First project",
        lifecycleState: "ACTIVE",
        createTime: expect.stringMatching(/^\d{4}-.+Z$/),
      },
    });
    expect(await expectOk(server, root, `GET /v1/${created.name}`)).toEqual(created);
    const added = await expectOk(server, root, "POST /v1beta1/projects/first-project:addFirebase", {});
    // Clients read the resources of Firebase, which only this method returns.
    const { resources, ...project } = await expectOk(server, root, "GET /v1beta1/projects/first-project");
    expect(resources).toEqual({ hostingSite: "none" });
    expect(added.response).toEqual({ "@type": expect.any(String), ...project });
    expect(project).toEqual({
      name: "projects/first-project",
      projectId: "first-project",
      projectNumber: number,
      displayName: "First project",
      state: "ACTIVE",
      etag: expect.any(String),
    });
    expect(await expectOk(server, root, `GET /v1beta1/projects/${number}`)).toEqual({
      ...project,
      resources,
    });
    const line = `PATCH /v1beta1/projects/${number}?updateMask=displayName`;
    const renamed = await expectOk(server, root, line, { displayName: "Renamed", etag: project.etag });
    expect(renamed).toEqual({ ...project, displayName: "Renamed", etag: expect.any(String) });
    expect(renamed.etag).not.toBe(project.etag);
    const { results } = await expectOk(server, root, "GET /v1beta1/projects");
    expect(results).toContainEqual(renamed);
  });

  test("that was deleted can be restored, and cannot be accessed in between", async ({ server, root }) => {
    const number = await createProject(server, root, "deleted-project", { [OWNER]: "owner" });
    const { appId } = await createIosApp(server, root, number, "com.example.deleted");
    const editor = await server.token(OWNER);
    const line = "GET /v1beta1/projects/deleted-project";
    const { resources: _resources, ...before } = await expectOk(server, root, line);
    const calls = () =>
      Promise.all([
        call(server, editor, "GET /v1beta1/projects/deleted-project"),
        call(server, root, `GET /v1beta1/projects/${number}:searchApps`),
        call(server, root, `GET /v1beta1/projects/-/iosApps/${appId}`),
        send(server.integrityUrl, configOf(appId, "deleted-project"), { token: editor }),
        send(server.messagingDataUrl, listOf("app", number), { token: editor }),
      ]);
    const statuses = async () => (await calls()).map(({ status }) => status);
    expect(await statuses()).toEqual([200, 200, 200, 200, 200]);
    expect(await expectOk(server, root, "DELETE /v1/projects/deleted-project")).toEqual({});
    expect(await statuses()).toEqual([403, 403, 403, 403, 403]);
    const again = await call(server, root, "DELETE /v1/projects/deleted-project");
    expect([again.status, errorOf(again.text).reason]).toEqual([400, "WRONG_STATE"]);
    const inUse = await call(server, root, "POST /v1/projects", { projectId: "deleted-project" });
    expect(errorOf(inUse.text).reason).toBe("NAME_IN_USE");
    const shown = await expectOk(server, root, "GET /v1beta1/projects?showDeleted=true");
    expect(shown.results).toContainEqual({ ...before, state: "DELETED", etag: expect.any(String) });
    for (const [token, query] of [
      [root, ""],
      [editor, "?showDeleted=true"],
    ])
      expect((await call(server, String(token), `GET /v1beta1/projects${query}`)).text).not.toContain(
        "deleted-project",
      );
    expect(await expectOk(server, root, `POST /v1/projects/${number}:undelete`, {})).toEqual({});
    expect(await statuses()).toEqual([200, 200, 200, 200, 200]);
    const twice = await call(server, root, `POST /v1/projects/${number}:undelete`, {});
    expect(errorOf(twice.text).reason).toBe("WRONG_STATE");
  });

  test("in the config file is read-only, and so are its apps and bindings, but further ones can be added", async ({
    server,
    root,
    owner,
  }) => {
    const app = `/v1beta1/projects/${PROJECT.id}/iosApps/${IOS_APP}`;
    const policyLine = `POST /v1/projects/${PROJECT.id}:setIamPolicy`;
    const policy = await expectOk(server, owner, policyLine.replace("set", "get"), {});
    const withoutViewer = {
      ...policy,
      bindings: policy.bindings.filter(({ role }: { role: string }) => role !== "roles/viewer"),
    };
    for (const [token, line, body] of [
      [owner, `PATCH /v1beta1/projects/${PROJECT.id}?updateMask=displayName`, { displayName: "Other" }],
      [root, `DELETE /v1/projects/${PROJECT.id}`, undefined],
      [owner, `PATCH ${app}?updateMask=displayName`, { displayName: "Other" }],
      [owner, `POST ${app}:remove`, {}],
      [owner, `POST ${app}:remove`, { immediate: true }],
      [owner, `POST ${app}:undelete`, {}],
      [owner, policyLine, { policy: withoutViewer }],
      [owner, policyLine, { policy: { bindings: [] } }],
    ] as const) {
      const { status, text } = await call(server, token, line, body);
      expect([status, errorOf(text).status, errorOf(text).reason], line).toEqual([
        400,
        "FAILED_PRECONDITION",
        "PROVISIONED_BY_FILE",
      ]);
    }
    const added = await createIosApp(server, owner, PROJECT.id, "com.example.added");
    expect(added.name).toBe(`projects/${PROJECT.id}/iosApps/${added.appId}`);
    const guest = { role: "roles/viewer", members: [`user:${VIEWER}`, "user:guest@example.com"] };
    const bindings = [...withoutViewer.bindings, guest];
    const changed = await expectOk(server, owner, policyLine, { policy: { ...policy, bindings } });
    expect(changed.bindings).toContainEqual({ ...guest, members: guest.members.toSorted() });
    const guests = await server.token("guest@example.com");
    expect((await call(server, guests, `GET /v1beta1/projects/${PROJECT.number}`)).status).toBe(200);
  });
});

describe("an app", () => {
  test("of each platform has its own fields, and can be found by search and without its project", async ({
    server,
    root,
  }) => {
    const number = await createProject(server, root, "platforms");
    const bodies = {
      iosApps: { displayName: "i", bundleId: "com.example.i", appStoreId: "123", teamId: "A1B2C3D4E5" },
      androidApps: { displayName: "a", packageName: "com.example.a" },
      webApps: { displayName: "w", appUrls: ["https://example.com"] },
    };
    const ids: string[] = [];
    for (const [collection, body] of Object.entries(bodies)) {
      const { name, done, response } = await expectOk(
        server,
        root,
        `POST /v1beta1/projects/${number}/${collection}`,
        body,
      );
      const { "@type": _type, ...created } = response;
      const platform = collection.replace("Apps", "");
      expect(created).toEqual({
        name: `projects/platforms/${collection}/${created.appId}`,
        appId: expect.stringMatching(new RegExp(`^1:${number}:${platform}:[0-9a-f]{16}$`)),
        projectId: "platforms",
        state: "ACTIVE",
        etag: expect.any(String),
        ...body,
      });
      expect([name, done]).toEqual([`operations/app.${number}.${created.appId}`, true]);
      for (const project of ["platforms", number, "-"]) {
        const line = `GET /v1beta1/projects/${project}/${collection}/${created.appId}`;
        expect(await expectOk(server, root, line)).toEqual(created);
      }
      expect(await expectOk(server, root, `GET /v1beta1/projects/platforms/${collection}`)).toEqual({
        apps: [created],
      });
      ids.push(created.appId);
    }
    const { apps } = await expectOk(server, root, "GET /v1beta1/projects/platforms:searchApps");
    expect(
      apps.map(({ appId, namespace, platform }: Record<string, string>) => [appId, namespace, platform]),
    ).toEqual([
      [ids[1], "com.example.a", "ANDROID"],
      [ids[0], "com.example.i", "IOS"],
      [ids[2], ids[2], "WEB"],
    ]);
  });

  test("can be changed by an update mask, removed, restored, and removed permanently", async ({
    server,
    root,
  }) => {
    const number = await createProject(server, root, "changed-apps");
    const created = await createIosApp(server, root, number, "com.example.changed");
    const { "@type": _type, ...app } = created;
    const line = `/v1beta1/projects/changed-apps/iosApps/${app.appId}`;
    const values = { displayName: "New", teamId: "A1B2C3D4E5" };
    const masked = await expectOk(server, root, `PATCH ${line}?updateMask=teamId`, values);
    expect(masked).toEqual({ ...app, teamId: values.teamId, etag: expect.any(String) });
    const whole = await expectOk(server, root, `PATCH ${line}`, { displayName: "New", etag: masked.etag });
    expect(whole).toEqual({ ...masked, displayName: "New", etag: expect.any(String) });
    const removed = await expectOk(server, root, `POST ${line}:remove`, { etag: whole.etag });
    expect(removed.response).toMatchObject({ state: "DELETED", expireTime: expect.any(String) });
    expect(await expectOk(server, root, "GET /v1beta1/projects/changed-apps/iosApps")).toEqual({});
    const { apps } = await expectOk(
      server,
      root,
      "GET /v1beta1/projects/changed-apps/iosApps?showDeleted=true",
    );
    expect(apps).toHaveLength(1);
    for (const [change, body] of [
      [`PATCH ${line}`, { displayName: "Other" }],
      [`POST ${line}:remove`, {}],
    ] as const)
      expect(errorOf((await call(server, root, change, body)).text).reason).toBe("WRONG_STATE");
    const undelete = `POST /v1beta1/projects/-/iosApps/${app.appId}:undelete`;
    const restored = await expectOk(server, root, undelete, { etag: removed.response.etag });
    expect(restored.response).toMatchObject({ ...whole, etag: expect.any(String) });
    expect(errorOf((await call(server, root, undelete, {})).text).reason).toBe("WRONG_STATE");
    await expectOk(server, root, `POST ${line}:remove`, { immediate: true });
    expect((await call(server, root, `GET ${line}`)).status).toBe(404);
    expect((await call(server, root, undelete, {})).status).toBe(403);
  });

  test("has an App Attest configuration until it is removed", async ({ server, root }) => {
    const number = await createProject(server, root, "attested-apps", { [EDITOR]: "editor" });
    const { appId } = await createIosApp(server, root, number, "com.example.attested");
    const token = await server.token(EDITOR);
    const target = configOf(appId, "attested-apps");
    const get = async () => {
      const { status, text } = await send(server.integrityUrl, target, { token });
      return [status, status === 200 ? JSON.parse(text).tokenTtl : errorOf(text).reason];
    };
    expect(await get()).toEqual([200, "3600s"]);
    const changed = await send(server.integrityUrl, `${target}?updateMask=tokenTtl`, {
      method: "PATCH",
      token,
      body: '{"tokenTtl":"7200s"}',
      headers: { "content-type": "application/json" },
    });
    expect(changed.status).toBe(200);
    const line = `POST /v1beta1/projects/${number}/iosApps/${appId}`;
    await expectOk(server, root, `${line}:remove`, {});
    expect(await get()).toEqual([404, "RESOURCE_NOT_FOUND"]);
    await expectOk(server, root, `${line}:undelete`, {});
    expect(await get()).toEqual([200, "7200s"]);
  });
});

describe("an access policy", () => {
  test("can be changed with its current etag, and applies to all services immediately", async ({
    server,
    root,
  }) => {
    const number = await createProject(server, root, "shared-project");
    const { appId } = await createIosApp(server, root, number, "com.example.shared");
    await createIosApp(server, root, number, "com.example.other");
    const guest = await server.token("guest2@example.com");
    const statuses = async () => [
      (await call(server, guest, `GET /v1beta1/projects/${number}`)).status,
      (await send(server.integrityUrl, configOf(appId, number), { token: guest })).status,
      (await send(server.messagingDataUrl, listOf("app", number), { token: guest })).status,
    ];
    expect(await statuses()).toEqual([403, 403, 403]);
    const before = await expectOk(server, root, `POST /v1/projects/${number}:getIamPolicy`, {});
    const after = await setRole(server, root, number, "guest2@example.com", "viewer");
    expect(await statuses()).toEqual([200, 200, 200]);
    const search = `GET /v1beta1/projects/${number}:searchApps?pageSize=1`;
    const { nextPageToken } = await expectOk(server, guest, search);
    const stale = { policy: { ...before } };
    const rejected = await call(server, root, `POST /v1/projects/${number}:setIamPolicy`, stale);
    expect([rejected.status, errorOf(rejected.text).reason]).toEqual([409, "ETAG_MISMATCH"]);
    expect(await statuses()).toEqual([200, 200, 200]);
    const current = { policy: { ...before, etag: after.etag } };
    await expectOk(server, root, `POST /v1/projects/${number}:setIamPolicy`, current);
    expect(await statuses()).toEqual([403, 403, 403]);
    expect((await call(server, guest, `${search}&pageToken=${nextPageToken}`)).status).toBe(403);
    expect((await call(server, root, `${search}&pageToken=${nextPageToken}`)).status).toBe(200);
  });

  test("always has an owner, unless the config file has an owner of all projects", async ({ openServer }) => {
    const creator = { principal: ROOT, projects: ["*"], role: "owner" };
    const file = { projects: [], access: [creator] };
    const server = await openServer(file);
    const root = await server.token(ROOT);
    await createProject(server, root, "lonely-project", { [OWNER]: "viewer" });
    const line = "POST /v1/projects/lonely-project:setIamPolicy";
    await expectOk(server, root, line, { policy: { bindings: [] } });
    expect((await call(server, root, "GET /v1beta1/projects/lonely-project")).status).toBe(200);
  });

  test("accepts only one of several concurrent changes with the same etag", async ({ server, root }) => {
    await createProject(server, root, "contended-project");
    const line = "POST /v1/projects/contended-project:setIamPolicy";
    const { etag, bindings } = await expectOk(server, root, line.replace("set", "get"), {});
    const set = (index: number) =>
      call(server, root, line, {
        policy: { etag, bindings: [...bindings, { role: "roles/viewer", members: [`user:${index}@x.y`] }] },
      });
    const responses = await Promise.all(Array.from({ length: 8 }, (_, index) => set(index)));
    const statuses = responses.map(({ status }) => status);
    expect(statuses.toSorted()).toEqual([200, ...Array(7).fill(409)]);
    const winner = statuses.indexOf(200);
    const { bindings: now } = await expectOk(server, root, line.replace("set", "get"), {});
    expect(now).toContainEqual({ role: "roles/viewer", members: [`user:${winner}@x.y`] });
  });

  test("applies to a principal that is named by issuer and subject", async ({ server, root }) => {
    const number = await createProject(server, root, "issuer-project");
    const robot = await server.token("robot");
    const read = async () => (await call(server, robot, `GET /v1beta1/projects/${number}`)).status;
    expect(await read()).toBe(403);
    await expectOk(server, root, `POST /v1/projects/${number}:setIamPolicy`, {
      policy: { bindings: [{ role: "roles/owner", members: ["principal:urn:waybill:local#robot"] }] },
    });
    await poll(read, 200);
  });
});
