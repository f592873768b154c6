import { fileURLToPath } from "node:url";
import { describe, expect } from "vitest";
import { IntegrityService } from "../../src/gen/waybill/integrity/v1/integrity_pb.js";
import { MessagingDataService } from "../../src/gen/waybill/messagingdata/v1beta1/messaging_data_pb.js";
import { RegistryService } from "../../src/gen/waybill/registry/v1/registry_pb.js";
import { accepted, entryName, type Page } from "../support/data/delivery-data.js";
import { entriesOnceThey, ndjson } from "../support/data/import.js";
import { type AppAttestConfig, nameOf, readConfig } from "../support/data/integrity.js";
import { ENTRIES, importEntries, PARENT } from "../support/data/labelled-entries.js";
import { type BufOutcome, bufCurl, bufList, CONTRACT, HEALTH_CONTRACT } from "../support/http/buf-curl.js";
import { test as serving } from "../support/servers/fixtures.js";
import { loggedRequest } from "../support/servers/log.js";
import {
  ANDROID_APP,
  BASE_CONFIG,
  EDITOR,
  IOS_APP,
  OTHER_PROJECT,
  PROJECT,
  VIEWER,
} from "../support/servers/project.js";
import type { Server } from "../support/servers/server.js";

const PROJECT_NAME = `projects/${PROJECT.id}`;

/** Methods by the last two segments of their paths. */
const INTEGRITY = "waybill.integrity.v1.IntegrityService";
const MESSAGING_DATA = "waybill.messagingdata.v1beta1.MessagingDataService";
const GET = `${INTEGRITY}/GetAppAttestConfig`;
const BATCH_GET = `${INTEGRITY}/BatchGetAppAttestConfigs`;
const UPDATE = `${INTEGRITY}/UpdateAppAttestConfig`;
const LIST = `${MESSAGING_DATA}/ListAndroidDeliveryData`;
const IMPORT = `${MESSAGING_DATA}/ImportMessageEvents`;
const HEALTH = "grpc.health.v1.Health";
const REFLECTION = "grpc.reflection.v1.ServerReflection";

const test = serving
  /** Calls a method at its service. */
  .extend(
    "call",
    ({ server, editor }) =>
      (
        flags: readonly string[],
        method: string,
        request: object | readonly object[],
        token = editor,
      ): Promise<BufOutcome> => {
        const url = method.startsWith(INTEGRITY) ? server.integrityUrl : server.messagingDataUrl;
        const authorization = token === "" ? [] : ["--header", `Authorization: Bearer ${token}`];
        return bufCurl([...flags, ...authorization], `${url}/${method}`, [request].flat());
      },
  );

test.beforeAll(async ({ server, editor }) => {
  await importEntries(server, editor);
});

/** An import's messages. A message may end within a line. */
function importOf(events: readonly object[], parts = 3): object[] {
  const bytes = Buffer.from(ndjson(events));
  const size = Math.ceil(bytes.length / parts);
  return Array.from({ length: parts }, (_each, part) => ({
    ...(part === 0 && { parent: PROJECT_NAME }),
    events: {
      ...(part === 0 && { contentType: "application/x-ndjson" }),
      data: bytes.subarray(part * size, (part + 1) * size).toString("base64"),
    },
  }));
}

/** Flags for the protocol with this name in the log. */
const speaking = (protocol: string): string[] => ["--protocol", protocol.replace("-", "")];

const HTTP2 = "--http2-prior-knowledge";
const BY_CONTRACT = ["--schema", CONTRACT];
const BY_HTTP2 = "HTTP/2.0";
const BY_HTTP1 = "HTTP/1.1";

describe.each<[name: string, protocol: string, httpVersion: string, flags: readonly string[]]>([
  ["gRPC, by reflection", "grpc", BY_HTTP2, []],
  ["gRPC, by the contract", "grpc", BY_HTTP2, BY_CONTRACT],
  ["gRPC-Web, by reflection", "grpc-web", BY_HTTP2, [HTTP2]],
  ["gRPC-Web, by the contract", "grpc-web", BY_HTTP2, [HTTP2, ...BY_CONTRACT]],
  ["gRPC-Web over HTTP/1.1", "grpc-web", BY_HTTP1, BY_CONTRACT],
  ["Connect, by reflection", "connect", BY_HTTP2, [HTTP2]],
  ["Connect, by the contract", "connect", BY_HTTP2, [HTTP2, ...BY_CONTRACT]],
  ["Connect over HTTP/1.1", "connect", BY_HTTP1, BY_CONTRACT],
])("buf curl with %s", (form, protocol, httpVersion, more) => {
  const flags = [...speaking(protocol), ...more];

  test("gets a configuration", async ({ server, call }) => {
    const outcome = await call([...flags, "--verbose"], GET, { name: nameOf("app-7d", PROJECT.id) });
    const response = { name: nameOf("app-7d"), tokenTtl: "604800s" };
    expect(outcome).toMatchObject({ exitCode: 0, response, httpVersion });
    expect(await loggedRequest(server, outcome.requestId ?? "")).toMatchObject({
      protocol,
      operation: "GetAppAttestConfig",
      principal: EDITOR,
      status: 200,
    });
  });

  test("gets several configurations in the requested order", async ({ call }) => {
    const names = [nameOf("app-7d"), nameOf(IOS_APP), nameOf("app-7d")];
    const { response } = await call(flags, BATCH_GET, { parent: PROJECT_NAME, names });
    expect(response).toMatchObject({ configs: names.map((name) => ({ name })) });
  });

  test("reads all pages", async ({ call }) => {
    const pages: Page[] = [];
    for (let pageToken: string | undefined; ; ) {
      const { response } = await call(flags, LIST, { parent: PARENT, pageSize: 5, pageToken });
      const page = response as Page;
      pages.push(page);
      pageToken = page.nextPageToken;
      if (pageToken === undefined) break;
    }
    const names = pages.map(({ androidDeliveryData = [] }) => androidDeliveryData.map(entryName));
    expect(names).toEqual([ENTRIES.slice(0, 5), ENTRIES.slice(5, 10), ENTRIES.slice(10)]);
    expect(pages[0]?.androidDeliveryData?.[1]).toMatchObject({
      appId: ANDROID_APP,
      analyticsLabel: "a",
      data: { countMessagesAccepted: "1", messageOutcomePercents: {} },
    });
  });

  test("changes a configuration, unless it was changed in the meantime", async ({ server, editor, call }) => {
    const change = (tokenTtl: string, etag?: string): Promise<BufOutcome> =>
      call(flags, UPDATE, {
        appAttestConfig: { name: nameOf(IOS_APP), tokenTtl, etag },
        updateMask: "tokenTtl",
      });
    const { response } = await change("7200s");
    expect(response).toMatchObject({ tokenTtl: "7200s" });
    expect(await readConfig(server, editor, IOS_APP)).toEqual(response);
    const { etag } = response as AppAttestConfig;
    expect(await change("1800s", etag)).toMatchObject({ response: { tokenTtl: "1800s" } });
    expect(await change("3600s", etag)).toMatchObject({
      exitCode: 80,
      error: { code: "aborted", reason: "ETAG_MISMATCH" },
    });
    expect(await readConfig(server, editor, IOS_APP)).toMatchObject({ tokenTtl: "1800s" });
  });

  test("imports events in several messages", async ({ server, editor, call }) => {
    const app = `by ${form.replaceAll("/", " ")}`;
    const events = ["a", "b", "c"].map((label) => accepted(app, "2026-01-02T20:00:00Z", label));
    expect(await call(flags, IMPORT, importOf(events))).toEqual({
      exitCode: 0,
      response: { importedCount: "3" },
    });
    const listed = await entriesOnceThey(server, editor, encodeURIComponent(app), ({ length }) => length > 0);
    expect(listed.map(entryName)).toEqual(["2026-01-02 a", "2026-01-02 b", "2026-01-02 c"]);
  });
});

const PROTOCOLS: [name: string, flags: readonly string[]][] = [
  ["gRPC", speaking("grpc")],
  ["gRPC-Web", [...speaking("grpc-web"), HTTP2]],
  ["Connect", [...speaking("connect"), HTTP2]],
];

describe.each<[name: string, flags: readonly string[]]>([
  ...PROTOCOLS,
  ["Connect over HTTP/1.1", [...speaking("connect"), ...BY_CONTRACT]],
])("buf curl with %s reports the error", (_name, flags) => {
  const config = (tokenTtl: string): object => ({ name: nameOf(IOS_APP), tokenTtl });
  const nameless = { ...accepted(ANDROID_APP, "2026-01-02T20:00:00Z"), messageId: "" };

  test.for<
    [
      code: string,
      exitCode: number,
      reason: string,
      method: string,
      request: object,
      fields: readonly string[],
    ]
  >([
    ["not_found", 40, "RESOURCE_NOT_FOUND", GET, { name: nameOf("missing") }, []],
    ["permission_denied", 56, "PERMISSION_MISSING", GET, { name: nameOf(IOS_APP, OTHER_PROJECT.id) }, []],
    ["invalid_argument", 24, "INVALID_RESOURCE_NAME", GET, { name: "projects/p" }, ["name"]],
    [
      "invalid_argument",
      24,
      "TOO_MANY_NAMES",
      BATCH_GET,
      { parent: PROJECT_NAME, names: Array(101).fill(nameOf(IOS_APP)) },
      ["names"],
    ],
    [
      "invalid_argument",
      24,
      "INVALID_TOKEN_TTL",
      UPDATE,
      { appAttestConfig: config("1s"), updateMask: "tokenTtl" },
      ["tokenTtl"],
    ],
    [
      "invalid_argument",
      24,
      "UPDATE_MASK_MISSING",
      UPDATE,
      { appAttestConfig: config("3600s") },
      ["updateMask"],
    ],
    ["invalid_argument", 24, "INVALID_PAGE_SIZE", LIST, { parent: PARENT, pageSize: -1 }, ["pageSize"]],
    ["invalid_argument", 24, "PAGE_TOKEN_INVALID", LIST, { parent: PARENT, pageToken: "x" }, ["pageToken"]],
    ["invalid_argument", 24, "INVALID_FILTER", LIST, { parent: PARENT, filter: "color = 1" }, ["filter"]],
    ["invalid_argument", 24, "UNSUPPORTED_MEDIA_TYPE", IMPORT, { parent: PROJECT_NAME, events: {} }, []],
    ["invalid_argument", 24, "INVALID_MESSAGE_EVENTS", IMPORT, importOf([nameless]), ["lines[1].messageId"]],
  ])("%s (%i): %s", async ([code, exitCode, reason, method, request, fields], { call }) => {
    const domain = method.startsWith(INTEGRITY) ? "integrity.waybill" : "messaging-data.waybill";
    const outcome = await call(flags, method, request);
    expect(outcome).toMatchObject({ exitCode, error: { code, reason, domain, fields } });
  });

  test.for<
    [
      code: string,
      exitCode: number,
      reason: string,
      method: string,
      request: object,
      tokenOf: (server: Server) => Promise<string>,
    ]
  >([
    ["unauthenticated", 128, "CREDENTIALS_MISSING", GET, { name: nameOf(IOS_APP) }, async () => ""],
    ["unauthenticated", 128, "ACCESS_TOKEN_INVALID", LIST, { parent: PARENT }, async () => "not-a-token"],
    [
      "permission_denied",
      56,
      "ACCESS_TOKEN_SCOPE_INSUFFICIENT",
      LIST,
      { parent: PARENT },
      (server) => server.token(EDITOR, "app-platform"),
    ],
    [
      "permission_denied",
      56,
      "PERMISSION_MISSING",
      IMPORT,
      importOf([accepted(ANDROID_APP, "2026-01-02T20:00:00Z")]),
      (server) => server.token(VIEWER),
    ],
  ])(
    "%s (%i): %s, caused by the token",
    async ([code, exitCode, reason, method, request, tokenOf], { server, call }) => {
      const outcome = await call(flags, method, request, await tokenOf(server));
      expect(outcome).toMatchObject({ exitCode, error: { code, reason, fields: [] } });
    },
  );
});

describe.each(PROTOCOLS)("buf curl with %s and without a token", (_name, flags) => {
  test.for([
    ["integrityUrl", IntegrityService],
    ["messagingDataUrl", MessagingDataService],
    ["registryUrl", RegistryService],
  ] as const)(
    "lists the services at %s, and checks their health",
    async ([address, { typeName: service, methods }], { server }) => {
      const url = server[address];
      const names = methods.map(({ name }) => name).sort();
      expect(await bufList(...flags, "--list-services", url)).toEqual([HEALTH, REFLECTION, service]);
      for (const version of ["grpc-v1", "grpc-v1alpha"]) {
        const listed = await bufList(...flags, "--reflect-protocol", version, "--list-methods", url);
        expect(listed).toEqual([
          ...["Check", "List", "Watch"].map((method) => `${HEALTH}/${method}`),
          `${REFLECTION}/ServerReflectionInfo`,
          ...names.map((method) => `${service}/${method}`),
        ]);
      }
      const check = (name: string): Promise<BufOutcome> =>
        bufCurl(flags, `${url}/${HEALTH}/Check`, [{ service: name }]);
      for (const known of ["", service]) {
        expect(await check(known)).toEqual({ exitCode: 0, response: { status: "SERVING" } });
      }
      expect(await check("unknown")).toMatchObject({ exitCode: 40, error: { code: "not_found" } });
    },
  );
});

test("buf curl checks health over HTTP/1.1", async ({ server }) => {
  const url = `${server.messagingDataUrl}/${HEALTH}/Check`;
  const outcome = await bufCurl(["--schema", HEALTH_CONTRACT, "--verbose"], url);
  expect(outcome).toMatchObject({ exitCode: 0, response: { status: "SERVING" }, httpVersion: BY_HTTP1 });
});

describe("buf curl with TLS", () => {
  const fixture = (name: string): string =>
    fileURLToPath(new URL(`../fixtures/tls/${name}`, import.meta.url));
  const tls = { certificate: fixture("server.pem"), key: fixture("server.key") };
  let secure: Server;
  test.beforeAll(async ({ openSharedServer }) => {
    secure = await openSharedServer({ ...BASE_CONFIG, tls });
  });

  test.each(["grpc", "grpc-web", "connect"])("negotiates HTTP/2 for %s", async (protocol) => {
    const authorization = `Authorization: Bearer ${await secure.token(EDITOR)}`;
    const flags = [
      ...speaking(protocol),
      "--cacert",
      fixture("ca.pem"),
      "--header",
      authorization,
      "--verbose",
    ];
    const outcome = await bufCurl(flags, `${secure.integrityUrl}/${GET}`, [{ name: nameOf("app-7d") }]);
    expect(outcome).toMatchObject({ response: { tokenTtl: "604800s" }, httpVersion: BY_HTTP2 });
  });
});
