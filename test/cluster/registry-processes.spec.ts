import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { runInProcess } from "../../src/cli/testing/run-in-process.js";
import { closedAtEnd, opening } from "../support/closing.js";
import { holdingPostgresProxy } from "../support/cluster/holding-postgres-proxy.js";
import { controlOn, type TestDatabase, testDatabase } from "../support/cluster/postgres-database.js";
import { configOf } from "../support/data/integrity.js";
import {
  call,
  createIosApp,
  createProject,
  expectOk,
  REGISTRY_CONFIG,
  ROOT,
} from "../support/data/registry.js";
import { send } from "../support/http/exchange.js";
import { poll } from "../support/poll.js";
import { test as base } from "../support/servers/process-fixtures.js";
import type { ServerProcess } from "../support/servers/server-process.js";

const CHANGE = /change_records/;

const test = base
  .extend("database", { scope: "file" }, opening(testDatabase))
  .extend("proxy", { scope: "file" }, async ({ database }, { onCleanup }) =>
    closedAtEnd(await holdingPostgresProxy(database.port), onCleanup),
  )
  .extend("shared", { scope: "file" }, ({ database, sharedDirectory }) =>
    withControl(database, sharedDirectory, database.port),
  )
  .extend("servers", { scope: "file" }, ({ shared, openSharedServer }) =>
    Promise.all([1, 2, 3].map(() => openSharedServer(shared))),
  )
  /** Starts a process that reaches the database through the proxy. */
  .extend("startKilled", ({ database, proxy, sharedDirectory, openServer }) => () => {
    return openServer(withControl(database, sharedDirectory, proxy.port));
  })
  .extend("tokenOf", { scope: "file" }, ({ shared, sharedDirectory }) => async (principal: string) => {
    const file = join(sharedDirectory, "shared.yaml");
    writeFileSync(file, JSON.stringify(shared));
    const { stdout, stderr } = await runInProcess(["token", "--config", file, "--principal", principal]);
    expect(stderr).toBe("");
    return stdout.trim();
  })
  .extend("root", { scope: "file" }, ({ tokenOf }) => tokenOf(ROOT));

const withControl = ({ name }: TestDatabase, directory: string, port: number): object => ({
  ...REGISTRY_CONFIG,
  control: controlOn({ name, port }, directory),
});

/** Reads a project at each server, and returns the statuses. */
const statuses = (servers: readonly ServerProcess[], token: string, project: string) =>
  Promise.all(
    servers.map(async (server) => (await call(server, token, `GET /v1beta1/projects/${project}`)).status),
  );
const setPolicy = (project: string, ...owners: readonly string[]) =>
  [
    `POST /v1/projects/${project}:setIamPolicy`,
    { policy: { bindings: [{ role: "roles/owner", members: owners.map((owner) => `user:${owner}`) }] } },
  ] as const;

test("a policy change through one process applies to all services of the other processes", async ({
  servers,
  root,
  tokenOf,
}) => {
  const [one, ...others] = servers as [ServerProcess, ...ServerProcess[]];
  const number = await createProject(one, root, "changed-project");
  const { appId } = await createIosApp(one, root, number, "com.example.app");
  const guest = await tokenOf("guest@example.com");
  const integrity = () =>
    Promise.all(
      others.map(
        async (server) => (await send(server.integrityUrl, configOf(appId, number), { token: guest })).status,
      ),
    );
  await expectOk(one, root, ...setPolicy(number, ROOT, "guest@example.com"));
  for (const read of [() => statuses(others, guest, number), integrity])
    await poll(read, (all) => all.every((status) => status === 200));
  await expectOk(one, root, ...setPolicy(number, ROOT));
  for (const read of [() => statuses(others, guest, number), integrity])
    await poll(read, (all) => all.every((status) => status === 403));
  await expectOk(one, root, `DELETE /v1/projects/${number}`);
  await poll(
    () => statuses(others, root, number),
    others.map(() => 403),
  );
});

test("exactly one of eight concurrent policy changes in three processes succeeds", async ({
  servers,
  root,
}) => {
  const [one] = servers as [ServerProcess];
  const number = await createProject(one, root, "contended-project");
  const [line, { policy }] = setPolicy(number, ROOT);
  const { etag } = await expectOk(one, root, line.replace("set", "get"), {});
  await poll(
    () => statuses(servers, root, number),
    servers.map(() => 200),
  );
  const set = (index: number) => {
    const server = servers[index % servers.length] as ServerProcess;
    const viewer = { role: "roles/viewer", members: [`user:${index}@x.y`] };
    return call(server, root, line, { policy: { bindings: [...policy.bindings, viewer], etag } });
  };
  const responses = await Promise.all(Array.from({ length: 8 }, (_, index) => set(index)));
  const codes = responses.map(({ status }) => status);
  expect(codes.toSorted()).toEqual([200, ...Array(7).fill(409)]);
  const winner = { role: "roles/viewer", members: [`user:${codes.indexOf(200)}@x.y`] };
  for (const server of servers)
    expect((await expectOk(server, root, line.replace("set", "get"), {})).bindings).toContainEqual(winner);
});

test("exactly one of several concurrent calls in three processes creates a project", async ({
  servers,
  root,
}) => {
  const body = { projectId: "wanted-project" };
  const responses = await Promise.all(servers.map((server) => call(server, root, "POST /v1/projects", body)));
  expect(responses.map(({ status }) => status).toSorted()).toEqual([200, 409, 409]);
});

test.for<[name: string, change: (project: string) => readonly [string, unknown?], after: number]>([
  ["creation", (project) => ["POST /v1/projects", { projectId: project }], 200],
  ["deletion", (project) => [`DELETE /v1/projects/${project}`], 403],
  ["policy change", (project) => setPolicy(project, ROOT, "new@example.com"), 200],
])(
  "a %s is complete if a process is killed before it learns that it was committed",
  async ([name, change, after], { servers, proxy, startKilled, root }) => {
    const [other] = servers as [ServerProcess];
    const killed = await startKilled();
    const project = `killed-in-${name.replaceAll(" ", "-")}`;
    if (name !== "creation") await createProject(killed, root, project);
    const committed = proxy.hold(CHANGE);
    const failing = expect(call(killed, root, ...change(project))).rejects.toThrow();
    await committed;
    await killed.stop("SIGKILL");
    await failing;
    await poll(
      () => statuses(servers, root, project),
      servers.map(() => after),
    );
    if (after === 403) {
      await expectOk(other, root, `POST /v1/projects/${project}:undelete`, {});
    } else {
      const again = await call(other, root, "POST /v1/projects", { projectId: project });
      expect(again.status).toBe(409);
    }
    const { bindings } = await expectOk(other, root, `POST /v1/projects/${project}:getIamPolicy`, {});
    const members = name === "policy change" ? ["user:new@example.com", `user:${ROOT}`] : [`user:${ROOT}`];
    expect(bindings).toEqual([{ role: "roles/owner", members }]);
  },
);

test("each project is either complete or absent after a process was killed under load", async ({
  servers,
  startKilled,
  root,
}) => {
  const [other] = servers as [ServerProcess];
  const killed = await startKilled();
  const ids = Array.from({ length: 60 }, (_, index) => `loaded-${index}`);
  let responded = 0;
  const creations = ids.map(async (projectId) => {
    try {
      await expectOk(killed, root, "POST /v1/projects", { projectId });
    } catch {
      return false;
    }
    responded++;
    if (responded === 10) await killed.stop("SIGKILL");
    return true;
  });
  const acknowledged = await Promise.all(creations);
  expect(acknowledged.filter(Boolean).length).toBeGreaterThanOrEqual(10);
  await poll(
    async () => (await expectOk(other, root, "GET /v1beta1/projects?pageSize=1000")).results,
    (results) => ids.every((id, index) => !acknowledged[index] || hasProject(results, id)),
  );
  for (const [index, projectId] of ids.entries()) {
    const { status } = await call(other, root, "POST /v1/projects", { projectId });
    expect(status).toBeOneOf(acknowledged[index] ? [409] : [200, 409]);
    const { bindings } = await expectOk(other, root, `POST /v1/projects/${projectId}:getIamPolicy`, {});
    expect(bindings).toEqual([{ role: "roles/owner", members: [`user:${ROOT}`] }]);
  }
});

const hasProject = (results: readonly { readonly projectId: string }[], id: string): boolean =>
  results.some(({ projectId }) => projectId === id);
