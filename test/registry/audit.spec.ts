import { describe, expect } from "vitest";
import { errorOf } from "../../src/api/testing/error-of.js";
import { patch } from "../support/data/integrity.js";
import {
  call,
  createIosApp,
  createProject,
  expectOk,
  OWNER,
  REGISTRY_CONFIG,
  ROOT,
} from "../support/data/registry.js";
import { test as serving } from "../support/servers/fixtures.js";
import { EDITOR, IOS_APP, PROJECT } from "../support/servers/project.js";

serving.override("config", REGISTRY_CONFIG);
const test = serving.extend("root", { scope: "file" }, ({ server }) => server.token(ROOT));

interface Entry {
  readonly method: string;
  readonly resource: string;
  readonly etagBefore?: string;
  readonly etagAfter?: string;
  readonly changes?: readonly { readonly field: string; readonly before?: string; readonly after?: string }[];
}

describe("the audit log", () => {
  test("contains every change with author, network, etags, and the values before and after", async ({
    server,
    root,
  }) => {
    const number = await createProject(server, root, "audited-project");
    const project = await expectOk(server, root, `GET /v1beta1/projects/${number}`);
    const line = `/v1beta1/projects/${number}`;
    const renamed = await expectOk(server, root, `PATCH ${line}?updateMask=displayName`, {
      displayName: "Renamed",
    });
    const app = await createIosApp(server, root, number, "com.example.audited");
    const ofApp = `${line}/iosApps/${app.appId}`;
    const changed = await expectOk(server, root, `PATCH ${ofApp}?updateMask=teamId`, {
      teamId: "A1B2C3D4E5",
    });
    await expectOk(server, root, `POST ${ofApp}:remove`, {});
    await expectOk(server, root, `POST ${ofApp}:undelete`, {});
    const owners = [`user:${OWNER}`, `user:${ROOT}`];
    await expectOk(server, root, `POST /v1/projects/${number}:setIamPolicy`, {
      policy: { bindings: [{ role: "roles/owner", members: owners }] },
    });
    await expectOk(server, root, `DELETE /v1/projects/${number}`);
    await expectOk(server, root, `POST /v1/projects/${number}:undelete`, {});
    const { auditEntries } = await expectOk(server, root, `GET /v1/projects/${number}/auditEntries`);
    const entries = (auditEntries as readonly Entry[]).toReversed();
    const policy = (members: readonly string[]) => JSON.stringify([{ role: "roles/owner", members }]);
    expect(entries.map(({ method, resource }) => `${method} ${resource}`)).toEqual([
      `CreateProject projects/${number}/policy`,
      `CreateProject projects/${number}`,
      `UpdateProject projects/${number}`,
      `CreateIosApp projects/${number}/apps/${app.appId}`,
      `UpdateIosApp projects/${number}/apps/${app.appId}`,
      `RemoveIosApp projects/${number}/apps/${app.appId}`,
      `UndeleteIosApp projects/${number}/apps/${app.appId}`,
      `SetIamPolicy projects/${number}/policy`,
      `DeleteProject projects/${number}`,
      `UndeleteProject projects/${number}`,
    ]);
    for (const entry of entries)
      expect(entry).toMatchObject({
        name: expect.stringMatching(new RegExp(`^projects/${number}/auditEntries/`)),
        time: expect.stringMatching(/Z$/),
        principal: ROOT,
        issuer: "urn:waybill:local",
        remoteAddress: "127.0.0.1",
        etagAfter: expect.any(String),
      });
    expect(entries[2]).toMatchObject({
      etagBefore: project.etag,
      etagAfter: renamed.etag,
      changes: [{ field: "displayName", before: '"audited-project"', after: '"Renamed"' }],
    });
    expect(entries[3]).toMatchObject({
      etagAfter: app.etag,
      changes: [
        { field: "bundleId", after: '"com.example.audited"' },
        { field: "platform", after: '"ios"' },
      ],
    });
    expect(entries[4]).toMatchObject({
      etagBefore: app.etag,
      etagAfter: changed.etag,
      changes: [{ field: "teamId", after: '"A1B2C3D4E5"' }],
    });
    expect(entries[5]?.changes?.map(({ field }) => field)).toEqual(["deleteTime", "purgeTime"]);
    expect(entries[7]?.changes).toEqual([
      { field: "bindings", before: policy([`user:${ROOT}`]), after: policy(owners) },
    ]);
    expect(entries[8]?.changes?.[0]).toEqual({ field: "deleteTime", after: expect.any(String) });
    expect(entries[9]?.changes?.[0]).toEqual({ field: "deleteTime", before: expect.any(String) });
  });

  test("contains a policy's etags before and after each change, also with bindings in the config file", async ({
    server,
    root,
  }) => {
    const number = await createProject(server, root, "policy-etags");
    const owner = await server.token(OWNER);
    for (const [project, token] of [
      [PROJECT.id, owner],
      [number, root],
    ] as const) {
      const policy = (): Promise<{ etag: string; bindings: unknown[] }> =>
        expectOk(server, token, `POST /v1/projects/${project}:getIamPolicy`, {});
      const etags = [];
      for (const name of ["one", "two"]) {
        const { etag, bindings } = await policy();
        etags.push(etag);
        const viewer = { role: "roles/viewer", members: [`user:${name}@x.y`] };
        await expectOk(server, token, `POST /v1/projects/${project}:setIamPolicy`, {
          policy: { bindings: [...bindings, viewer], etag },
        });
      }
      etags.push((await policy()).etag);
      const line = `GET /v1/projects/${project}/auditEntries?method=SetIamPolicy`;
      const { auditEntries } = await expectOk(server, token, line);
      const entries = (auditEntries as readonly Entry[]).toReversed();
      expect(entries.map(({ etagBefore, etagAfter }) => [etagBefore, etagAfter])).toEqual([
        etags.slice(0, 2),
        etags.slice(1),
      ]);
    }
  });

  test("contains changes of App Attest configurations", async ({ server }) => {
    const editor = await server.token(EDITOR);
    const change = async (tokenTtl: string): Promise<string> => {
      const { status, text } = await patch(server, editor, IOS_APP, { tokenTtl });
      expect(status).toBe(200);
      return JSON.parse(text).etag;
    };
    const etags = [await change("7200s"), await change("1800s")];
    const line = `GET /v1/projects/${PROJECT.id}/auditEntries`;
    const { auditEntries } = await expectOk(server, await server.token(OWNER), line);
    const common = {
      principal: EDITOR,
      method: "UpdateAppAttestConfig",
      resource: `projects/${PROJECT.number}/apps/${IOS_APP}/appAttestConfig`,
    };
    expect(auditEntries.slice(0, 2)).toMatchObject([
      {
        ...common,
        etagBefore: etags[0],
        etagAfter: etags[1],
        changes: [{ field: "tokenTtl", before: '"7200s"', after: '"1800s"' }],
      },
      { ...common, etagAfter: etags[0], changes: [{ field: "tokenTtl", after: '"7200s"' }] },
    ]);
    expect(auditEntries[1].etagBefore).toBeUndefined();
  });

  test("can be filtered and paged, and contains only projects of the owner", async ({ server, root }) => {
    const number = await createProject(server, root, "paged-project", { [OWNER]: "owner" });
    const owner = await server.token(OWNER);
    for (const displayName of ["Name one", "Name two", "Name three"])
      await expectOk(server, owner, `PATCH /v1beta1/projects/${number}?updateMask=displayName`, {
        displayName,
      });
    const line = `GET /v1/projects/-/auditEntries?principal=${OWNER}&method=UpdateProject&pageSize=2`;
    const first = await expectOk(server, owner, line);
    expect(first.auditEntries).toHaveLength(2);
    const second = await expectOk(server, owner, `${line}&pageToken=${first.nextPageToken}`);
    expect([second.auditEntries.length, second.nextPageToken]).toEqual([1, undefined]);
    expect(
      await expectOk(server, owner, "GET /v1/projects/-/auditEntries?startTime=2100-01-01T00:00:00Z"),
    ).toEqual({});
    await createProject(server, root, "hidden-project");
    expect((await call(server, owner, "GET /v1/projects/-/auditEntries")).text).not.toContain(
      "hidden-project",
    );
    expect((await call(server, root, "GET /v1/projects/-/auditEntries")).text).toContain("hidden-project");
    const { status, text } = await call(
      server,
      await server.token(EDITOR),
      `GET /v1/projects/${number}/auditEntries`,
    );
    expect([status, errorOf(text).reason]).toEqual([403, "PERMISSION_MISSING"]);
  });

  test("cannot be changed", async ({ server, root }) => {
    const { auditEntries } = await expectOk(server, root, "GET /v1/projects/-/auditEntries?pageSize=1");
    for (const method of ["DELETE", "PATCH", "PUT", "POST"]) {
      for (const target of [`/v1/${auditEntries[0].name}`, `/v1/projects/${PROJECT.id}/auditEntries`])
        expect([404, 405]).toContain((await call(server, root, `${method} ${target}`)).status);
    }
  });
});
