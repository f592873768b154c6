import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect } from "vitest";
import { errorOf } from "../../src/api/testing/error-of.js";
import { accepted, entryName, listOf, type Page } from "../support/data/delivery-data.js";
import { entriesOnceThey, importInto, ndjson } from "../support/data/import.js";
import { type AppAttestConfig, configOf, nameOf } from "../support/data/integrity.js";
import { ENTRIES, importEntries, PARENT } from "../support/data/labelled-entries.js";
import { need } from "../support/needs.js";
import { test as serving } from "../support/servers/fixtures.js";
import { loggedRequest } from "../support/servers/log.js";
import {
  ANDROID_APP,
  BASE_CONFIG,
  EDITOR,
  IOS_APP,
  OTHER_PROJECT,
  PROJECT,
} from "../support/servers/project.js";
import { run } from "../support/servers/run.js";
import type { Server } from "../support/servers/server.js";

need("curl");

/** Path of Debian's curl. */
const CURL = "/usr/bin/curl";

const LIST = listOf(ANDROID_APP);
const INTEGRITY = "/waybill.integrity.v1.IntegrityService";
const MESSAGING_DATA = "/waybill.messagingdata.v1beta1.MessagingDataService";
const BATCH_GET = `/v1/projects/${PROJECT.id}/apps/-/appAttestConfig:batchGet`;

const fixture = (name: string): string => fileURLToPath(new URL(`../fixtures/tls/${name}`, import.meta.url));

const test = serving
  /** The curl flag for an HTTP version, and the version that is used. */
  .extend("http", { flag: "--http1.1", version: "1.1" })
  /** Runs curl with the editor's token. */
  .extend(
    "ask",
    ({ server, editor, http: { flag, version } }) =>
      async (target: string, args: readonly string[] = [], input?: string): Promise<Outcome> => {
        const isIntegrity = target.startsWith("/v1/") || target.startsWith(INTEGRITY);
        const url = `${isIntegrity ? server.integrityUrl : server.messagingDataUrl}${target}`;
        const outcome = await curl([flag, "--oauth2-bearer", editor, ...args, url], input);
        expect(outcome.httpVersion).toBe(version);
        return outcome;
      },
  )
  .extend(
    "json",
    ({ ask }) =>
      async (...asked: Parameters<typeof ask>): Promise<unknown> =>
        JSON.parse((await ask(...asked)).body),
  );

test.beforeAll(async ({ server, editor }) => {
  await importEntries(server, editor);
});

/** The outcome of running curl. */
interface Outcome {
  readonly exitCode: number | null;
  readonly httpVersion: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, readonly string[]>>;
  readonly body: string;
}

async function curl(args: readonly string[], input?: string): Promise<Outcome> {
  const report = ["--write-out", "%{stderr}[%{json},%{header_json}]"];
  const { code, stdout, stderr } = await run(CURL, ["--silent", ...report, ...args], input);
  const [{ http_version: httpVersion, response_code: status }, headers] = JSON.parse(stderr);
  return { exitCode: code, httpVersion, status, headers, body: stdout };
}

describe.each([
  ["--http1.1", "1.1"],
  // curl offers an upgrade, which the server may ignore (RFC 9110 §7.8).
  ["--http2", "1.1"],
  ["--http2-prior-knowledge", "2"],
])("curl %s", (flag, httpVersion) => {
  test.override("http", { flag, version: httpVersion });

  describe("over HTTP/JSON", () => {
    test("gets a configuration", async ({ server, ask }) => {
      const { status, headers, body } = await ask(configOf("app-7d"));
      expect([status, JSON.parse(body)]).toEqual([200, { name: nameOf("app-7d"), tokenTtl: "604800s" }]);
      const line = await loggedRequest(server, headers["x-request-id"]?.[0] ?? "");
      expect(line).toMatchObject({ protocol: "http", operation: "GetAppAttestConfig", principal: EDITOR });
    });

    test("gets several configurations", async ({ json }) => {
      const names = [nameOf("app-7d"), nameOf(IOS_APP)];
      const query = ["--get", ...names.flatMap((name) => ["--data-urlencode", `names=${name}`])];
      expect(await json(BATCH_GET, query)).toMatchObject({ configs: names.map((name) => ({ name })) });
    });

    test("reads all pages", async ({ json }) => {
      const names: string[][] = [];
      for (let pageToken: string | undefined = ""; pageToken !== undefined; ) {
        const query = ["--get", "--data", "pageSize=5", "--data-urlencode", `pageToken=${pageToken}`];
        const page = (await json(LIST, query)) as Page;
        names.push((page.androidDeliveryData ?? []).map(entryName));
        pageToken = page.nextPageToken;
      }
      expect(names).toEqual([ENTRIES.slice(0, 5), ENTRIES.slice(5, 10), ENTRIES.slice(10)]);
    });

    test("changes a configuration, unless it was changed in the meantime", async ({ ask, json }) => {
      const change = (tokenTtl: string, ...args: string[]): Promise<Outcome> =>
        ask(`${configOf(IOS_APP)}?updateMask=tokenTtl`, [
          ...["--request", "PATCH", "--json", JSON.stringify({ tokenTtl })],
          ...args,
        ]);
      const changed = JSON.parse((await change("7200s")).body) as AppAttestConfig;
      expect(await json(configOf(IOS_APP))).toEqual({ ...changed, name: nameOf(IOS_APP), tokenTtl: "7200s" });
      const ifMatch = ["--header", `If-Match: ${changed.etag}`];
      expect(await change("1800s", ...ifMatch)).toMatchObject({ status: 200 });
      expect(await change("3600s", ...ifMatch)).toMatchObject({ status: 412 });
      expect(await json(configOf(IOS_APP))).toMatchObject({ tokenTtl: "1800s" });
    });

    test("imports events from a pipe", async ({ server, editor, json }) => {
      const app = `piped-${flag}`;
      const lines = ndjson([accepted(app, "2026-01-02T20:00:00Z", "a")]);
      const args = ["--data-binary", "@-", "--header", "Content-Type: application/x-ndjson"];
      expect(await json(importInto(), args, lines)).toEqual({ importedCount: "1" });
      const entries = await entriesOnceThey(server, editor, app, ({ length }) => length > 0);
      expect(entries.map(entryName)).toEqual(["2026-01-02 a"]);
    });

    test("revalidates a page by its entity tag", async ({ server, ask }) => {
      const file = join(server.dataDir, `etag${flag}`);
      const first = await ask(LIST, ["--etag-save", file]);
      expect(first.headers.etag).toEqual([(await readFile(file, "utf8")).trim()]);
      expect(await ask(LIST, ["--etag-compare", file])).toMatchObject({ status: 304, body: "" });
    });

    test("requests compressed pages and decompresses them", async ({ ask, json }) => {
      const { headers, body } = await ask(LIST, ["--compressed"]);
      expect(headers["content-encoding"]).toHaveLength(1);
      expect(JSON.parse(body)).toEqual(await json(LIST));
    });

    test("reads only the head", async ({ ask }) => {
      const { status, headers, body } = await ask(LIST, ["--head"]);
      expect(status).toBe(200);
      // curl prints the head as its output.
      expect(body).not.toContain("androidDeliveryData");
      expect(headers["content-length"]).toEqual((await ask(LIST)).headers["content-length"]);
    });

    test.for([
      ["discovery", "/$discovery/rest?version=v1", "integrityUrl", { kind: "discovery#restDescription" }],
      ["discovery", "/$discovery/rest?version=v1beta1", "messagingDataUrl", { version: "v1beta1" }],
      ["OpenAPI", "/openapi.json", "integrityUrl", { openapi: "3.1.1" }],
      ["OpenAPI", "/openapi.json", "messagingDataUrl", { openapi: "3.1.1" }],
    ] as const)(
      "reads the %s description at %s of %s without a token",
      async ([_form, target, service, part], { server }) => {
        const { status, body, httpVersion: spoken } = await curl([flag, `${server[service]}${target}`]);
        expect([status, spoken]).toEqual([200, httpVersion]);
        expect(JSON.parse(body)).toMatchObject(part);
        expect(body).toContain(server[service]);
      },
    );

    test.for<[status: number, reason: string, target: string, args: readonly string[]]>([
      [404, "RESOURCE_NOT_FOUND", configOf("missing"), []],
      [403, "PERMISSION_MISSING", configOf(IOS_APP, OTHER_PROJECT.id), []],
      [401, "ACCESS_TOKEN_INVALID", LIST, ["--oauth2-bearer", "not-a-token"]],
      [401, "CREDENTIALS_MISSING", LIST, ["--header", "Authorization:"]],
      [400, "INVALID_PAGE_SIZE", `${LIST}?pageSize=-1`, []],
      [405, "METHOD_NOT_ALLOWED", LIST, ["--request", "DELETE"]],
      [400, "UPDATE_MASK_MISSING", configOf(IOS_APP), ["--request", "PATCH", "--json", "{}"]],
      [415, "UNSUPPORTED_MEDIA_TYPE", importInto(), ["--data", "{}"]],
      [404, "ROUTE_NOT_FOUND", "/v1/", []],
    ])("fails with %i %s at %s", async ([status, reason, target, args], { ask }) => {
      const outcome = await ask(target, ["--fail-with-body", ...args]);
      // curl's exit code for statuses from 400 on.
      expect(outcome).toMatchObject({ exitCode: 22, status });
      expect(errorOf(outcome.body)).toMatchObject({ code: status, reason });
    });
  });

  describe("over Connect", () => {
    const posting = (request: object): string[] => ["--json", JSON.stringify(request)];
    const getting = (request: object, ...more: string[]): string[] =>
      ["--get", "--data-urlencode", `message=${JSON.stringify(request)}`, ...more].concat(
        ...["connect=v1", "encoding=json"].map((parameter) => ["--data", parameter]),
      );

    test.for<[name: string, asking: (request: object) => string[], method: string]>([
      ["POST", posting, "POST"],
      ["GET", getting, "GET"],
    ])("reads with %s", async ([_name, asking, method], { server, ask, json }) => {
      const get = await ask(`${INTEGRITY}/GetAppAttestConfig`, asking({ name: nameOf("app-7d") }));
      expect([get.status, get.headers["content-type"]]).toEqual([200, ["application/json"]]);
      expect(JSON.parse(get.body)).toEqual({ name: nameOf("app-7d"), tokenTtl: "604800s" });
      const line = await loggedRequest(server, get.headers["x-request-id"]?.[0] ?? "");
      expect(line).toMatchObject({ protocol: "connect", method, operation: "GetAppAttestConfig" });
      const batchGet = { parent: `projects/${PROJECT.id}`, names: [nameOf("app-7d")] };
      expect(await json(`${INTEGRITY}/BatchGetAppAttestConfigs`, asking(batchGet))).toMatchObject({
        configs: [{ tokenTtl: "604800s" }],
      });
      const list = { parent: PARENT, pageSize: 2 };
      const page = (await json(`${MESSAGING_DATA}/ListAndroidDeliveryData`, asking(list))) as Page;
      expect(page.androidDeliveryData?.map(entryName)).toEqual(ENTRIES.slice(0, 2));
      const next = { ...list, pageToken: page.nextPageToken };
      expect(await json(`${MESSAGING_DATA}/ListAndroidDeliveryData`, asking(next))).toMatchObject({
        androidDeliveryData: [{ analyticsLabel: "b" }, { analyticsLabel: "c" }],
      });
    });

    test("changes a configuration", async ({ json }) => {
      const request = {
        appAttestConfig: { name: nameOf(IOS_APP), tokenTtl: "5400s" },
        updateMask: "tokenTtl",
      };
      const changed = await json(`${INTEGRITY}/UpdateAppAttestConfig`, posting(request));
      expect(changed).toMatchObject({ tokenTtl: "5400s" });
      expect(await json(configOf(IOS_APP))).toEqual(changed);
    });

    test.for<[status: number, code: string, reason: string, method: string, args: readonly string[]]>([
      [404, "not_found", "RESOURCE_NOT_FOUND", "GetAppAttestConfig", posting({ name: nameOf("missing") })],
      [404, "not_found", "RESOURCE_NOT_FOUND", "GetAppAttestConfig", getting({ name: nameOf("missing") })],
      [
        401,
        "unauthenticated",
        "ACCESS_TOKEN_INVALID",
        "GetAppAttestConfig",
        getting({ name: nameOf(IOS_APP) }, "--oauth2-bearer", "not-a-token"),
      ],
      [400, "invalid_argument", "MALFORMED_CALL", "GetAppAttestConfig", posting({ color: "red" })],
      [
        400,
        "invalid_argument",
        "UPDATE_MASK_MISSING",
        "UpdateAppAttestConfig",
        posting({ appAttestConfig: { name: nameOf(IOS_APP) } }),
      ],
    ])("fails with %i %s %s", async ([status, code, reason, method, args], { ask }) => {
      const outcome = await ask(`${INTEGRITY}/${method}`, args);
      expect(outcome.status).toBe(status);
      const { details, ...error } = JSON.parse(outcome.body);
      expect(error).toMatchObject({ code });
      expect(details[0]).toMatchObject({ type: "google.rpc.ErrorInfo", debug: { reason } });
    });

    test.for([
      ["a change by GET", `${INTEGRITY}/UpdateAppAttestConfig`, getting({}), 405, "METHOD_NOT_ALLOWED"],
      ["a form", `${INTEGRITY}/GetAppAttestConfig`, ["--data", "name=x"], 415, "UNSUPPORTED_MEDIA_TYPE"],
      ["no such method", `${INTEGRITY}/GetNothing`, posting({}), 404, "ROUTE_NOT_FOUND"],
    ] as const)("is rejected for %s", async ([_name, target, args, status, reason], { ask }) => {
      const outcome = await ask(target, args);
      expect(outcome.status).toBe(status);
      expect(errorOf(outcome.body)).toMatchObject({ code: status, reason });
    });
  });
});

describe("curl with TLS", () => {
  let secure: Server;
  test.beforeAll(async ({ openSharedServer }) => {
    const tls = { certificate: fixture("server.pem"), key: fixture("server.key") };
    secure = await openSharedServer({ ...BASE_CONFIG, tls });
  });

  test.each([
    ["automatically", [], "2"],
    ["on request", ["--http1.1"], "1.1"],
  ])("%s, negotiates an HTTP version", async (_name, args, httpVersion) => {
    const flags = [...args, "--cacert", fixture("ca.pem"), "--oauth2-bearer", await secure.token(EDITOR)];
    const outcome = await curl([...flags, `${secure.integrityUrl}${configOf("app-7d")}`]);
    expect(outcome).toMatchObject({ httpVersion, status: 200 });
    expect(JSON.parse(outcome.body)).toEqual({ name: nameOf("app-7d"), tokenTtl: "604800s" });
  });
});
