import { once } from "node:events";
import { type Metadata, status } from "@grpc/grpc-js";
import { describe, expect } from "vitest";
import { errorOf } from "../../src/api/testing/error-of.js";
import { accepted, listOf, type Page } from "../support/data/delivery-data.js";
import { countsByLabel, entriesOnceThey, importEvents, importInto, ndjson } from "../support/data/import.js";
import { configOf, nameOf } from "../support/data/integrity.js";
import { importEntries, LABELS, PARENT } from "../support/data/labelled-entries.js";
import { type Sent, send } from "../support/http/exchange.js";
import { failureOf, GrpcService, wireErrorOf } from "../support/http/grpc.js";
import { INTEGRITY, MESSAGING_DATA, test as serving } from "../support/http/grpc-test.js";
import { poll } from "../support/poll.js";
import {
  ANDROID_APP,
  BASE_CONFIG,
  EDITOR,
  IOS_APP,
  OTHER_PROJECT,
  PROJECT,
  VIEWER,
} from "../support/servers/project.js";

const HEALTH = "grpc.health.v1.Health";
const NOON = "2025-06-02T12:00:00-07:00";

interface Tokens {
  readonly editor: string;
  readonly viewer: string;
  readonly appScoped: string;
}

const test = serving
  .extend("appScoped", { scope: "file" }, ({ server }) => server.token(VIEWER, "app-platform"))
  /** Waits for a line in the server's log. */
  .extend("lineOfLog", ({ server }) => async (pattern: RegExp): Promise<void> => {
    await poll(() => pattern.test(server.log()));
  })
  .extend(
    "importsLogged",
    ({ server }) =>
      (): number =>
        server.log().match(/"operation":"ImportMessageEvents"/g)?.length ?? 0,
  );

test.beforeAll(async ({ server, editor }) => {
  await importEntries(server, editor);
});

describe("a configuration over gRPC", () => {
  test("can be read", async ({ viewer, integrity }) => {
    const { message } = await integrity.unary(
      "GetAppAttestConfig",
      { name: nameOf(IOS_APP) },
      { token: viewer },
    );
    expect(message).toEqual({ name: nameOf(IOS_APP), tokenTtl: { seconds: "3600" } });
  });

  test("can be read in a batch, in the requested order", async ({ viewer, integrity }) => {
    const request = { parent: `projects/${PROJECT.number}`, names: [nameOf("app-7d"), nameOf(IOS_APP)] };
    const { message } = await integrity.unary("BatchGetAppAttestConfigs", request, { token: viewer });
    expect(message).toMatchObject({ configs: request.names.map((name) => ({ name })) });
  });

  test("can be changed with its etag", async ({ server, editor, viewer, integrity }) => {
    const change = (seconds: number, etag = "", path = "token_ttl") =>
      integrity.unary<{ etag: string }>(
        "UpdateAppAttestConfig",
        {
          appAttestConfig: { name: nameOf("app-7d"), tokenTtl: { seconds }, etag },
          updateMask: { paths: [path] },
        },
        { token: editor },
      );
    const { etag } = (await change(7200)).message;
    await change(9000, etag, "tokenTtl");
    expect((await failureOf(change(9600, etag))).code).toBe(status.ABORTED);
    const { text } = await send(server.integrityUrl, configOf("app-7d"), { token: viewer });
    expect(JSON.parse(text)).toMatchObject({ tokenTtl: "9000s" });
  });
});

describe("delivery data over gRPC", () => {
  test("equals HTTP/JSON, page by page", async ({ server, viewer, messagingData }) => {
    for (let pageToken = ""; ; ) {
      const { message } = await messagingData.unary<Page>(
        "ListAndroidDeliveryData",
        { parent: PARENT, pageSize: 5, pageToken },
        { token: viewer },
      );
      const target = `${listOf(ANDROID_APP)}?pageSize=5&pageToken=${pageToken}`;
      const page = JSON.parse((await send(server.messagingDataUrl, target, { token: viewer })).text) as Page;
      expect(message.androidDeliveryData).toEqual(page.androidDeliveryData);
      expect(message.nextPageToken === undefined).toBe(page.nextPageToken === undefined);
      if (message.nextPageToken === undefined) break;
      pageToken = message.nextPageToken;
    }
  });

  test("can be filtered", async ({ viewer, messagingData }) => {
    const request = { parent: PARENT, filter: 'analyticsLabel = "c"' };
    const { message } = await messagingData.unary<Page>("ListAndroidDeliveryData", request, {
      token: viewer,
    });
    expect(message.androidDeliveryData).toMatchObject([{ analyticsLabel: "c" }]);
  });

  test("is an empty page for an app without data", async ({ viewer, messagingData }) => {
    const request = { parent: `projects/${PROJECT.id}/androidApps/none` };
    const { message } = await messagingData.unary("ListAndroidDeliveryData", request, { token: viewer });
    expect(message).toEqual({});
  });

  test("fits into one message even if the page has the maximum size", async ({
    server,
    editor,
    viewer,
    messagingData,
  }) => {
    const app = "many";
    const events = Array.from({ length: 10_000 }, (_, index) => accepted(app, NOON, `label-${index}`));
    await importEvents(server, editor, events, { appId: app, entries: events.length });
    const request = { parent: `projects/${PROJECT.id}/androidApps/${app}`, pageSize: 10_000 };
    const { message } = await messagingData.unary<Page>("ListAndroidDeliveryData", request, {
      token: viewer,
    });
    expect(message.androidDeliveryData).toHaveLength(events.length);
  });
});

const part = (data: Uint8Array, parent = `projects/${PROJECT.id}`) => ({
  parent,
  events: { contentType: "application/x-ndjson", data },
});

describe("an import over gRPC", () => {
  test("accepts lines that are split anywhere between messages", async ({
    server,
    editor,
    viewer,
    messagingData,
  }) => {
    const labels = ["x", "é".slice(0, 0), "y", "y"];
    const bytes = Buffer.from(ndjson(labels.map((label) => accepted("streamed", NOON, label))));
    const { stream, response } = messagingData.upload("ImportMessageEvents", { token: editor });
    // The server ignores the parent of later messages; some messages are empty.
    for (let start = 0, size = 1; start < bytes.length; start += size, size = (size * 7) % 97) {
      const { parent, events } = part(bytes.subarray(start, start + size));
      stream.write(start === 0 ? { parent, events } : { events });
      stream.write({});
    }
    stream.end();
    expect(await response).toEqual({ importedCount: "4" });
    const entries = await entriesOnceThey(server, viewer, "streamed", ({ length }) => length === 3);
    expect(countsByLabel(entries)).toEqual(
      new Map([
        ["", 1],
        ["x", 1],
        ["y", 2],
      ]),
    );
  });

  test("skips invalid lines if its first message requests it", async ({ editor, messagingData }) => {
    const { stream, response } = messagingData.upload("ImportMessageEvents", { token: editor });
    stream.write({ ...part(Buffer.from(ndjson([accepted("skipped", NOON)]))), skipInvalid: true });
    stream.write(part(Buffer.from('{"appId":7}\n')));
    stream.end();
    expect(await response).toMatchObject({
      importedCount: "1",
      invalidCount: "1",
      invalidLines: expect.arrayContaining([{ line: 2, field: "appId", description: "must be a string" }]),
    });
  });

  test("accepts more data in several messages than one message can have", async ({
    editor,
    messagingData,
  }) => {
    const line = Buffer.from(`${JSON.stringify(accepted("large", NOON))}\n`);
    const { stream, response } = messagingData.upload("ImportMessageEvents", { token: editor });
    const lines = Buffer.concat(Array.from({ length: 2_000 }, () => line));
    for (let sent = 0; sent < 8 * 1024 * 1024; sent += lines.length) {
      if (!stream.write(part(lines))) await once(stream, "drain");
    }
    stream.end();
    expect(Number((await response).importedCount)).toBeGreaterThan(40_000);
  });

  test("also ends on the server when it is cancelled", async ({
    server,
    editor,
    viewer,
    messagingData,
    lineOfLog,
    importsLogged,
  }) => {
    const { stream, response } = messagingData.upload("ImportMessageEvents", { token: editor });
    await new Promise((resolve) =>
      stream.write(part(Buffer.from(ndjson([accepted("left", NOON)]))), resolve),
    );
    // A response on the same connection proves that the server has received the stream.
    await messagingData.unary("ListAndroidDeliveryData", { parent: PARENT }, { token: viewer });
    // Lines of the log are in order: this one comes after the lines of all earlier imports.
    await send(server.messagingDataUrl, "/before-the-end");
    await lineOfLog(/before-the-end/);
    const before = importsLogged();
    stream.cancel();
    expect((await failureOf(response)).code).toBe(status.CANCELLED);
    // The client half-closes its stream before it cancels: the events may or may not be stored.
    const after = await poll(importsLogged, (count) => count > before);
    expect(after).toBe(before + 1);
  });

  test("ends when it is rejected, even if its client continues to send", async ({ messagingData }) => {
    const { stream, response } = messagingData.upload("ImportMessageEvents");
    const data = Buffer.alloc(64 * 1024, " ");
    let sent = 0;
    const write = (): void => {
      while (!stream.destroyed && stream.write(part(data))) sent += data.length;
    };
    stream.on("drain", write);
    write();
    expect((await failureOf(response)).code).toBe(status.UNAUTHENTICATED);
    stream.off("drain", write);
    expect(sent).toBeLessThan(64 * 1024 * 1024);
  });
});

describe("gRPC returns the same error as HTTP/JSON for", () => {
  type Service = "integrity" | "messaging-data";
  interface Case {
    readonly method: string;
    readonly request: object;
    readonly target: string;
    readonly sent?: Sent;
    /** Access token of both calls; defaults to that of a viewer. */
    readonly token?: (tokens: Tokens) => string | undefined;
  }
  const get = (name = nameOf(IOS_APP)): Pick<Case, "method" | "request" | "target"> => ({
    method: "GetAppAttestConfig",
    request: { name },
    target: `/v1/${name}`,
  });
  const list = (request: Record<string, unknown> = {}): Pick<Case, "method" | "request" | "target"> => {
    const { parent = PARENT, ...parameters } = request;
    const query = Object.entries(parameters).map(
      ([name, value]) => `${name}=${encodeURIComponent(`${value}`)}`,
    );
    return {
      method: "ListAndroidDeliveryData",
      request: { parent, ...parameters },
      target: `/v1beta1/${parent}/deliveryData?${query.join("&")}`,
    };
  };
  const update = (config: object, body: object, paths: string[]) => ({
    method: "UpdateAppAttestConfig",
    request: { appAttestConfig: { name: nameOf("app-7d"), ...config }, updateMask: { paths } },
    target: `${configOf("app-7d", PROJECT.number)}?updateMask=${paths}`,
    sent: { method: "PATCH", headers: { "content-type": "application/json" }, body: JSON.stringify(body) },
    token: (tokens: Tokens) => tokens.editor,
  });

  test.for<[name: string, service: Service, reason: string, code: status, made: Case]>([
    [
      "no token",
      "integrity",
      "CREDENTIALS_MISSING",
      status.UNAUTHENTICATED,
      { ...get(), token: () => undefined },
    ],
    [
      "a bad token",
      "messaging-data",
      "ACCESS_TOKEN_INVALID",
      status.UNAUTHENTICATED,
      { ...list(), token: () => "x.y.z" },
    ],
    [
      "a token without the scope",
      "messaging-data",
      "ACCESS_TOKEN_SCOPE_INSUFFICIENT",
      status.PERMISSION_DENIED,
      { ...list(), token: (tokens: Tokens) => tokens.appScoped },
    ],
    [
      "an insufficient role",
      "integrity",
      "PERMISSION_MISSING",
      status.PERMISSION_DENIED,
      {
        ...update({ tokenTtl: { seconds: 7200 } }, { tokenTtl: "7200s" }, ["tokenTtl"]),
        token: (tokens: Tokens) => tokens.viewer,
      },
    ],
    [
      "a project without access",
      "messaging-data",
      "PERMISSION_MISSING",
      status.PERMISSION_DENIED,
      list({ parent: `projects/${OTHER_PROJECT.id}/androidApps/a` }),
    ],
    [
      "an unknown project",
      "integrity",
      "PERMISSION_MISSING",
      status.PERMISSION_DENIED,
      get(nameOf(IOS_APP, "nowhere")),
    ],
    ["an unknown app", "integrity", "RESOURCE_NOT_FOUND", status.NOT_FOUND, get(nameOf("none"))],
    [
      "a batch with an unknown app",
      "integrity",
      "RESOURCE_NOT_FOUND",
      status.NOT_FOUND,
      {
        method: "BatchGetAppAttestConfigs",
        request: { parent: `projects/${PROJECT.id}`, names: [nameOf(IOS_APP), nameOf("none")] },
        target: `/v1/projects/${PROJECT.id}/apps/-/appAttestConfig:batchGet?names=${nameOf(IOS_APP)}&names=${nameOf("none")}`,
      },
    ],
    [
      "a change without a mask",
      "integrity",
      "UPDATE_MASK_MISSING",
      status.INVALID_ARGUMENT,
      update({ tokenTtl: { seconds: 7200 } }, { tokenTtl: "7200s" }, []),
    ],
    [
      "a time to live that is too short",
      "integrity",
      "INVALID_TOKEN_TTL",
      status.INVALID_ARGUMENT,
      update({ tokenTtl: { seconds: 60 } }, { tokenTtl: "60s" }, ["tokenTtl"]),
    ],
    [
      "a negative page size",
      "messaging-data",
      "INVALID_PAGE_SIZE",
      status.INVALID_ARGUMENT,
      list({ pageSize: -1 }),
    ],
    [
      "an invalid page token",
      "messaging-data",
      "PAGE_TOKEN_INVALID",
      status.INVALID_ARGUMENT,
      list({ pageToken: "x" }),
    ],
    ["an invalid filter", "messaging-data", "INVALID_FILTER", status.INVALID_ARGUMENT, list({ filter: "?" })],
  ])(
    "%s",
    async ([_name, service, reason, code, { method, request, target, sent, token }], {
      server,
      editor,
      viewer,
      integrity,
      messagingData,
      appScoped,
    }) => {
      const [client, url] =
        service === "integrity" ? [integrity, server.integrityUrl] : [messagingData, server.messagingDataUrl];
      const given = token === undefined ? viewer : token({ editor, viewer, appScoped });
      const failure = await failureOf(client.unary(method, request, { token: given }));
      expect(failure.code).toBe(code);
      const { code: _code, ...expected } = errorOf((await send(url, target, { token: given, ...sent })).text);
      expect(wireErrorOf(failure)).toEqual(expected);
      expect([expected.reason, expected.domain]).toEqual([reason, `${service}.waybill`]);
    },
  );

  test("a page token for other parameters", async ({ server, viewer, messagingData }) => {
    const { message } = await messagingData.unary<Page>(
      "ListAndroidDeliveryData",
      { parent: PARENT, pageSize: 2 },
      { token: viewer },
    );
    const { method, request, target } = list({ pageSize: 3, pageToken: message.nextPageToken });
    const failure = await failureOf(messagingData.unary(method, request, { token: viewer }));
    const { code: _code, ...expected } = errorOf(
      (await send(server.messagingDataUrl, target, { token: viewer })).text,
    );
    expect(wireErrorOf(failure)).toEqual(expected);
    expect(expected.reason).toBe("PAGE_TOKEN_MISMATCH");
  });

  test.for([
    [
      "invalid events",
      '{"appId":"a"}\n[]\n{"appId":"a","messageId":"m","eventType":"?"}\n',
      undefined,
      (tokens: Tokens) => tokens.editor,
    ],
    [
      "half a surrogate pair in an event",
      '{"eventType":"\\ud83d"}\n',
      undefined,
      (tokens: Tokens) => tokens.editor,
    ],
    ["an import into a project without access", "", OTHER_PROJECT.id, (tokens: Tokens) => tokens.editor],
    ["an import by a viewer", "", undefined, (tokens: Tokens) => tokens.viewer],
    ["an import without a token", "", undefined, () => undefined],
  ] as const)(
    "%s",
    async ([_name, body, project, token], { server, editor, viewer, appScoped, messagingData }) => {
      const given = token({ editor, viewer, appScoped });
      const { stream, response } = messagingData.upload("ImportMessageEvents", { token: given });
      stream.end(part(Buffer.from(body), `projects/${project ?? PROJECT.id}`));
      const responded = await send(server.messagingDataUrl, importInto(project), {
        method: "POST",
        token: given,
        headers: { "content-type": "application/x-ndjson" },
        body,
      });
      const { code: _code, ...expected } = errorOf(responded.text);
      expect(wireErrorOf(await failureOf(response))).toEqual(expected);
    },
  );

  test("an import of the wrong type", async ({ editor, messagingData }) => {
    const { stream, response } = messagingData.upload("ImportMessageEvents", { token: editor });
    stream.end({ parent: `projects/${PROJECT.id}`, events: { contentType: "text/csv" } });
    expect(wireErrorOf(await failureOf(response))).toMatchObject({
      status: "INVALID_ARGUMENT",
      reason: "UNSUPPORTED_MEDIA_TYPE",
      metadata: { contentType: "text/csv" },
    });
  });

  test("more invalid lines than fit into a header, with the first of them", async ({
    editor,
    messagingData,
  }) => {
    const { stream, response } = messagingData.upload("ImportMessageEvents", { token: editor });
    stream.end(part(Buffer.from('{"appId":"a","messageId":"m","eventTime":"?"}\n'.repeat(1_000))));
    const { reason, metadata, fields } = wireErrorOf(await failureOf(response));
    expect(reason).toBe("INVALID_MESSAGE_EVENTS");
    expect(metadata).toMatchObject({
      invalidLineCount: "1000",
      lineCount: "1000",
      field: "lines[1].eventTime",
    });
    expect(fields.length).toBeGreaterThan(10);
  });
});

describe("gRPC", () => {
  test("rejects invalid resource names", async ({ viewer, integrity }) => {
    for (const name of ["", "projects/p", `${nameOf(IOS_APP)}/`, `${nameOf("a/b")}`]) {
      const failure = await failureOf(integrity.unary("GetAppAttestConfig", { name }, { token: viewer }));
      expect(wireErrorOf(failure)).toMatchObject({
        status: "INVALID_ARGUMENT",
        reason: "INVALID_RESOURCE_NAME",
        fields: ["name"],
      });
    }
  });

  test("rejects a service on the other listener, and an unknown method", async ({ server, viewer }) => {
    const misled = new GrpcService(server.integrityUrl, MESSAGING_DATA);
    const failure = await failureOf(
      misled.unary("ListAndroidDeliveryData", { parent: PARENT }, { token: viewer }),
    );
    misled.close();
    const path = `/${MESSAGING_DATA}/ListAndroidDeliveryData`;
    expect(wireErrorOf(failure)).toMatchObject({
      status: "UNIMPLEMENTED",
      reason: "METHOD_UNKNOWN",
      metadata: { path },
    });
  });

  test("rejects a stream that ends before its first message", async ({ editor, messagingData }) => {
    const { stream, response } = messagingData.upload("ImportMessageEvents", { token: editor });
    stream.end();
    expect(wireErrorOf(await failureOf(response))).toMatchObject({
      status: "INVALID_ARGUMENT",
      reason: "REQUEST_MISSING",
    });
  });

  test("rejects messages that are too large, in unary calls and in streams", async ({
    editor,
    viewer,
    messagingData,
    integrity,
  }) => {
    const data = Buffer.alloc(5 * 1024 * 1024, "x");
    const { stream, response } = messagingData.upload("ImportMessageEvents", { token: editor });
    stream.end(part(data));
    const calls = [
      () => response,
      () => integrity.unary("GetAppAttestConfig", { name: data.toString() }, { token: viewer }),
      () => messagingData.unary("ListAndroidDeliveryData", { parent: data.toString() }, { token: viewer }),
    ];
    for (const call of calls) {
      expect(wireErrorOf(await failureOf(call()))).toMatchObject({
        status: "RESOURCE_EXHAUSTED",
        reason: "MESSAGE_TOO_LARGE",
        metadata: { limitBytes: String(4 * 1024 * 1024) },
      });
    }
  });

  test("fails a call after its deadline", async ({ viewer, integrity }) => {
    const deadline = Date.now() - 1_000;
    const late = integrity.unary(
      "GetAppAttestConfig",
      { name: nameOf(IOS_APP) },
      { token: viewer, deadline },
    );
    expect((await failureOf(late)).code).toBe(status.DEADLINE_EXCEEDED);
  });

  test("fails a stream if its deadline passes before its end", async ({
    editor,
    messagingData,
    lineOfLog,
  }) => {
    const { stream, response } = messagingData.upload("ImportMessageEvents", {
      token: editor,
      deadline: Date.now() + 2_000,
    });
    stream.write(part(Buffer.from("\n")));
    expect((await failureOf(response)).code).toBe(status.DEADLINE_EXCEEDED);
    await lineOfLog(/"operation":"ImportMessageEvents","protocol":"grpc".*"status":(499|504)/);
  });

  test("accepts a deadline that is years away", async ({ viewer, integrity }) => {
    const deadline = Date.now() + 10 * 365 * 86_400_000;
    const call = integrity.unary(
      "GetAppAttestConfig",
      { name: nameOf(IOS_APP) },
      { token: viewer, deadline },
    );
    expect((await call).message).toMatchObject({ name: nameOf(IOS_APP) });
  });
});

describe("gRPC metadata", () => {
  test("contains the same headers as HTTP", async ({ viewer, integrity }) => {
    const { headers } = await integrity.unary(
      "GetAppAttestConfig",
      { name: nameOf(IOS_APP) },
      { token: viewer },
    );
    expect(headers.get("x-request-id")).toEqual([expect.stringMatching(/\S/)]);
    const { metadata } = await failureOf(integrity.unary("GetAppAttestConfig", { name: nameOf(IOS_APP) }));
    expect(metadata.get("www-authenticate")).toEqual(['Bearer realm="waybill"']);
  });

  test("contains Retry-After", async ({ openServer }) => {
    const hasty = await openServer({ ...BASE_CONFIG, quota: { requestsPerMinute: 1 } });
    const client = new GrpcService(hasty.integrityUrl, INTEGRITY);
    const token = await hasty.token(VIEWER);
    const call = () => client.unary("GetAppAttestConfig", { name: nameOf(IOS_APP) }, { token });
    await call();
    const failure = await failureOf(call());
    expect(wireErrorOf(failure)).toMatchObject({
      status: "RESOURCE_EXHAUSTED",
      reason: "RATE_LIMIT_EXCEEDED",
    });
    const { retrySeconds } = wireErrorOf(failure).metadata;
    expect(failure.metadata.get("retry-after")).toEqual([retrySeconds]);
    client.close();
  });
});

test("gRPC requests that are compressed with gzip are accepted", async ({ server, editor, viewer }) => {
  const packing = new GrpcService(server.messagingDataUrl, MESSAGING_DATA, {
    "grpc.default_compression_algorithm": 2,
  });
  const { message } = await packing.unary<Page>(
    "ListAndroidDeliveryData",
    { parent: PARENT },
    { token: viewer },
  );
  expect(message.androidDeliveryData).toHaveLength(LABELS.length);
  const { stream, response } = packing.upload("ImportMessageEvents", { token: editor });
  stream.end(part(Buffer.from(ndjson([accepted("packed", NOON)]))));
  expect(await response).toEqual({ importedCount: "1" });
  packing.close();
});

test("a hundred gRPC calls on one connection all get responses", async ({ viewer, messagingData }) => {
  const calls = Array.from({ length: 100 }, (_, index) =>
    messagingData.unary<Page>(
      "ListAndroidDeliveryData",
      { parent: PARENT, pageSize: (index % 12) + 1 },
      { token: viewer },
    ),
  );
  const sizes = (await Promise.all(calls)).map(({ message }) => message.androidDeliveryData?.length);
  expect(sizes).toEqual(calls.map((_, index) => (index % 12) + 1));
});

describe("gRPC health", () => {
  test("reports its service's health to unauthenticated clients", async ({ server }) => {
    const health = new GrpcService(server.messagingDataUrl, HEALTH);
    for (const service of ["", MESSAGING_DATA]) {
      expect((await health.unary("Check", { service })).message).toEqual({ status: "SERVING" });
    }
    expect((await failureOf(health.unary("Check", { service: INTEGRITY }))).code).toBe(status.NOT_FOUND);
    health.close();
  });
});

describe("a gRPC server that is stopping", () => {
  test("completes calls in progress, rejects new calls, and notifies health watchers", async ({
    openServer,
  }) => {
    const stopping = await openServer(BASE_CONFIG);
    const token = await stopping.token(EDITOR);
    const client = new GrpcService(stopping.messagingDataUrl, MESSAGING_DATA);
    const health = new GrpcService(stopping.messagingDataUrl, HEALTH);
    const watch = health.download("Watch", { service: MESSAGING_DATA });
    const [first] = await once(watch, "data");
    expect(first).toEqual({ status: "SERVING" });

    const { stream, response } = client.upload("ImportMessageEvents", { token });
    await new Promise((resolve) =>
      stream.write(part(Buffer.from(ndjson([accepted("late", NOON)]))), resolve),
    );
    // A response on the same connection proves that the server has received the stream.
    await client.unary("ListAndroidDeliveryData", { parent: PARENT }, { token });
    const stopped = stopping.stop();
    const [last] = await once(watch, "data");
    expect(last).toEqual({ status: "NOT_SERVING" });
    const [ended] = await once(watch, "status");
    expect(ended.code).toBe(status.OK);
    stream.end(part(Buffer.from(ndjson([accepted("late", NOON)]))));
    expect(await response).toEqual({ importedCount: "2" });
    await stopped;
    const rejected = client.unary("ListAndroidDeliveryData", { parent: PARENT }, { token });
    expect((await failureOf(rejected)).code).toBe(status.UNAVAILABLE);
    client.close();
    health.close();
  });
});

test("the log has a line for each gRPC call", async ({ server, viewer, integrity }) => {
  const { headers } = await integrity.unary(
    "GetAppAttestConfig",
    { name: nameOf(IOS_APP) },
    { token: viewer },
  );
  const failure = await failureOf(
    integrity.unary("GetAppAttestConfig", { name: nameOf("none") }, { token: viewer }),
  );
  const lines = async () => {
    const all = server.log().split("\n").slice(0, -1);
    return [headers, failure.metadata].map((metadata: Metadata) =>
      JSON.parse(all.find((line) => line.includes(String(metadata.get("x-request-id")))) ?? "{}"),
    );
  };
  const path = `/${INTEGRITY}/GetAppAttestConfig`;
  const expected = {
    service: "integrity",
    operation: "GetAppAttestConfig",
    protocol: "grpc",
    method: "POST",
    path,
  };
  const [responded, rejected] = await poll(lines, (found) => found.every(({ msg }) => msg === "request"));
  expect(responded).toMatchObject({ ...expected, level: "info", status: 200, principal: VIEWER });
  expect(rejected).toMatchObject({ ...expected, level: "info", status: 404, reason: "RESOURCE_NOT_FOUND" });
  const { text } = await send(server.adminUrl, "/metrics");
  expect(text).toMatch(/_count\{service="integrity",operation="GetAppAttestConfig",status="404"\} [1-9]/);
});
