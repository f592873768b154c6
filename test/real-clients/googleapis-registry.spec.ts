import { expect } from "vitest";
import { REGISTRY_CONFIG, ROOT } from "../support/data/registry.js";
import { test as serving } from "../support/servers/fixtures.js";
import { googleRegistryClients } from "../support/servers/google-client.js";
import { PROJECT } from "../support/servers/project.js";

const ADA = "user:ada@example.com";

const test = serving
  .override("config", REGISTRY_CONFIG)
  .extend("clients", { scope: "file" }, async ({ server }) =>
    googleRegistryClients(server, await server.token(ROOT)),
  )
  /** Creates a project as an application does. */
  .extend("createProject", ({ clients }) => async (projectId: string): Promise<string> => {
    const { projects } = clients.resourceManager;
    const { data } = await projects.create({ requestBody: { projectId, name: `The ${projectId}` } });
    expect(data).toMatchObject({ done: true, response: { projectId, lifecycleState: "ACTIVE" } });
    return projectId;
  });

/** A failed call's status and reason. */
async function failureOf(call: Promise<unknown>) {
  const failure = await call.then(
    () => Promise.reject(new Error("the call succeeded")),
    (error: unknown) =>
      error as { status: number; response: { data: { error: { details: { reason: string }[] } } } },
  );
  return { status: failure.status, reason: failure.response.data.error.details[0]?.reason };
}

test("the googleapis clients create, change, list, delete and restore projects", async ({
  clients,
  createProject,
}) => {
  const { firebase, resourceManager } = clients;
  const projectId = await createProject("shop-google");
  const name = `projects/${projectId}`;
  const { data: operation } = await firebase.projects.addFirebase({ project: name, requestBody: {} });
  expect(operation).toMatchObject({ done: true, response: { projectId } });
  const { data: again } = await resourceManager.operations.get({ name: operation.name });
  expect(again).toEqual(operation);
  const requestBody = { displayName: "Google shop" };
  const { data: renamed } = await firebase.projects.patch({ name, updateMask: "displayName", requestBody });
  expect(renamed).toMatchObject({ projectId, displayName: "Google shop" });
  expect((await firebase.projects.get({ name })).data).toMatchObject(renamed);
  const listed = async (options: object = {}) => (await firebase.projects.list(options)).data.results;
  expect(await listed()).toContainEqual(renamed);
  await resourceManager.projects.delete({ projectId });
  expect(await listed()).not.toContainEqual(expect.objectContaining({ projectId }));
  expect(await listed({ showDeleted: true })).toContainEqual(
    expect.objectContaining({ projectId, state: "DELETED" }),
  );
  await resourceManager.projects.undelete({ projectId, requestBody: {} });
  expect(await listed()).toContainEqual(expect.objectContaining({ projectId, state: "ACTIVE" }));
});

test("the googleapis client reads a list of projects page by page", async ({ clients, createProject }) => {
  await createProject("shop-page");
  const { projects } = clients.firebase;
  const list = projects.list.bind(projects);
  const first = (await list({ pageSize: 1 })).data;
  const second = (await list({ pageSize: 1, pageToken: first.nextPageToken })).data;
  const { data: all } = await list({ pageSize: 2 });
  expect([...(first.results ?? []), ...(second.results ?? [])]).toEqual(all.results);
});

test.for([
  ["iosApps", { bundleId: "com.example.shop", teamId: "A1B2C3D4E5" }, "GoogleService-Info.plist"],
  ["androidApps", { packageName: "com.example.shop" }, "google-services.json"],
  ["webApps", { appUrls: ["https://shop.example"] }, undefined],
] as const)(
  "the googleapis client manages %s",
  async ([collection, fields, configFilename], { clients, createProject }) => {
    const { projects } = clients.firebase;
    const apps = projects[collection];
    const projectId = await createProject(`shop-${collection.toLowerCase()}`);
    const parent = `projects/${projectId}`;
    const { data: operation } = await apps.create({
      parent,
      requestBody: { displayName: "Shop", ...fields },
    });
    const { name, appId } = operation.response as { name: string; appId: string };
    const requestBody = { displayName: "New shop" };
    const { data: changed } = await apps.patch({ name, updateMask: "displayName", requestBody });
    expect(changed).toMatchObject({ ...fields, ...requestBody, appId });
    expect((await apps.get({ name: `projects/-/${collection}/${appId}` })).data).toEqual(changed);
    expect((await apps.list({ parent })).data.apps).toEqual([changed]);
    expect((await projects.searchApps({ parent })).data.apps).toMatchObject([requestBody]);
    const { data: config } = await apps.getConfig({ name: `${name}/config` });
    if (configFilename === undefined) expect(config).toMatchObject({ projectId, appId });
    else expect(config).toMatchObject({ configFilename });
    await apps.remove({ name, requestBody: {} });
    expect((await apps.list({ parent })).data).toEqual({});
    expect(await failureOf(apps.getConfig({ name: `${name}/config` }))).toEqual({
      status: 400,
      reason: "WRONG_STATE",
    });
    await apps.undelete({ name, requestBody: {} });
    expect((await apps.list({ parent })).data.apps).toHaveLength(1);
  },
);

test("the googleapis client changes access with an etag", async ({ server, clients, createProject }) => {
  const { projects } = clients.resourceManager;
  const resource = await createProject("shop-policy");
  const { data: policy } = await projects.getIamPolicy({ resource, requestBody: {} });
  const bindings = [...policy.bindings, { role: "roles/editor", members: [ADA] }];
  const requestBody = { policy: { ...policy, bindings } };
  const { data: changed } = await projects.setIamPolicy({ resource, requestBody });
  expect(changed.bindings).toContainEqual({ role: "roles/editor", members: [ADA] });
  expect(await failureOf(projects.setIamPolicy({ resource, requestBody }))).toEqual({
    status: 409,
    reason: "ETAG_MISMATCH",
  });
  const permissions = ["firebase.projects.get", "firebase.projects.update"];
  const ada = googleRegistryClients(server, await server.token("ada@example.com")).resourceManager.projects;
  const { data: held } = await ada.testIamPermissions({ resource, requestBody: { permissions } });
  expect(held.permissions).toEqual(["firebase.projects.get"]);
});

test("the googleapis clients throw the server's errors", async ({ clients, createProject }) => {
  const { firebase, resourceManager } = clients;
  const projectId = await createProject("shop-errors");
  const create = (requestBody: object) => failureOf(resourceManager.projects.create({ requestBody }));
  expect(await create({ projectId })).toEqual({ status: 409, reason: "NAME_IN_USE" });
  expect(await create({ projectId: "Shop" })).toEqual({ status: 400, reason: "INVALID_PROJECT_ID" });
  const requestBody = { displayName: "Another name" };
  const renaming = firebase.projects.patch({ name: `projects/${PROJECT.id}`, requestBody });
  expect(await failureOf(renaming)).toEqual({ status: 400, reason: "PROVISIONED_BY_FILE" });
});
