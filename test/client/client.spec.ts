import {
  type AndroidDeliveryDataJson,
  type AppAttestConfigJson,
  appAttestConfigName,
  type CanonicalCode,
  type RetryOptions,
  WaybillClient,
  WaybillError,
} from "@waybill/client";
import { afterEach, describe, expect, expectTypeOf } from "vitest";
import { loopbackServer } from "../../src/http/testing/loopback-server.js";
import { accepted } from "../support/data/delivery-data.js";
import { entriesOf, ndjson } from "../support/data/import.js";
import { importTraffic } from "../support/data/simulated-traffic.js";
import { type Fault, type FaultyProxy, faultyProxy } from "../support/http/faulty-proxy.js";
import { poll } from "../support/poll.js";
import { test as serving } from "../support/servers/fixtures.js";
import {
  ANDROID_APP,
  BASE_CONFIG,
  IOS_APP,
  OTHER_PROJECT,
  PROJECT,
  VIEWER,
} from "../support/servers/project.js";

const APP = { project: PROJECT.id, app: ANDROID_APP };
const CONFIG = { project: PROJECT.id, app: IOS_APP };
const NAME = appAttestConfigName(PROJECT.number, IOS_APP);
/** Retries with almost no pauses. */
const FAST: RetryOptions = { firstPauseMs: 1 };
let integrity: FaultyProxy;
let messagingData: FaultyProxy;

const appAttestConfig = (tokenTtl: string, etag?: string): AppAttestConfigJson => ({
  name: NAME,
  tokenTtl,
  ...(etag !== undefined && { etag }),
});
const MASK = { updateMask: "tokenTtl" };

const test = serving
  .extend("entries", { scope: "file", auto: true }, ({ server, editor }) =>
    importTraffic(server, editor, ANDROID_APP),
  )
  /** A client that reaches the server through the proxies. */
  .extend(
    "clientOf",
    ({ editor }) =>
      (options: Partial<ConstructorParameters<typeof WaybillClient>[0]> = {}): WaybillClient => {
        return new WaybillClient({
          integrityUrl: integrity.url,
          messagingDataUrl: messagingData.url,
          token: editor,
          retry: FAST,
          ...options,
        });
      },
  )

  /** Changes the configuration and reverts the change, so that it has an entity tag. */
  .extend("changedConfig", ({ server, clientOf }) => async (): Promise<AppAttestConfigJson> => {
    const direct = clientOf({ integrityUrl: server.integrityUrl });
    await direct.updateAppAttestConfig({ appAttestConfig: appAttestConfig("7200s"), ...MASK });
    return direct.updateAppAttestConfig({ appAttestConfig: appAttestConfig("3600s"), ...MASK });
  })

  /** Pauses that the client would make, in milliseconds. Aborts the call in the first pause. */
  .extend(
    "pausesFor",
    ({ clientOf }) =>
      async (header: string, retry: RetryOptions = FAST): Promise<number[]> => {
        const pauses: number[] = [];
        const stop = new AbortController();
        const onRetry = (_: WaybillError, pauseMs: number): void => {
          pauses.push(pauseMs);
          stop.abort();
        };
        integrity.next({ status: 503, headers: { "retry-after": header }, body: UNAVAILABLE });
        const call = clientOf({ retry: { ...retry, onRetry } }).getAppAttestConfig({
          ...CONFIG,
          signal: stop.signal,
        });
        await expect(call).rejects.toThrow();
        return pauses;
      },
  );

test.beforeEach(async ({ server }) => {
  integrity = await faultyProxy(server.integrityUrl);
  messagingData = await faultyProxy(server.messagingDataUrl);
});
afterEach(async () => {
  await integrity.close();
  await messagingData.close();
});

async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}

/** Returns a failed call's error. Fails the test if the call succeeds. */
async function failureOf(call: Promise<unknown>): Promise<WaybillError> {
  const failure = await call.then(
    () => undefined,
    (error: unknown) => error,
  );
  if (failure instanceof WaybillError) return failure;
  throw new Error("the call did not fail as it should", { cause: failure });
}

describe("WaybillClient", () => {
  test("gets a configuration by project and app, or by name", async ({ clientOf }) => {
    const expected = { name: NAME, tokenTtl: "3600s" };
    expect(await clientOf().getAppAttestConfig(CONFIG)).toEqual(expected);
    expect(await clientOf().getAppAttestConfig({ name: NAME })).toEqual(expected);
  });

  test.for([
    ["pages of 1", 1],
    ["pages of 7", 7],
    ["pages of the default size", undefined],
  ] as const)("lists all entries in %s", async ([_, pageSize], { clientOf, entries }) => {
    const list = clientOf().listDeliveryData({ ...APP, pageSize });
    expect(await collect(list)).toEqual(entries);
    expect(messagingData.seen).toHaveLength(Math.ceil(entries.length / (pageSize ?? 1000)));
    // A list can be read again.
    const pages = await collect(list.pages());
    expect(pages.flatMap(({ androidDeliveryData = [] }) => androidDeliveryData)).toEqual(entries);
  });

  test("lists nothing for an unknown app", async ({ clientOf }) => {
    expect(await collect(clientOf().listDeliveryData({ project: PROJECT.id, app: "none" }))).toEqual([]);
  });

  test("encodes names in URLs", async ({ server, clientOf }) => {
    const app = 'a b?c#d%41"ü,+&';
    const { messagingDataUrl } = server;
    const direct = clientOf({ messagingDataUrl });
    const events = Buffer.from(ndjson([accepted(app, "2025-03-03T20:00:00Z")]));
    await direct.importEvents({ project: PROJECT.number, events: [events] });
    const listed = await poll(
      () => collect(direct.listDeliveryData({ parent: `projects/${PROJECT.number}/androidApps/${app}` })),
      (found) => found.length > 0,
    );
    expect(listed.map(({ appId }) => appId)).toEqual([app]);
  });

  test("keeps the path in the server's URL", async ({ server, clientOf }) => {
    const base = `${server.integrityUrl}/below/it`;
    const failure = await failureOf(clientOf({ integrityUrl: base }).getAppAttestConfig(CONFIG));
    expect(failure.message).toContain("/below/it/v1/projects/");
  });
});

describe("a list that is not read completely", () => {
  test("requests no page before it is read, and reads at most one page ahead", async ({
    clientOf,
    entries,
  }) => {
    const list = clientOf().listDeliveryData({ ...APP, pageSize: 2 });
    const iterator = list[Symbol.asyncIterator]();
    expect(messagingData.seen).toHaveLength(0);
    expect((await iterator.next()).value).toEqual(entries[0]);
    await poll(() => messagingData.seen.length >= 2);
    // The client reads the second page ahead while the first is in use, but not a third.
    expect((await iterator.next()).value).toEqual(entries[1]);
    await clientOf().getAppAttestConfig(CONFIG);
    expect(messagingData.seen).toHaveLength(2);
    await iterator.return?.();
    await clientOf().getAppAttestConfig(CONFIG);
    expect(messagingData.seen).toHaveLength(2);
  });

  test("aborts the request for the page that it reads ahead", async ({ clientOf }) => {
    messagingData.next("none", "held");
    for await (const page of clientOf()
      .listDeliveryData({ ...APP, pageSize: 2 })
      .pages()) {
      expect(page.androidDeliveryData).toHaveLength(2);
      await poll(() => messagingData.seen.length, 2);
      break;
    }
    // The proxy still holds the response, so it is the client that closed the connection.
    await messagingData.seen[1]?.closed;
  });
});

const UNAVAILABLE = JSON.stringify({
  error: { code: 503, message: "Later.", status: "UNAVAILABLE", details: [] },
});
const EXHAUSTED = JSON.stringify({
  error: { code: 429, message: "Too often.", status: "RESOURCE_EXHAUSTED", details: [] },
});
let apps = 0;
const PASSING: readonly [name: string, fault: Fault][] = [
  ["UNAVAILABLE", { status: 503, body: UNAVAILABLE }],
  ["RESOURCE_EXHAUSTED", { status: 429, headers: { "retry-after": "0" }, body: EXHAUSTED }],
  ["a gateway that has no server", { status: 502, body: "<html>Bad Gateway</html>" }],
  ["a gateway that is overloaded", { status: 503 }],
  ["a connection that is cut before the request arrives", "cut before"],
  ["a connection that is cut before the response", "cut after"],
  ["a connection that is cut within the response", "cut within"],
  ["half of a response", "half"],
];

describe("WaybillClient retries a call", () => {
  test.for(PASSING)(
    "with this remaining content: %s",
    async ([_, fault], { server, editor, clientOf, entries }) => {
      messagingData.next(fault, fault, "none", fault);
      expect(await collect(clientOf().listDeliveryData({ ...APP, pageSize: 10 }))).toEqual(entries);
      expect(messagingData.seen).toHaveLength(Math.ceil(entries.length / 10) + 3);

      integrity.next(fault);
      expect(await clientOf().getAppAttestConfig(CONFIG)).toMatchObject({ name: NAME });

      const { length: before } = messagingData.seen;
      messagingData.next(fault, "none", fault);
      const app = `retried-${++apps}`;
      const lines = [1, 2, 3].map(() => ndjson([accepted(app, "2025-03-03T20:00:00Z")]));
      const progress = await clientOf().importEvents({
        project: PROJECT.id,
        events: [Buffer.from(lines.join(""))],
        batchBytes: 1,
      });
      expect(progress).toEqual({
        importedCount: 3,
        optedOutCount: 0,
        tooLateCount: 0,
        invalidCount: 0,
        invalidLines: [],
        bytes: lines.join("").length,
      });
      expect(messagingData.seen.length - before).toBe(5);
      const counts = async () =>
        (await entriesOf(server, editor, app)).map(({ data }) => data.countMessagesAccepted);
      await poll(counts, ["3"]);
    },
  );

  test("only as often as configured", async ({ clientOf }) => {
    const retried: string[] = [];
    const retry = { ...FAST, attempts: 3, onRetry: ({ code }: WaybillError) => retried.push(code) };
    messagingData.next("cut before", { status: 429, body: EXHAUSTED }, { status: 503, body: UNAVAILABLE });
    const failure = await failureOf(collect(clientOf({ retry }).listDeliveryData(APP)));
    expect(failure).toMatchObject({ code: "UNAVAILABLE", httpStatus: 503, message: "Later." });
    expect(failure.cause).toMatchObject({ code: "RESOURCE_EXHAUSTED", cause: { code: "UNAVAILABLE" } });
    expect(retried).toEqual(["UNAVAILABLE", "RESOURCE_EXHAUSTED"]);
    expect(messagingData.seen).toHaveLength(3);
  });

  test.for<[name: string, fault: Fault, code: CanonicalCode]>([
    [
      "a server error",
      {
        status: 500,
        body: JSON.stringify({ error: { code: 500, message: "Oh.", status: "INTERNAL", details: [] } }),
      },
      "INTERNAL",
    ],
    ["an unknown page", { status: 200, body: "<html>Hello</html>" }, "UNKNOWN"],
    ["a missing page", { status: 404, body: "<html>" }, "UNIMPLEMENTED"],
    ["a list", { status: 200, headers: { "content-type": "text/plain" }, body: "[]" }, "UNKNOWN"],
  ])("but not after %s", async ([_, fault, code], { clientOf }) => {
    integrity.next(fault);
    expect(await failureOf(clientOf().getAppAttestConfig(CONFIG))).toMatchObject({ code });
    expect(integrity.seen).toHaveLength(1);
  });
});

describe("changes by WaybillClient", () => {
  test("are made, and can be read in a batch", async ({ changedConfig, clientOf }) => {
    const { etag, ...config } = await changedConfig();
    expect(config).toEqual(appAttestConfig("3600s"));
    expect(etag).toEqual(expect.any(String));
    const batch = await clientOf().batchGetAppAttestConfigs({
      project: PROJECT.number,
      apps: ["app-7d", IOS_APP],
    });
    expect(batch.map(({ tokenTtl }) => tokenTtl)).toEqual(["604800s", "3600s"]);
    const set = await clientOf().batchGetAppAttestConfigs({ project: PROJECT.id });
    expect(new Set(set)).toEqual(new Set(batch));
    expect(await clientOf().batchGetAppAttestConfigs({ project: PROJECT.id, apps: [] })).toEqual([]);
  });

  test("fail if another change was made first", async ({ changedConfig, clientOf }) => {
    const { etag } = await changedConfig();
    await changedConfig();
    const change = { appAttestConfig: appAttestConfig("1800s", etag), ...MASK };
    const failure = await failureOf(clientOf().updateAppAttestConfig(change));
    expect(failure).toMatchObject({ code: "ABORTED", httpStatus: 409, cause: undefined });
    const wrong = { appAttestConfig: appAttestConfig("1s"), ...MASK };
    const rejected = await failureOf(clientOf().updateAppAttestConfig(wrong));
    expect(rejected).toMatchObject({ code: "INVALID_ARGUMENT", reason: expect.any(String) });
    expect(rejected.violations[0]?.field).toMatch(/tokenTtl/);
  });

  test.for<[name: string, fault: Fault, etag: boolean, requests: number]>([
    ["were rejected before they were read", { status: 503, body: UNAVAILABLE }, false, 2],
    ["were too many", { status: 429, body: EXHAUSTED }, false, 2],
    ["were rejected before they were read, with an entity tag", { status: 503, body: UNAVAILABLE }, true, 2],
    ["may have been lost on the way, with an entity tag", "cut before", true, 2],
    ["may have been lost on the way", "cut before", false, 1],
    ["may have been lost at a gateway", { status: 502, body: "<html>" }, false, 1],
  ])(
    "that %s are handled safely: %j, entity tag %s, %i requests",
    async ([_, fault, withTag, requests], { changedConfig, clientOf }) => {
      const { etag } = await changedConfig();
      integrity.next(fault);
      const change = appAttestConfig("1800s", withTag ? etag : undefined);
      const call = clientOf().updateAppAttestConfig({ appAttestConfig: change, ...MASK });
      if (requests === 2) expect(await call).toMatchObject({ tokenTtl: "1800s" });
      else expect(await failureOf(call)).toMatchObject({ code: "UNAVAILABLE", outcomeUnknown: true });
      expect(integrity.seen).toHaveLength(requests);
      await changedConfig();
    },
  );

  test("report a lost response if they cannot be retried", async ({ changedConfig, clientOf }) => {
    const { etag } = await changedConfig();
    integrity.next("cut after");
    const change = { appAttestConfig: appAttestConfig("1800s", etag), ...MASK };
    const failure = await failureOf(clientOf().updateAppAttestConfig(change));
    expect(failure).toMatchObject({ code: "ABORTED", cause: { code: "UNAVAILABLE", outcomeUnknown: true } });
    expect(await clientOf().getAppAttestConfig(CONFIG)).toMatchObject({ tokenTtl: "1800s" });
    await changedConfig();
  });
});

describe("Retry-After in a response", () => {
  test("sets the pause, in seconds or as a date", async ({ pausesFor }) => {
    const [seconds = 0] = await pausesFor("20");
    expect(seconds).toBeGreaterThanOrEqual(20_000);
    expect(seconds).toBeLessThan(20_100);
    const [date = 0] = await pausesFor(new Date(Date.now() + 40_000).toUTCString());
    expect(date).toBeGreaterThan(10_000);
    expect(date).toBeLessThanOrEqual(40_100);
    const [nonsense = 0] = await pausesFor("soon");
    expect(nonsense).toBeLessThan(100);
  });

  test("ends the call if it exceeds the maximum pause", async ({ pausesFor }) => {
    expect(await pausesFor("61")).toEqual([]);
    expect(await pausesFor("2", { ...FAST, maxPauseMs: 1000 })).toEqual([]);
    expect(integrity.seen).toHaveLength(2);
  });

  test("of an exceeded quota is a field of the error", async ({ openServer }) => {
    const limited = await openServer({ ...BASE_CONFIG, quota: { requestsPerMinute: 1 } });
    const client = new WaybillClient({
      integrityUrl: limited.integrityUrl,
      token: await limited.token(VIEWER),
      retry: { attempts: 1 },
    });
    await client.getAppAttestConfig(CONFIG);
    const failure = await failureOf(client.getAppAttestConfig(CONFIG));
    expect(failure).toMatchObject({ code: "RESOURCE_EXHAUSTED", reason: "RATE_LIMIT_EXCEEDED" });
    expect(failure.retryAfterMs).toBeGreaterThan(0);
    expect(failure.retryAfterMs).toBeLessThanOrEqual(60_000);
  });
});

describe("errors of WaybillClient", () => {
  type Call = (client: WaybillClient) => Promise<unknown>;
  test.for<[name: string, call: Call, expected: object]>([
    [
      "an unknown app",
      (client) => client.getAppAttestConfig({ project: PROJECT.id, app: "none" }),
      { code: "NOT_FOUND", httpStatus: 404, reason: "RESOURCE_NOT_FOUND", domain: "integrity.waybill" },
    ],
    [
      "a project without access",
      (client) => collect(client.listDeliveryData({ ...APP, project: OTHER_PROJECT.id })),
      { code: "PERMISSION_DENIED", httpStatus: 403, reason: "PERMISSION_MISSING" },
    ],
    [
      "a bad parameter",
      (client) => collect(client.listDeliveryData({ ...APP, pageSize: -1 })),
      {
        code: "INVALID_ARGUMENT",
        httpStatus: 400,
        reason: "INVALID_PAGE_SIZE",
        domain: "messaging-data.waybill",
        metadata: { field: "pageSize", description: "it must not be negative" },
        violations: [{ field: "pageSize", description: "it must not be negative" }],
        outcomeUnknown: false,
      },
    ],
    [
      "the other service",
      (client) => client.getAppAttestConfig(CONFIG),
      { code: "NOT_FOUND", httpStatus: 404, reason: "ROUTE_NOT_FOUND" },
    ],
  ])("describe %s", async ([name, call, expected], { server, clientOf }) => {
    const client = clientOf(name === "the other service" ? { integrityUrl: server.messagingDataUrl } : {});
    const failure = await failureOf(call(client));
    expect(failure).toMatchObject({ name: "WaybillError", ...expected });
    expect(failure.message).toMatch(/\w{3}.*\w{3}/);
    expect(failure.requestId).toMatch(/^[\w-]{12}-\w+$/);
    await poll(() => server.log().includes(`"requestId":"${failure.requestId}"`));
  });

  test("report invalid credentials without revealing them", async ({ clientOf }) => {
    const failure = await failureOf(clientOf({ token: "secret" }).getAppAttestConfig(CONFIG));
    expect(failure).toMatchObject({
      code: "UNAUTHENTICATED",
      reason: "ACCESS_TOKEN_INVALID",
      metadata: { problem: "MALFORMED" },
    });
    for (const bad of ["", "se\ncret", "sécret"]) {
      const rejected = await failureOf(clientOf({ token: bad }).getAppAttestConfig(CONFIG));
      expect(rejected).toMatchObject({ code: "UNAUTHENTICATED", httpStatus: undefined });
      expect(`${rejected.message}`).not.toContain("cret");
    }
    expect(integrity.seen).toHaveLength(1);
  });

  test("report an unreachable server, with the cause", async ({ clientOf }) => {
    const { origin: url, close } = await loopbackServer(() => {});
    await close();
    const failure = await failureOf(clientOf({ integrityUrl: url }).getAppAttestConfig(CONFIG));
    expect(failure).toMatchObject({
      code: "UNAVAILABLE",
      httpStatus: undefined,
      reason: undefined,
      outcomeUnknown: false,
      cause: expect.any(TypeError),
    });
    expect(failure.message).toMatch(new RegExp(`^${url} cannot be reached: .*ECONNREFUSED`));
  });

  test("contain line numbers across all requests of an import", async ({ clientOf }) => {
    const good = ndjson([accepted("lines", "2025-03-03T20:00:00Z")]);
    const events = [Buffer.from(`${good.repeat(3)}{"appId":1}\n${good}`)];
    const seen: number[] = [];
    const failure = await failureOf(
      clientOf().importEvents({
        project: PROJECT.id,
        events,
        batchBytes: 1,
        onProgress: ({ importedCount }) => seen.push(importedCount),
      }),
    );
    expect(failure).toMatchObject({ code: "INVALID_ARGUMENT", reason: "INVALID_MESSAGE_EVENTS" });
    expect(failure.message).toMatch(/^line 4: /);
    expect(failure.violations[0]?.field).toMatch(/^lines\[4\]/);
    expect(seen).toEqual([1, 2, 3]);
  });

  test.for<[what: string, call: Call]>([
    ["an empty project", (client) => client.getAppAttestConfig({ project: "", app: "a" })],
    ['the app ".."', (client) => client.getAppAttestConfig({ project: "p", app: ".." })],
    ["an app with a slash", (client) => client.getAppAttestConfig({ project: "p", app: "a/b" })],
    ["half a name", (client) => client.getAppAttestConfig({ name: "projects/p/apps/a" })],
    [
      "a change without a name",
      (client) => client.updateAppAttestConfig({ appAttestConfig: {}, updateMask: "*" }),
    ],
    ["a project with a slash", (client) => client.batchGetAppAttestConfigs({ project: "a/b" })],
    ["half a parent", (client) => collect(client.listDeliveryData({ parent: "projects/p/apps/a" }))],
    ['the project "."', (client) => client.importEvents({ project: ".", events: [] })],
  ])("report names that no request can contain: %s", async ([_, call], { clientOf }) => {
    expect(await failureOf(call(clientOf()))).toMatchObject({ code: "INVALID_ARGUMENT" });
    expect([...integrity.seen, ...messagingData.seen]).toEqual([]);
  });

  test("about invalid client options are not WaybillErrors", async ({ editor, clientOf }) => {
    expect(() => clientOf({ integrityUrl: "nowhere" })).toThrow("integrityUrl is not a URL: nowhere");
    expect(() => clientOf({ messagingDataUrl: "ftp://x" })).toThrow("messagingDataUrl must begin with http");
    expect(() => clientOf({ integrityUrl: "http://a:b@c" })).toThrow("must not contain a user name");
    expect(() => clientOf({ retry: { attempts: 0 } })).toThrow("retry.attempts must be 1 or more");
    const client = new WaybillClient({ token: editor });
    await expect(client.getAppAttestConfig(CONFIG)).rejects.toThrow("integrityUrl is not set");
    await expect(collect(client.listDeliveryData(APP))).rejects.toThrow("messagingDataUrl is not set");
  });
});

describe("an abort signal", () => {
  const REASON = new Error("enough");

  test("that has already aborted prevents every request", async ({ clientOf }) => {
    const signal = AbortSignal.abort(REASON);
    await expect(clientOf().getAppAttestConfig({ ...CONFIG, signal })).rejects.toBe(REASON);
    await expect(collect(clientOf().listDeliveryData({ ...APP, signal }))).rejects.toBe(REASON);
    const events = [Buffer.from(ndjson([accepted("none", "2025-03-03T20:00:00Z")]))];
    await expect(clientOf().importEvents({ project: PROJECT.id, events, signal })).rejects.toBe(REASON);
    expect([...integrity.seen, ...messagingData.seen]).toEqual([]);
  });

  test("ends a call that is waiting for its response", async ({ clientOf }) => {
    const stop = new AbortController();
    integrity.next("held");
    const call = clientOf().getAppAttestConfig({ ...CONFIG, signal: stop.signal });
    await poll(() => integrity.seen.length, 1);
    stop.abort(REASON);
    await expect(call).rejects.toBe(REASON);
    await integrity.seen[0]?.closed;
  });

  test("ends the pause before a retry", async ({ clientOf }) => {
    const stop = new AbortController();
    const retry = { firstPauseMs: 50_000, onRetry: () => stop.abort(REASON) };
    integrity.next("cut before");
    const call = clientOf({ retry }).getAppAttestConfig({ ...CONFIG, signal: stop.signal });
    await expect(call).rejects.toBe(REASON);
  });

  test("ends the wait for a token, and for events", async ({ clientOf }) => {
    const stop = new AbortController();
    const never = new Promise<never>(() => {});
    const get = clientOf({ token: () => never }).getAppAttestConfig({ ...CONFIG, signal: stop.signal });
    const events = { [Symbol.asyncIterator]: () => ({ next: () => never }) };
    const importing = clientOf().importEvents({ project: PROJECT.id, events, signal: stop.signal });
    stop.abort(REASON);
    await expect(get).rejects.toBe(REASON);
    await expect(importing).rejects.toBe(REASON);
  });

  test("ends a list between two pages", async ({ clientOf }) => {
    const stop = new AbortController();
    const pages = clientOf()
      .listDeliveryData({ ...APP, pageSize: 2, signal: stop.signal })
      .pages();
    await pages.next();
    stop.abort(REASON);
    await expect(pages.next()).rejects.toBe(REASON);
  });
});

describe("a token function", () => {
  /** Returns one token after the other, and counts the calls. */
  function tokens(...all: readonly string[]): { ask: () => Promise<string>; asked: () => number } {
    let asked = 0;
    const ask = async (): Promise<string> => all[Math.min(asked++, all.length - 1)] ?? "";
    return { ask, asked: () => asked };
  }

  test("is called once for all calls of a client", async ({ editor, clientOf }) => {
    const { ask, asked } = tokens(`${editor}\n`);
    const client = clientOf({ token: ask });
    await Promise.all([client.getAppAttestConfig(CONFIG), collect(client.listDeliveryData(APP))]);
    await client.getAppAttestConfig(CONFIG);
    expect(asked()).toBe(1);
  });

  test("is called again after a token was rejected, once for all rejected calls", async ({
    editor,
    clientOf,
  }) => {
    const { ask, asked } = tokens("stale", editor);
    const client = clientOf({ token: ask });
    const calls = [1, 2, 3].map(() => client.getAppAttestConfig(CONFIG));
    expect(await Promise.all(calls)).toHaveLength(3);
    expect(asked()).toBe(2);
    const used = integrity.seen.map(({ authorization }) => authorization);
    expect(used.sort()).toEqual(
      [...Array(3).fill("Bearer stale"), ...Array(3).fill(`Bearer ${editor}`)].sort(),
    );
  });

  test.for([
    [["stale"], 2, 1],
    [["stale", "staler", "stalest"], 2, 2],
  ] as const)(
    "is called only once more if the new token is rejected, too: %j",
    async ([all, asks, requests], { clientOf }) => {
      const { ask, asked } = tokens(...all);
      const failure = await failureOf(clientOf({ token: ask }).getAppAttestConfig(CONFIG));
      expect(failure).toMatchObject({ code: "UNAUTHENTICATED", reason: "ACCESS_TOKEN_INVALID" });
      expect([asked(), integrity.seen.length]).toEqual([asks, requests]);
    },
  );

  test("may throw, and is then called again for the next call", async ({ editor, clientOf }) => {
    const failure = new Error("no token today");
    let failing = true;
    const client = clientOf({
      token: () => {
        if (failing) throw failure;
        return editor;
      },
    });
    await expect(client.getAppAttestConfig(CONFIG)).rejects.toBe(failure);
    failing = false;
    expect(await client.getAppAttestConfig(CONFIG)).toMatchObject({ name: NAME });
  });
});

test("WaybillClient uses the fetch function in its options", async ({ clientOf }) => {
  const urls: string[] = [];
  const client = clientOf({
    fetch: (input, init) => {
      urls.push(String(input));
      return fetch(input, init);
    },
  });
  await client.getAppAttestConfig(CONFIG);
  expect(urls).toEqual([
    `${integrity.url}/v1/${appAttestConfigName(PROJECT.id, encodeURIComponent(IOS_APP))}`,
  ]);
});

test("the types of WaybillClient match the contract", ({ server, clientOf }) => {
  const client = clientOf();
  expectTypeOf(client.getAppAttestConfig).returns.resolves.toEqualTypeOf<AppAttestConfigJson>();
  expectTypeOf(client.batchGetAppAttestConfigs).returns.resolves.toEqualTypeOf<AppAttestConfigJson[]>();
  expectTypeOf(client.listDeliveryData).returns.toExtend<AsyncIterable<AndroidDeliveryDataJson>>();
  expectTypeOf<AndroidDeliveryDataJson["data"]>().toExtend<{ countMessagesAccepted?: string } | undefined>();
  expectTypeOf<WaybillError["code"]>().toEqualTypeOf<CanonicalCode>();
  expectTypeOf<"NOT_FOUND" | "UNAVAILABLE">().toExtend<CanonicalCode>();
  expectTypeOf<"OK">().not.toExtend<CanonicalCode>();
  // @ts-expect-error An app needs a project.
  void (() => client.getAppAttestConfig({ app: IOS_APP }));
  // @ts-expect-error A change needs an update mask.
  void (() => client.updateAppAttestConfig({ appAttestConfig: { name: NAME } }));
  // @ts-expect-error A client needs a token.
  void (() => new WaybillClient({ integrityUrl: server.integrityUrl }));
});
