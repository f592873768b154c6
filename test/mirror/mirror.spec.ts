import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect } from "vitest";
import { rejectionOf } from "../../src/api/testing/error-of.js";
import { runInProcess } from "../../src/cli/testing/run-in-process.js";
import { accepted, type Entry, inListOrder, listOf } from "../support/data/delivery-data.js";
import { entriesOf, importEvents, ndjson, parsedLines, postEvents } from "../support/data/import.js";
import { importRecentTraffic } from "../support/data/recent-traffic.js";
import { createProject, REGISTRY_CONFIG, ROOT } from "../support/data/registry.js";
import { send } from "../support/http/exchange.js";
import { poll } from "../support/poll.js";
import { createCredentials } from "../support/servers/credentials.js";
import { test as serving } from "../support/servers/fixtures.js";
import { mirrorOf } from "../support/servers/mirror-of.js";
import { BASE_CONFIG, EDITOR, PROJECT, VIEWER } from "../support/servers/project.js";
import type { Server } from "../support/servers/server.js";
import { startProcess } from "../support/servers/server-process.js";

const APPS = ["1:1:android:a", "1:1:android:b"];

const test = serving
  /** Credentials for `server`, which is the upstream service. */
  .extend(
    "credentials",
    { scope: "file" },
    async ({ server }) => (await createCredentials(server, VIEWER)).path,
  )
  .extend("given", { scope: "file" }, ({ server, editor }) =>
    importRecentTraffic(server, editor, { apps: APPS, days: 6 }),
  )
  /** A mirror of `server` with all of its entries. */
  .extend("mirror", { scope: "file" }, async ({ server, credentials, given, openSharedServer }) => {
    const mirror = await openSharedServer(mirrorOf(server, credentials));
    await mirrored(mirror, given);
    return mirror;
  });

const mirrorOnce = (server: Server, ...flags: string[]) =>
  runInProcess(["mirror", "--once", "--admin", server.adminUrl, "--data-dir", server.dataDir, ...flags]);

/** All entries of the project, in list order. */
const allEntries = async (server: Server): Promise<Entry[]> =>
  entriesOf(server, await server.token(VIEWER), "-");

const mirrored = (server: Server, given: readonly Entry[]): Promise<Entry[]> =>
  poll(
    () => allEntries(server),
    ({ length }) => length === given.length,
  );

describe("a mirrored project", () => {
  test("lists upstream's entries unchanged, from the start", async ({ server, given, mirror }) => {
    expect(await allEntries(mirror)).toEqual([...given].sort(inListOrder));
    const target = listOf(APPS[0] ?? "");
    const [upstream, copy] = await Promise.all(
      [server, mirror].map(async (each) =>
        send(each.messagingDataUrl, target, { token: await each.token(VIEWER) }),
      ),
    );
    expect(copy?.text).toBe(upstream?.text);
  });

  test("accepts no events", async ({ mirror }) => {
    const { status, text } = await postEvents(
      mirror,
      await mirror.token(EDITOR),
      ndjson([accepted("a", new Date().toISOString())]),
    );
    expect([status, JSON.parse(text)]).toMatchObject([
      400,
      { error: { status: "FAILED_PRECONDITION", details: [{ reason: "PROJECT_IS_MIRRORED" }] } },
    ]);
  });

  test("has the same entries as upstream, even if its process was killed during a round", async ({
    server,
    credentials,
    given,
    directory,
    startServer,
  }) => {
    const config = mirrorOf(server, credentials);
    for (const milliseconds of [5, 30, 60, 120, 250]) {
      const killed = await startProcess(directory, config);
      await sleep(milliseconds);
      await killed.stop("SIGKILL");
    }
    const mirror = await startServer(config);
    expect(await mirrored(mirror, given)).toEqual([...given].sort(inListOrder));
    expect((await mirrorOnce(mirror)).stdout).toContain(
      `0 entries new, 0 changed, ${given.length} unchanged`,
    );
  });

  test("has only one source of delivery data", async ({ server, credentials, given, startServer }) => {
    const first = await startServer(mirrorOf(server, credentials));
    await mirrored(first, given);
    await first.stop();
    await expect(startServer(BASE_CONFIG)).rejects.toThrow(
      "projects[0].deliveryData.source: must be mirror, because the project has data from this source",
    );
  });

  test("keeps this source after the config file no longer names it, if the API has created it", async ({
    server,
    credentials,
    given,
    startServer,
  }) => {
    const id = "adopted-project";
    const first = await startServer(REGISTRY_CONFIG);
    const number = await createProject(first, await first.token(ROOT), id);
    await first.stop();
    const source = { url: server.messagingDataUrl, project: PROJECT.id, credentialsFile: credentials };
    const project = { id, number, deliveryData: { source: "mirror", mirror: source } };
    const listed = async (one: Server) => {
      const { text } = await send(one.messagingDataUrl, listOf("-", id), { token: await one.token(ROOT) });
      return text;
    };
    const second = await startServer({
      ...REGISTRY_CONFIG,
      projects: [...REGISTRY_CONFIG.projects, project],
    });
    const complete = await poll(
      () => listed(second),
      (text) => JSON.parse(text).androidDeliveryData?.length === given.length,
    );
    await second.stop();

    const third = await startServer(REGISTRY_CONFIG);
    const event = ndjson([accepted("a", "2025-01-02T12:00:00Z")]);
    const imported = await postEvents(third, await third.token(ROOT), event, { project: id });
    expect(rejectionOf(imported)).toEqual([400, "PROJECT_IS_MIRRORED"]);
    expect(await listed(third)).toBe(complete);
    const { text } = await send(third.messagingDataUrl, "/v1beta1/projects", {
      token: await third.token(ROOT),
    });
    expect(JSON.parse(text).projects).toContainEqual({
      name: `projects/${number}`,
      projectId: id,
      mirrored: true,
    });
  });

  test("does not start if it has entries or events that do not come from the mirror", async ({
    server,
    credentials,
    given,
    startServer,
  }) => {
    expect(given.length).toBeGreaterThan(0);
    const first = await startServer();
    const events = [accepted("a", new Date(Date.now() - 86_400_000).toISOString())];
    await importEvents(first, await first.token(EDITOR), events, { appId: "a", entries: 1 });
    await first.stop();
    await expect(startServer(mirrorOf(server, credentials))).rejects.toThrow(
      "projects[0].deliveryData.source: must be events",
    );
  });
});

describe("waybill mirror --once", () => {
  test("reads everything, and prints the new data", async ({ given, mirror }) => {
    expect(await mirrorOnce(mirror)).toEqual({
      code: 0,
      stdout: `${PROJECT.id}: 2 apps, 2 pages; 0 entries new, 0 changed, ${given.length} unchanged; 0 gaps\n`,
      stderr: "",
    });
    const one = await mirrorOnce(mirror, "--project", PROJECT.number, "--app", APPS[1] ?? "");
    expect(one.stdout).toMatch(
      /^test-project: 1 app, 1 page; 0 entries new, 0 changed, \d+ unchanged; 0 gaps\n$/,
    );
  });

  test("fails and reports the gap if upstream rejects the credentials", async ({
    server,
    given,
    openServer,
  }) => {
    expect(given.length).toBeGreaterThan(0);
    const foreign = (await createCredentials(server, "nobody@example.com")).path;
    const mirror = await openServer(mirrorOf(server, foreign, { apps: APPS }));
    const { code, stdout, stderr } = await mirrorOnce(mirror);
    expect(code).toBe(1);
    expect(stdout).toMatch(
      /^test-project: 2 apps, 0 pages; 0 entries new, 0 changed, 0 unchanged; 2 gaps\n$/,
    );
    expect(stderr).toContain("403");
    const { text } = await send(mirror.adminUrl, "/metrics");
    expect(text).toContain('waybill_mirror_gaps{project="123456789012",kind="credentials_rejected"} 2');
  });

  test("fails if upstream is unavailable", async ({ server, credentials, openServer }) => {
    const mirror = await openServer(
      mirrorOf(server, credentials, { url: "http://127.0.0.1:1", apps: ["a"] }),
    );
    const { code, stderr } = await mirrorOnce(mirror);
    expect([code, stderr]).toEqual([1, expect.stringContaining("test-project, a: ")]);
  });

  test("rejects a project that is not mirrored", async ({ server }) => {
    expect(await mirrorOnce(server)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("This server mirrors no project"),
    });
  });
});

test("waybill mirror prints each stored response unchanged", async ({ server, mirror }) => {
  const [app = ""] = APPS;
  const page = await send(server.messagingDataUrl, `${listOf(app)}?pageSize=10000`, {
    token: await server.token(VIEWER),
  });
  const flags = ["--admin", mirror.adminUrl, "--data-dir", mirror.dataDir, "--project", PROJECT.id];
  const { code, stdout } = await runInProcess(["mirror", "--responses", ...flags, "--app", app]);
  expect(code).toBe(0);
  // Each round stores a response.
  const response = { url: `${server.messagingDataUrl}${listOf(app)}?pageSize=10000`, body: page.text };
  const lines = parsedLines(stdout);
  expect(lines.length).toBeGreaterThan(0);
  expect(lines).toMatchObject(lines.map(() => response));
  for (const some of [flags, [...flags, "--app", app, "--once"], ["--app", app]]) {
    expect(await runInProcess(["mirror", "--responses", ...some])).toMatchObject({ code: 1, stdout: "" });
  }
});
