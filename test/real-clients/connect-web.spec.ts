import { fileURLToPath } from "node:url";
import type { Browser, BrowserContext, Page as Tab } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Call, Outcome } from "../connect-web-page/page.js";
import { bundle, type PageServer, servePage } from "../support/browser/page-server.js";
import { sharedChromium } from "../support/cluster/shared-servers.js";
import { accepted, entryName, type Page } from "../support/data/delivery-data.js";
import { importInto, ndjson } from "../support/data/import.js";
import { type AppAttestConfig, nameOf } from "../support/data/integrity.js";
import { ENTRIES, importEntries, PARENT } from "../support/data/labelled-entries.js";
import { need } from "../support/needs.js";
import { poll } from "../support/poll.js";
import { loggedRequest } from "../support/servers/log.js";
import {
  ANDROID_APP,
  BASE_CONFIG,
  EDITOR,
  IOS_APP,
  OTHER_PROJECT,
  PROJECT,
} from "../support/servers/project.js";
import { type Server, startServer } from "../support/servers/server.js";
import { fileDirectory } from "../support/test-directory.js";

need("chromium");

const fixture = (path: string): string => fileURLToPath(new URL(`../${path}`, import.meta.url));
const TLS = { certificate: fixture("fixtures/tls/server.pem"), key: fixture("fixtures/tls/server.key") };

const NAME = nameOf(IOS_APP);

const TRANSPORTS: [transport: Call["transport"], protocol: string, readsBy: string][] = [
  ["Connect in JSON", "connect", "POST"],
  ["Connect in JSON, reads by GET", "connect", "GET"],
  ["Connect in binary", "connect", "POST"],
  ["Connect in binary, reads by GET", "connect", "GET"],
  ["gRPC-Web", "grpc-web", "POST"],
  ["gRPC-Web in JSON", "grpc-web", "POST"],
];

let listed: PageServer;
let unlisted: PageServer;
let browser: Browser;
beforeAll(async () => {
  const script = await bundle(fixture("connect-web-page/page.ts"));
  [listed, unlisted, browser] = await Promise.all([servePage(script), servePage(script), sharedChromium()]);
});
afterAll(async () => {
  await browser.close();
  await Promise.all([listed.close(), unlisted.close()]);
});

describe.each<[name: string, tls: object, httpVersion: string]>([
  ["HTTP/1.1", {}, "http/1.1"],
  ["TLS and HTTP/2", { tls: TLS }, "h2"],
])("a page that calls over %s", (_name, tls, httpVersion) => {
  const directory = fileDirectory();
  let server: Server;
  let token: string;
  let context: BrowserContext;
  beforeAll(async () => {
    // Data imported without TLS is also available with it.
    const first = await startServer(directory);
    token = await first.token(EDITOR);
    await importEntries(first, token);
    await first.stop();
    server = await startServer(directory, {
      ...BASE_CONFIG,
      ...tls,
      cors: { origins: [listed.origin] },
    });
    context = await browser.newContext({ ignoreHTTPSErrors: true });
  });
  afterAll(async () => {
    await context.close();
    await server.stop();
  });

  /** Makes a call in a tab, by default with the editor's token. */
  function callIn(
    tab: Tab,
    transport: Call["transport"],
    method: string,
    request: object,
    sent: Partial<Call> = {},
  ): Promise<Outcome> {
    const [service = "", name = ""] = method.split(".");
    const url = service === "MessagingDataService" ? server.messagingDataUrl : server.integrityUrl;
    const call = { transport, url, service, method: name, request, token, ...sent } as Call;
    return tab.evaluate((given) => globalThis.callWaybill(given), call);
  }

  describe.each(TRANSPORTS)("from an allowed origin by %s", (transport, protocol, readsBy) => {
    let tab: Tab;
    const call = (method: string, request: object, sent?: Partial<Call>): Promise<Outcome> =>
      callIn(tab, transport, method, request, sent);
    beforeAll(async () => {
      tab = await context.newPage();
      await tab.goto(listed.origin);
    });
    afterAll(() => tab.close());

    test("gets a configuration", async () => {
      const versions: string[] = [];
      const network = await context.newCDPSession(tab);
      network.on("Network.responseReceived", ({ response }) => versions.push(response.protocol ?? ""));
      await network.send("Network.enable");
      const name = nameOf("app-7d", PROJECT.id);
      const { response, requestId } = await call("IntegrityService.getAppAttestConfig", { name });
      expect(response).toEqual({ name: nameOf("app-7d"), tokenTtl: "604800s" });
      const spoken = await poll(
        () => [...new Set(versions)],
        ({ length }) => length > 0,
      );
      expect(spoken).toEqual([httpVersion]);
      const line = await loggedRequest(server, requestId ?? "");
      expect(line).toMatchObject({ protocol, method: readsBy, principal: EDITOR, status: 200 });
    });

    test("gets several configurations, ordered as requested", async () => {
      const names = [nameOf("app-7d"), NAME, nameOf("app-7d")];
      const parent = `projects/${PROJECT.number}`;
      const { response } = await call("IntegrityService.batchGetAppAttestConfigs", { parent, names });
      expect(response).toMatchObject({ configs: names.map((name) => ({ name })) });
    });

    test("changes a configuration, unless it was changed in the meantime", async () => {
      const change = (tokenTtl: string, etag = ""): Promise<Outcome> =>
        call("IntegrityService.updateAppAttestConfig", {
          appAttestConfig: { name: NAME, tokenTtl, etag },
          updateMask: "tokenTtl",
        });
      const { response, requestId } = await change("7200s");
      expect(response).toMatchObject({ name: NAME, tokenTtl: "7200s" });
      expect(await loggedRequest(server, requestId ?? "")).toMatchObject({ protocol, method: "POST" });
      const { etag } = response as AppAttestConfig;
      expect((await change("1800s", etag)).response).toMatchObject({ tokenTtl: "1800s" });
      expect((await change("3600s", etag)).error).toMatchObject({
        code: "Aborted",
        errorInfo: { reason: "ETAG_MISMATCH", domain: "integrity.waybill" },
      });
      const read = await call("IntegrityService.getAppAttestConfig", { name: NAME });
      expect(read.response).toMatchObject({ tokenTtl: "1800s" });
    });

    test("reads all pages", async () => {
      const pages: Page[] = [];
      for (let pageToken: string | undefined = ""; pageToken !== undefined; ) {
        const request = { parent: PARENT, pageSize: 5, pageToken };
        const { response } = await call("MessagingDataService.listAndroidDeliveryData", request);
        const page = response as Page;
        pages.push(page);
        pageToken = page.nextPageToken;
      }
      const names = pages.map(({ androidDeliveryData = [] }) => androidDeliveryData.map(entryName));
      expect(names).toEqual([ENTRIES.slice(0, 5), ENTRIES.slice(5, 10), ENTRIES.slice(10)]);
      expect(pages[0]?.androidDeliveryData?.[1]).toMatchObject({
        appId: ANDROID_APP,
        analyticsLabel: "a",
        data: { countMessagesAccepted: "1" },
      });
    });

    // CORS must allow the deadline header.
    test("sets a deadline", async () => {
      const request = { name: nameOf("app-7d") };
      const { response } = await call("IntegrityService.getAppAttestConfig", request, { timeoutMs: 30_000 });
      expect(response).toMatchObject({ tokenTtl: "604800s" });
    });

    test("checks the server's health", async () => {
      const request = { service: "waybill.integrity.v1.IntegrityService" };
      expect((await call("Health.check", request, { token: "" })).response).toEqual({ status: "SERVING" });
    });

    test.each<
      [code: string, reason: string, method: string, request: object, fields?: string[], sent?: Partial<Call>]
    >([
      ["NotFound", "RESOURCE_NOT_FOUND", "IntegrityService.getAppAttestConfig", { name: nameOf("missing") }],
      [
        "PermissionDenied",
        "PERMISSION_MISSING",
        "IntegrityService.getAppAttestConfig",
        { name: nameOf(IOS_APP, OTHER_PROJECT.id) },
      ],
      [
        "InvalidArgument",
        "PARENT_MISMATCH",
        "IntegrityService.batchGetAppAttestConfigs",
        { parent: `projects/${PROJECT.id}`, names: [nameOf(IOS_APP, OTHER_PROJECT.id)] },
        ["names[0]"],
      ],
      [
        "InvalidArgument",
        "INVALID_TOKEN_TTL",
        "IntegrityService.updateAppAttestConfig",
        { appAttestConfig: { name: NAME, tokenTtl: "1s" }, updateMask: "tokenTtl" },
        ["tokenTtl"],
      ],
      [
        "InvalidArgument",
        "INVALID_FILTER",
        "MessagingDataService.listAndroidDeliveryData",
        { parent: PARENT, filter: "ü < 1" },
        ["filter"],
      ],
      [
        "Unauthenticated",
        "CREDENTIALS_MISSING",
        "MessagingDataService.listAndroidDeliveryData",
        { parent: PARENT },
        [],
        { token: "" },
      ],
      [
        "Unauthenticated",
        "ACCESS_TOKEN_INVALID",
        "IntegrityService.updateAppAttestConfig",
        { appAttestConfig: { name: NAME }, updateMask: "*" },
        [],
        { token: "not-a-token" },
      ],
    ])("receives %s: %s", async (code, reason, method, request, fields = [], sent) => {
      const { error } = await call(method, request, sent);
      const domain = method.startsWith("Integrity") ? "integrity.waybill" : "messaging-data.waybill";
      expect(error).toMatchObject({ code, errorInfo: { reason, domain } });
      const violations = error?.badRequest?.fieldViolations ?? [];
      expect(violations.map(({ field }) => field)).toEqual(fields);
    });
  });

  test("from an allowed origin imports events over HTTP/JSON, because browsers cannot stream requests", async () => {
    const tab = await context.newPage();
    await tab.goto(listed.origin);
    const url = `${server.messagingDataUrl}${importInto()}`;
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/x-ndjson" };
    const body = ndjson([accepted(ANDROID_APP, "2026-01-03T20:00:00Z")]);
    const response = await tab.evaluate(async ([target, init]) => (await fetch(target, init)).json(), [
      url,
      { method: "POST", headers, body },
    ] as const);
    expect(response).toEqual({ importedCount: "1" });
    await tab.close();
  });

  describe("from another origin", () => {
    let tab: Tab;
    let asked: Tab;
    beforeAll(async () => {
      [tab, asked] = await Promise.all([context.newPage(), context.newPage()]);
      await Promise.all([tab.goto(unlisted.origin), asked.goto(listed.origin)]);
    });
    afterAll(() => Promise.all([tab.close(), asked.close()]));

    test.each(TRANSPORTS)("gets no response by %s", async (transport) => {
      const before = await successes();
      const update = { appAttestConfig: { name: NAME, tokenTtl: "604800s" }, updateMask: "tokenTtl" };
      const outcomes = [
        await callIn(tab, transport, "IntegrityService.getAppAttestConfig", { name: NAME }),
        await callIn(tab, transport, "IntegrityService.batchGetAppAttestConfigs", { parent: PARENT }),
        await callIn(tab, transport, "IntegrityService.updateAppAttestConfig", update),
        await callIn(tab, transport, "MessagingDataService.listAndroidDeliveryData", { parent: PARENT }),
        await callIn(tab, transport, "Health.check", {}, { token: "" }),
      ];
      expect(outcomes).toEqual(
        outcomes.map(() => ({ error: { code: "Unknown", message: "Failed to fetch" } })),
      );
      expect(await successes()).toBe(before + 1);
    });

    /** Number of successful calls in the log, including one made here to ensure that the log is complete. */
    async function successes(): Promise<number> {
      const request = { name: nameOf("app-7d") };
      const { requestId } = await callIn(
        asked,
        "Connect in JSON",
        "IntegrityService.getAppAttestConfig",
        request,
      );
      await loggedRequest(server, requestId ?? "");
      return server.log().match(/"status":200/g)?.length ?? 0;
    }
  });
});
