import { mkdtemp, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect } from "vitest";
import { webhookReceiver } from "../../src/incidents/webhooks/testing/webhook-receiver.js";
import { dayOf, startOfDay } from "../../src/model/day.js";
import { opening } from "../support/closing.js";
import { accepted, listOf } from "../support/data/delivery-data.js";
import { faultyTraffic } from "../support/data/faulty-traffic.js";
import { entriesOnceThey, importBatch, ndjson, postEvents } from "../support/data/import.js";
import { send } from "../support/http/exchange.js";
import { GrpcService } from "../support/http/grpc.js";
import { INTEGRITY, MESSAGING_DATA } from "../support/http/grpc-test.js";
import { poll } from "../support/poll.js";
import { createCredentials } from "../support/servers/credentials.js";
import { mirrorOf } from "../support/servers/mirror-of.js";
import { type OtlpReceiver, otlpReceiver, type ReceivedSpan } from "../support/servers/otlp-receiver.js";
import { test as serving } from "../support/servers/process-fixtures.js";
import { BASE_CONFIG, EDITOR, IOS_APP, PROJECT, VIEWER } from "../support/servers/project.js";
import { servedMetrics } from "../support/servers/served-metrics.js";
import { type ServerProcess, startProcess } from "../support/servers/server-process.js";
import { setClock } from "../support/servers/set-clock.js";

const [TRACE_ID, PARENT] = ["0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331"];
/** A sampled remote parent. */
const TRACEPARENT = `00-${TRACE_ID}-${PARENT}-01`;
const CONFIG = `projects/${PROJECT.id}/apps/${IOS_APP}/appAttestConfig`;
const ONE_HOUR = "3600000";

const test = serving
  .extend("receiver", opening(otlpReceiver))
  /** Starts servers that export soon to the receiver. */
  .extend("startTraced", ({ receiver, directory }, { onCleanup }) => {
    const servers: ServerProcess[] = [];
    onCleanup(async () => void (await Promise.all(servers.map((server) => server.stop()))));
    return async (env: NodeJS.ProcessEnv = {}, config: object = BASE_CONFIG): Promise<ServerProcess> => {
      const own = await mkdtemp(join(directory, "server-"));
      const server = await startProcess(own, config, [], [], {
        OTEL_EXPORTER_OTLP_ENDPOINT: receiver.origin,
        OTEL_BSP_SCHEDULE_DELAY: "50",
        ...env,
      });
      servers.push(server);
      return server;
    };
  });

/** Waits for the first span that a condition accepts. */
async function spanOf(
  { spans }: OtlpReceiver,
  accept: (span: ReceivedSpan) => boolean,
): Promise<ReceivedSpan> {
  const [span] = await poll(
    () => spans.filter(accept),
    ({ length }) => length > 0,
  );
  if (span === undefined) throw new Error("there is no such span");
  return span;
}

const named =
  (name: string) =>
  (span: ReceivedSpan): boolean =>
    span.name === name;

/** Lines of the log as objects. */
const linesOf = (server: ServerProcess): Record<string, unknown>[] =>
  server
    .log()
    .split("\n")
    .filter((line) => line.startsWith("{"))
    .map((line) => JSON.parse(line));

/** Waits for the log line of a request. */
async function requestLine(
  server: ServerProcess,
  requestId: unknown,
): Promise<Record<string, unknown> | undefined> {
  const [line] = await poll(
    () => linesOf(server).filter((each) => each.requestId === requestId && each.msg === "request"),
    ({ length }) => length > 0,
  );
  return line;
}

const samplesOf = async ({ adminUrl }: ServerProcess, metric: string) =>
  servedMetrics((await send(adminUrl, "/metrics")).text).get(metric)?.samples ?? [];

describe("spans of calls", () => {
  test("continue an HTTP call's trace, together with its statements and its log line", async ({
    receiver,
    startTraced,
  }) => {
    const server = await startTraced({
      OTEL_SERVICE_NAME: "waybill-test",
      OTEL_RESOURCE_ATTRIBUTES: "deployment.environment.name=staging",
      OTEL_EXPORTER_OTLP_HEADERS: "x-tenant=blue",
    });
    const token = await server.token(EDITOR);
    const { headers } = await send(server.messagingDataUrl, `${listOf("app")}?pageSize=7`, {
      token,
      headers: { traceparent: TRACEPARENT },
    });
    const call = await spanOf(receiver, named(`${MESSAGING_DATA}/ListAndroidDeliveryData`));
    expect(call).toMatchObject({ traceId: TRACE_ID, parentSpanId: PARENT, kind: 2, isError: false });
    expect(call.attributes).toEqual({
      "http.request.method": "GET",
      "http.response.status_code": 200,
      "http.route": "/v1beta1/{parent=projects/*/androidApps/*}/deliveryData",
      "waybill.project": PROJECT.number,
    });
    expect(call.resource).toMatchObject({
      "service.name": "waybill-test",
      "deployment.environment.name": "staging",
    });
    const statement = await spanOf(receiver, named("reading delivery data"));
    expect(statement).toMatchObject({ traceId: TRACE_ID, parentSpanId: call.spanId, kind: 3 });
    expect(statement.attributes).toEqual({
      "db.system.name": "duckdb",
      "db.operation.name": "reading delivery data",
    });
    expect(await requestLine(server, headers["x-request-id"])).toMatchObject({
      trace_id: TRACE_ID,
      span_id: call.spanId,
    });
    expect(receiver.requests[0]?.headers["x-tenant"]).toBe("blue");
  });

  test("continue the traces of gRPC and Connect calls", async ({ receiver, startTraced, onTestFinished }) => {
    const server = await startTraced();
    const token = await server.token(EDITOR);
    const service = new GrpcService(server.integrityUrl, INTEGRITY);
    onTestFinished(() => service.close());
    const metadata = { traceparent: TRACEPARENT };
    await service.unary("GetAppAttestConfig", { name: CONFIG }, { token, metadata });
    await send(server.integrityUrl, `/${INTEGRITY}/GetAppAttestConfig`, {
      method: "POST",
      token,
      headers: { ...metadata, "content-type": "application/json" },
      body: JSON.stringify({ name: "projects/unknown/apps/a/appAttestConfig" }),
    });
    for (const [system, status, error] of [
      ["grpc", "OK", {}],
      ["connectrpc", "PERMISSION_DENIED", { "error.type": "PERMISSION_MISSING" }],
    ] as const) {
      const call = await spanOf(receiver, ({ attributes }) => attributes["rpc.system.name"] === system);
      expect(call).toMatchObject({
        name: `${INTEGRITY}/GetAppAttestConfig`,
        traceId: TRACE_ID,
        parentSpanId: PARENT,
        isError: false,
        attributes: {
          "rpc.method": `${INTEGRITY}/GetAppAttestConfig`,
          "rpc.status_code": status,
          ...error,
        },
      });
    }
  });

  test("have neither tokens nor values of events, and neither have the spans of imports and rollups", async ({
    receiver,
    startTraced,
  }) => {
    const server = await startTraced();
    const token = await server.token(EDITOR);
    const event = {
      ...accepted("shop", "2025-06-02T12:00:00-07:00", "secret-label"),
      messageId: "secret-id",
    };
    await postEvents(server, token, ndjson([event]));
    await entriesOnceThey(server, token, "shop", ({ length }) => length === 1);
    await send(server.messagingDataUrl, `${listOf("shop")}?filter=analyticsLabel%3D%22secret-label%22`, {
      token,
    });
    await send(server.messagingDataUrl, "/secret-path", { headers: { authorization: `Bearer ${token}` } });
    const call = await spanOf(receiver, named(`${MESSAGING_DATA}/ImportMessageEvents`));
    const step = await spanOf(receiver, named("import"));
    expect(step).toMatchObject({
      parentSpanId: call.spanId,
      attributes: { "waybill.lines": 1, "waybill.days": 1 },
    });
    expect(await spanOf(receiver, named("storing events"))).toMatchObject({ parentSpanId: step.spanId });
    const rollup = await spanOf(receiver, named("rollup"));
    expect(rollup).toMatchObject({
      parentSpanId: "",
      attributes: { "waybill.project": PROJECT.number, "waybill.days": 1 },
    });
    expect(rollup.traceId).not.toBe(call.traceId);
    await spanOf(receiver, ({ parentSpanId }) => parentSpanId === rollup.spanId);
    await spanOf(receiver, ({ attributes }) => attributes["error.type"] === "ROUTE_NOT_FOUND");
    const sent = Buffer.concat(receiver.requests.map(({ body }) => body)).toString("latin1");
    for (const secret of ["secret-", token.slice(0, 20)]) expect(sent).not.toContain(secret);
  });
});

describe("outgoing requests", () => {
  test("to a webhook continue the delivery's trace", async ({ receiver, startTraced, directory }) => {
    const secret = Buffer.alloc(32, 9);
    const hook = await webhookReceiver(secret);
    const traceparents: unknown[] = [];
    hook.onMessage = ({ respond, headers }) => {
      traceparents.push(headers.traceparent);
      respond(204);
    };
    const secretFile = join(directory, "webhook.secret");
    await writeFile(secretFile, `whsec_${secret.toString("base64")}\n`);
    const webhooks = [{ name: "on-call", url: `${hook.origin}/private-path`, secretFile }];
    const server = await startTraced(
      {},
      { ...BASE_CONFIG, clock: { adjustable: true }, messagingData: { incidents: { webhooks } } },
    );
    const token = await server.token(EDITOR);
    const { text } = await send(server.messagingDataUrl, `/v1beta1/projects/${PROJECT.id}/targets`, {
      method: "POST",
      token,
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ appId: "shop", analyticsLabel: "promo", deliveredPercent: 85 }),
    });
    const startDay = dayOf(Date.parse(JSON.parse(text).createTime));
    await setClock(server, { time: new Date(startOfDay(startDay + 1)).toISOString() });
    const traffic = { appId: "shop", labels: ["promo"], messages: 100, startDay, days: 1 };
    for (const lines of faultyTraffic({ ...traffic, delivered: () => 0.5 }))
      await importBatch(server, token, lines);
    await poll(() => traceparents.length > 0);
    const delivery = await spanOf(receiver, named("webhook delivery"));
    expect(delivery).toMatchObject({ parentSpanId: "", attributes: { "waybill.webhook": "on-call" } });
    const request = await spanOf(receiver, ({ parentSpanId }) => parentSpanId === delivery.spanId);
    const { hostname, port } = new URL(hook.origin);
    expect(request).toMatchObject({ name: "POST", kind: 3, traceId: delivery.traceId });
    expect(request.attributes).toEqual({
      "http.request.method": "POST",
      "http.response.status_code": 204,
      "server.address": hostname,
      "server.port": Number(port),
    });
    expect(traceparents[0]).toBe(`00-${delivery.traceId}-${request.spanId}-01`);
    expect(receiver.requests.some(({ body }) => body.includes("private-path"))).toBe(false);
    await hook.close();
  });

  test("of a mirror connect the spans of both servers", async ({ receiver, startTraced }) => {
    const upstream = await startTraced({ OTEL_SERVICE_NAME: "upstream" });
    const token = await upstream.token(EDITOR);
    await postEvents(upstream, token, ndjson([accepted("shop", "2025-06-02T12:00:00-07:00")]));
    await entriesOnceThey(upstream, token, "shop", ({ length }) => length === 1);
    const { path } = await createCredentials(upstream, VIEWER);
    await startTraced({ OTEL_SERVICE_NAME: "mirror" }, mirrorOf(upstream, path));
    const round = await spanOf(receiver, named("mirror round"));
    const inRound = (span: ReceivedSpan): boolean => span.traceId === round.traceId;
    const call = await spanOf(
      receiver,
      (span) => inRound(span) && span.name === `${MESSAGING_DATA}/ListAndroidDeliveryData`,
    );
    const request = await spanOf(receiver, ({ spanId }) => spanId === call.parentSpanId);
    expect([round, request, call].map(({ resource }) => resource["service.name"])).toEqual([
      "mirror",
      "mirror",
      "upstream",
    ]);
    expect(request).toMatchObject({ name: "GET", parentSpanId: round.spanId });
  });
});

describe("sampling", () => {
  test("follows a sampled parent, and otherwise the ratio", async ({ receiver, startTraced }) => {
    const server = await startTraced({
      OTEL_TRACES_SAMPLER: "parentbased_traceidratio",
      OTEL_TRACES_SAMPLER_ARG: "0",
    });
    const unsampled = `00-${"1".repeat(32)}-${PARENT}-00`;
    const ids: unknown[] = [];
    for (const traceparent of [undefined, unsampled, "malformed", TRACEPARENT]) {
      const headers = traceparent === undefined ? {} : { traceparent };
      ids.push((await send(server.integrityUrl, `/v1/${CONFIG}`, { headers })).headers["x-request-id"]);
    }
    const call = await spanOf(receiver, named(`${INTEGRITY}/GetAppAttestConfig`));
    expect(call).toMatchObject({ traceId: TRACE_ID, attributes: { "http.response.status_code": 401 } });
    const traces: unknown[] = [];
    for (const id of ids) traces.push((await requestLine(server, id))?.trace_id);
    expect(traces).toEqual([undefined, undefined, undefined, TRACE_ID]);
    expect(new Set(receiver.spans.map(({ traceId }) => traceId))).toEqual(new Set([TRACE_ID]));
  });
});

test("metrics over OTLP are the same as in /metrics", async ({ receiver, startTraced }) => {
  const server = await startTraced({ OTEL_METRIC_EXPORT_INTERVAL: "200", OTEL_TRACES_EXPORTER: "none" });
  const { headers } = await send(server.integrityUrl, `/v1/${CONFIG}`);
  expect(await requestLine(server, headers["x-request-id"])).not.toHaveProperty("trace_id");
  const durations = "waybill_request_duration_seconds";
  await poll(() => receiver.metrics().get(durations)?.points.length, 1);
  const served = servedMetrics((await send(server.adminUrl, "/metrics")).text);
  const withSamples = [...served].filter(([, { samples }]) => samples.length > 0);
  const exported = await poll(
    () => receiver.metrics(),
    (metrics) => withSamples.every(([name]) => metrics.has(name)),
  );
  for (const [name, { type }] of withSamples)
    expect([name, exported.get(name)?.type]).toEqual([name, type === "counter" ? "sum" : type]);
  const [point] = exported.get(durations)?.points ?? [];
  expect(point).toMatchObject({
    attributes: { service: "integrity", operation: "GetAppAttestConfig", status: "401" },
    count: 1,
  });
  expect(point?.bucketCounts?.reduce((sum, count) => sum + count)).toBe(1);
  expect(point?.bucketCounts).toHaveLength((point?.explicitBounds?.length ?? 0) + 1);
  expect(receiver.spans).toEqual([]);
});

describe("the export", () => {
  test("sends waiting spans when the server stops", async ({ receiver, startTraced }) => {
    const server = await startTraced({ OTEL_BSP_SCHEDULE_DELAY: ONE_HOUR });
    await send(server.integrityUrl, `/v1/${CONFIG}`);
    expect(await server.stop()).toBe(0);
    expect(receiver.spans.some(named(`${INTEGRITY}/GetAppAttestConfig`))).toBe(true);
  });

  test("drops and counts spans while the collector is down, and logs the problem", async ({
    receiver,
    startTraced,
  }) => {
    await receiver.close();
    const server = await startTraced({ OTEL_EXPORTER_OTLP_TIMEOUT: "100", OTEL_METRICS_EXPORTER: "none" });
    const dropped = async (): Promise<number> => {
      expect((await send(server.integrityUrl, `/v1/${CONFIG}`)).status).toBe(401);
      const samples = await samplesOf(server, "waybill_spans_dropped_total");
      return samples.find(({ labels }) => labels.reason === "export")?.value ?? 0;
    };
    await poll(dropped, (count) => count > 1);
    await poll(
      () => linesOf(server).filter(({ msg }) => msg === "cannot export telemetry"),
      (problems) => problems.some(({ problem }) => String(problem).includes("ECONNREFUSED")),
    );
    expect(await server.stop()).toBe(0);
  });

  test("neither grows nor delays calls or the exit while the collector does not respond", async ({
    receiver,
    startTraced,
  }) => {
    receiver.respond = () => {};
    const server = await startTraced({
      OTEL_BSP_MAX_QUEUE_SIZE: "2",
      OTEL_BSP_EXPORT_TIMEOUT: ONE_HOUR,
      OTEL_EXPORTER_OTLP_TIMEOUT: ONE_HOUR,
    });
    const dropped = async (): Promise<number> => {
      expect((await send(server.integrityUrl, `/v1/${CONFIG}`)).status).toBe(401);
      const samples = await samplesOf(server, "waybill_spans_dropped_total");
      return samples.find(({ labels }) => labels.reason === "queue")?.value ?? 0;
    };
    await poll(dropped, (count) => count > 1);
    expect(await server.stop()).toBe(0);
  });

  test("is off if a variable disables it or has an unsupported value", async ({ receiver, startTraced }) => {
    for (const [env, problems] of [
      [{ OTEL_SDK_DISABLED: "true" }, []],
      [{ OTEL_EXPORTER_OTLP_PROTOCOL: "grpc" }, ["OTEL_EXPORTER_OTLP_PROTOCOL"]],
    ] as const) {
      const server = await startTraced(env);
      const { headers } = await send(server.integrityUrl, `/v1/${CONFIG}`);
      expect(await requestLine(server, headers["x-request-id"])).not.toHaveProperty("trace_id");
      const variables = linesOf(server).flatMap(({ variable }) => (variable === undefined ? [] : [variable]));
      expect(variables).toEqual(problems);
      expect(await server.stop()).toBe(0);
    }
    expect(receiver.requests).toEqual([]);
  });
});
