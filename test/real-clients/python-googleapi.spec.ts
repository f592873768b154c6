import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface, type Interface } from "node:readline";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect } from "vitest";
import { accepted, entryName, type Page } from "../support/data/delivery-data.js";
import { ndjson } from "../support/data/import.js";
import { ENTRIES, importEntries, PARENT } from "../support/data/labelled-entries.js";
import { REGISTRY_CONFIG, ROOT } from "../support/data/registry.js";
import { need } from "../support/needs.js";
import { test } from "../support/servers/fixtures.js";
import { ANDROID_APP, BASE_CONFIG, IOS_APP, OTHER_PROJECT, PROJECT } from "../support/servers/project.js";
import type { Server } from "../support/servers/server.js";

need("python3-googleapi");

const PROGRAM = fileURLToPath(new URL("python_googleapi.py", import.meta.url));
/** The Python interpreter for which Debian installs its packages. */
const PYTHON = "/usr/bin/python3";

const nameOf = (app: string, project: string = PROJECT.id): string =>
  `projects/${project}/apps/${app}/appAttestConfig`;
/** More apps than the longest URL that the client sends could name. */
const APPS = Array.from({ length: 100 }, (_each, index) => `1:123456789012:web:${index}`);

const [FIRST, ...OTHERS] = BASE_CONFIG.projects as [{ apps: { id: string }[] }, object];
const LARGE = { ...FIRST, apps: [...FIRST.apps, ...APPS.map((id) => ({ id }))] };

test.override("config", {
  ...REGISTRY_CONFIG,
  projects: [LARGE, ...OTHERS],
});

test.beforeAll(async ({ server, editor }) => {
  await importEntries(server, editor);
});

/** A call's outcome as the program reports it. */
interface Outcome {
  readonly responses?: readonly unknown[];
  readonly status?: number;
  readonly error?: { readonly status: string; readonly details: readonly { readonly reason?: string }[] };
  readonly text?: string;
  readonly rejectedByClient?: string;
}

/** APIs that the program uses. Each version of the registry counts as a separate API. */
type Api = "integrity" | "messagingdata" | "firebase" | "resourcemanager";

class PythonClient {
  readonly #process: ChildProcess;
  readonly #lines: Interface;
  /** Rejects when the process has exited. */
  readonly #ended: Promise<never>;

  /** @param by how to build the client's methods; with `http`, also how to authorize requests. */
  constructor(server: Server, by: "build" | "build_from_document" | "http", accessToken: string) {
    const urls: Readonly<Record<Api, string>> = {
      integrity: server.integrityUrl,
      messagingdata: server.messagingDataUrl,
      firebase: server.registryUrl,
      resourcemanager: server.registryUrl,
    };
    this.#process = spawn(PYTHON, [PROGRAM, JSON.stringify({ by, urls, token: accessToken })]);
    let errors = "";
    this.#process.stderr?.on("data", (chunk: Buffer) => {
      errors += chunk.toString();
    });
    this.#ended = once(this.#process, "close").then(() => Promise.reject(new Error(errors)));
    this.#ended.catch(() => {});
    if (this.#process.stdout === null) throw new Error("the program has no output");
    this.#lines = createInterface(this.#process.stdout);
  }

  async call(api: Api, operation: string, parameters: object, lines?: string): Promise<Outcome> {
    const parts = operation.split(".");
    const call = {
      api,
      resource: parts.slice(0, -1).join("."),
      method: parts.at(-1),
      arguments: parameters,
      lines,
    };
    const responded = once(this.#lines, "line") as Promise<[string]>;
    this.#process.stdin?.write(`${JSON.stringify(call)}\n`);
    const [line] = await Promise.race([responded, this.#ended]);
    return JSON.parse(line) as Outcome;
  }

  async close(): Promise<void> {
    this.#process.stdin?.end();
    await this.#ended.catch(() => {});
  }
}

const GET = "projects.apps.appAttestConfig.get";
const BATCH_GET = "projects.apps.appAttestConfig.batchGet";
const PATCH = "projects.apps.appAttestConfig.patch";
const LIST = "projects.androidApps.deliveryData.list";
// `import` is a keyword of Python; the client adds the underscore.
const IMPORT = "projects.messageEvents.import_";

describe.each(["build", "build_from_document"] as const)("the Python client that is built from %s", (by) => {
  let python: PythonClient;
  test.beforeAll(({ server, editor }) => {
    python = new PythonClient(server, by, editor);
  });
  afterAll(() => python.close());

  test("gets a configuration", async () => {
    const whole = { name: nameOf("app-7d", PROJECT.number), tokenTtl: "604800s" };
    expect(await python.call("integrity", GET, { name: nameOf("app-7d") })).toEqual({ responses: [whole] });
    const partial = await python.call("integrity", GET, { name: nameOf("app-7d"), fields: "tokenTtl" });
    expect(partial).toEqual({ responses: [{ tokenTtl: "604800s" }] });
  });

  test("gets several configurations, ordered as requested", async () => {
    const names = [nameOf("app-7d"), nameOf(APPS[1] ?? "")];
    const outcome = await python.call("integrity", BATCH_GET, { parent: `projects/${PROJECT.id}`, names });
    expect(outcome).toMatchObject({
      responses: [{ configs: [{ tokenTtl: "604800s" }, { tokenTtl: "3600s" }] }],
    });
  });

  test("gets more configurations than fit into a URL, by sending the names in the body", async () => {
    const names = APPS.map((app) => nameOf(app));
    const outcome = await python.call("integrity", BATCH_GET, { parent: `projects/${PROJECT.id}`, names });
    const configs = APPS.map((app) => ({ name: nameOf(app, PROJECT.number), tokenTtl: "3600s" }));
    expect(outcome).toEqual({ responses: [{ configs }] });
  });

  test("changes a configuration", async () => {
    const name = nameOf(IOS_APP);
    const change = (tokenTtl: string) =>
      python.call("integrity", PATCH, { name, updateMask: "tokenTtl", body: { tokenTtl } });
    expect(await change("7200s")).toMatchObject({ responses: [{ tokenTtl: "7200s" }] });
    expect(await python.call("integrity", GET, { name })).toMatchObject({
      responses: [{ tokenTtl: "7200s" }],
    });
    expect(await change("3600s")).toMatchObject({ responses: [{ tokenTtl: "3600s" }] });
  });

  test("reads all pages of the list", async () => {
    const { responses = [] } = await python.call("messagingdata", LIST, { parent: PARENT, pageSize: 5 });
    const pages = responses as readonly Page[];
    const names = pages.map(({ androidDeliveryData = [] }) => androidDeliveryData.map(entryName));
    expect(names).toEqual([ENTRIES.slice(0, 5), ENTRIES.slice(5, 10), ENTRIES.slice(10)]);
    expect(pages[0]?.androidDeliveryData?.[1]).toMatchObject({
      appId: ANDROID_APP,
      date: { year: 2026, month: 1, day: 2 },
      analyticsLabel: "a",
      data: { countMessagesAccepted: "1" },
    });
  });

  test("imports events", async () => {
    const lines = ndjson([
      accepted("some-app", "2026-01-02T20:00:00Z"),
      accepted("some-app", "2026-01-03T20:00:00Z"),
    ]);
    const outcome = await python.call("messagingdata", IMPORT, { parent: `projects/${PROJECT.id}` }, lines);
    expect(outcome).toEqual({ responses: [{ importedCount: "2" }] });
  });

  test.each<
    [
      api: "integrity" | "messagingdata",
      operation: string,
      parameters: object,
      status: number,
      reason: string,
    ]
  >([
    ["integrity", GET, { name: nameOf("missing") }, 404, "RESOURCE_NOT_FOUND"],
    ["integrity", GET, { name: nameOf(IOS_APP, OTHER_PROJECT.id) }, 403, "PERMISSION_MISSING"],
    [
      "integrity",
      BATCH_GET,
      { parent: `projects/${PROJECT.id}`, names: [nameOf("missing")] },
      404,
      "RESOURCE_NOT_FOUND",
    ],
    [
      "integrity",
      PATCH,
      { name: nameOf(IOS_APP), updateMask: "tokenTtl", body: { tokenTtl: "1s" } },
      400,
      "INVALID_TOKEN_TTL",
    ],
    ["messagingdata", LIST, { parent: PARENT, pageSize: -1 }, 400, "INVALID_PAGE_SIZE"],
    ["messagingdata", LIST, { parent: PARENT, pageToken: "x" }, 400, "PAGE_TOKEN_INVALID"],
    ["messagingdata", IMPORT, { parent: `projects/${PROJECT.id}`, body: {} }, 415, "UNSUPPORTED_MEDIA_TYPE"],
  ])("throws the server's error: %s %s %j", async (api, operation, parameters, status, reason) => {
    const outcome = await python.call(api, operation, parameters);
    expect(outcome).toMatchObject({ status, error: { code: status } });
    expect(outcome.error?.details[0]?.reason).toBe(reason);
    expect(outcome.text).toContain(reason);
  });

  test.each<[api: "integrity" | "messagingdata", operation: string, parameters: object, problem: string]>([
    ["integrity", GET, {}, 'Missing required parameter "name"'],
    ["integrity", GET, { name: "projects/p" }, "does not match the pattern"],
    ["integrity", PATCH, { name: nameOf(IOS_APP), body: {} }, 'Missing required parameter "updateMask"'],
    ["messagingdata", LIST, { parent: PARENT, page_size: 1 }, 'unexpected keyword argument "page_size"'],
    ["messagingdata", LIST, { parent: PARENT, alt: "media" }, "is not an allowed value"],
  ])(
    "detects wrong arguments before it calls the server: %s %s %j",
    async (api, operation, parameters, problem) => {
      const { rejectedByClient } = await python.call(api, operation, parameters);
      expect(rejectedByClient).toContain(problem);
    },
  );
});

test("the Python client reports an invalid token", async ({ server }) => {
  const python = new PythonClient(server, "http", "not-a-token");
  const outcome = await python.call("integrity", GET, { name: nameOf(IOS_APP) });
  await python.close();
  expect(outcome).toMatchObject({ status: 401, error: { status: "UNAUTHENTICATED" } });
  expect(outcome.text).toContain("ACCESS_TOKEN_INVALID");
});

test("the Python client creates a project with an app, changes access, and deletes and restores both", async ({
  server,
}) => {
  const python = new PythonClient(server, "build", await server.token(ROOT));
  const call = async (api: Api, operation: string, parameters: object): Promise<unknown> => {
    const { responses, text } = await python.call(api, operation, parameters);
    expect(text).toBeUndefined();
    return responses?.[0];
  };
  const projectId = "shop-python";
  const name = `projects/${projectId}`;
  const project = await call("resourcemanager", "projects.create", { body: { projectId, name: "Shop" } });
  expect(project).toMatchObject({ done: true, response: { projectId, name: "Shop" } });
  const body = { displayName: "Shop", packageName: "com.example.shop" };
  const created = await call("firebase", "projects.androidApps.create", { parent: name, body });
  const app = (created as { response: { name: string } }).response;
  expect(app).toMatchObject(body);
  expect(await call("firebase", "projects.androidApps.list", { parent: name })).toMatchObject({
    apps: [{ name: app.name }],
  });
  const policy = (await call("resourcemanager", "projects.getIamPolicy", { resource: name, body: {} })) as {
    bindings: object[];
  };
  const binding = { role: "roles/viewer", members: ["user:ada@example.com"] };
  const changed = { ...policy, bindings: [...policy.bindings, binding] };
  expect(
    await call("resourcemanager", "projects.setIamPolicy", { resource: name, body: { policy: changed } }),
  ).toMatchObject({ bindings: expect.arrayContaining([binding]) });
  await call("resourcemanager", "projects.delete", { name });
  expect(await python.call("firebase", "projects.get", { name })).toMatchObject({ status: 403 });
  await call("resourcemanager", "projects.undelete", { name, body: {} });
  expect(await call("firebase", "projects.get", { name })).toMatchObject({ projectId, state: "ACTIVE" });
  expect(await call("firebase", "projects.androidApps.get", { name: app.name })).toMatchObject(body);
  const taken = await python.call("resourcemanager", "projects.create", { body: { projectId } });
  expect(taken).toMatchObject({ status: 409, error: { status: "ALREADY_EXISTS" } });
  await python.close();
});
