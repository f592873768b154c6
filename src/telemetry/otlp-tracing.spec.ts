import { SpanStatusCode } from "@opentelemetry/api";
import {
  AlwaysOnSampler,
  BasicTracerProvider,
  InMemorySpanExporter,
  ParentBasedSampler,
  SimpleSpanProcessor,
} from "@opentelemetry/sdk-trace-base";
import { beforeEach, expect, test } from "vitest";
import { OtlpTracing } from "./otlp-tracing.js";
import type { EndedCall } from "./tracing.js";

const CONTRACT = { typeName: "a.Service", methods: [{ name: "Get" }] };
const CALL: EndedCall = {
  protocol: "http",
  httpMethod: "GET",
  target: "/v1/things/a",
  operation: "Get",
  route: "/v1/{name=things/*}",
  status: 200,
  error: undefined,
};
const UNSAMPLED = `00-${"1".repeat(32)}-${"2".repeat(16)}-00`;

let exporter: InMemorySpanExporter;
let tracing: OtlpTracing;

beforeEach(() => {
  exporter = new InMemorySpanExporter();
  const provider = new BasicTracerProvider({
    sampler: new ParentBasedSampler({ root: new AlwaysOnSampler() }),
    spanProcessors: [new SimpleSpanProcessor(exporter)],
  });
  tracing = new OtlpTracing(provider.getTracer("test"));
});

const names = (): string[] => exporter.getFinishedSpans().map(({ name }) => name);

/** Calls `work` in a call, and ends it. */
const inCall = (work: () => Promise<unknown>, headers = {}, end: Partial<EndedCall> = {}): Promise<unknown> =>
  tracing.inCall(headers, async () => {
    try {
      return await work();
    } finally {
      tracing.endCall(CONTRACT, { ...CALL, ...end }, undefined);
    }
  });

/** Sends a request. @returns the response, and the headers that continue the trace. */
const request = (status = 200): Promise<Readonly<Record<string, string>>> => {
  let sent = {};
  return tracing
    .inRequest("GET", new URL("https://example.com/secret"), async (headers) => {
      sent = headers;
      return new Response(null, { status });
    })
    .then(() => sent);
};

test("passes on results and errors of the work", async () => {
  const failing = async (): Promise<never> => {
    throw new RangeError("with a secret");
  };
  expect(await inCall(() => tracing.inStep("step", {}, async () => 7))).toBe(7);
  await expect(inCall(() => tracing.inStep("failing", {}, failing))).rejects.toThrow("with a secret");
  const span = exporter.getFinishedSpans().find(({ name }) => name === "failing");
  expect(span?.status).toEqual({ code: SpanStatusCode.ERROR });
  expect(span?.attributes).toEqual({ "error.type": "RangeError" });
  expect(span?.events).toEqual([]);
});

test("creates no spans for statements, steps and requests without a call or job", async () => {
  await tracing.inStatement("sqlite", "reading", async () => {});
  await tracing.inStep("step", {}, async () => {});
  expect(await request()).toEqual({});
  expect(names()).toEqual([]);
});

test("starts a new trace for a job within a call", async () => {
  await inCall(() =>
    tracing.inJob("job", {}, () => tracing.inStatement("sqlite", "reading", async () => {})),
  );
  const [statement, job, call] = exporter.getFinishedSpans();
  expect(names()).toEqual(["reading", "job", "a.Service/Get"]);
  expect(statement?.parentSpanContext?.spanId).toBe(job?.spanContext().spanId);
  expect(job?.parentSpanContext).toBeUndefined();
  expect(job?.spanContext().traceId).not.toBe(call?.spanContext().traceId);
});

test("continues an unsampled trace in outgoing requests, without spans", async () => {
  const sent = { traceparent: expect.stringMatching(/^00-1{32}-[\da-f]{16}-00$/) };
  expect(await inCall(() => request(), { traceparent: UNSAMPLED })).toEqual(sent);
  expect(names()).toEqual([]);
});

test("marks failed requests, and calls that failed because of the server", async () => {
  await inCall(() => request(503), {}, { status: 500, error: { code: 13, reason: "INTERNAL_ERROR" } });
  await inCall(async () => {}, {}, { status: 404, error: { code: 5, reason: "NOT_FOUND" } });
  expect(
    exporter.getFinishedSpans().map(({ status, attributes }) => [status.code, attributes["error.type"]]),
  ).toEqual([
    [SpanStatusCode.ERROR, "503"],
    [SpanStatusCode.ERROR, "INTERNAL_ERROR"],
    [SpanStatusCode.UNSET, "NOT_FOUND"],
  ]);
});

test.for<[end: Partial<EndedCall>, name: string, attributes: object]>([
  [{ operation: "/docs", route: "/docs" }, "GET /docs", { "http.route": "/docs" }],
  [{ operation: undefined, route: undefined }, "GET", {}],
  [
    { operation: undefined, route: undefined, httpMethod: "INVENTED" },
    "HTTP",
    { "http.request.method": "_OTHER" },
  ],
  [
    { protocol: "connect", target: "/a.Service/Get?message=secret" },
    "a.Service/Get",
    { "rpc.system.name": "connectrpc", "rpc.method": "a.Service/Get", "rpc.status_code": "OK" },
  ],
  [
    { protocol: "grpc", target: "/a.Service/Get", status: 499 },
    "a.Service/Get",
    { "rpc.status_code": "CANCELLED" },
  ],
])("names the span of %j", async ([end, name, attributes]) => {
  await inCall(async () => {}, {}, end);
  const [span] = exporter.getFinishedSpans();
  expect(span?.name).toBe(name);
  expect(span?.attributes).toMatchObject(attributes);
  expect(JSON.stringify(span?.attributes)).not.toContain("secret");
});

test("provides members for log lines only in sampled calls", async () => {
  const members = async (): Promise<string> => tracing.logMembers();
  expect(await members()).toBe("");
  expect(await inCall(members, { traceparent: UNSAMPLED })).toBe("");
  const inSampled = await inCall(members);
  const context = exporter.getFinishedSpans()[0]?.spanContext();
  expect(JSON.parse(`{"msg":""${inSampled}}`)).toEqual({
    msg: "",
    trace_id: context?.traceId,
    span_id: context?.spanId,
  });
});

test("later work of a call is in its span, even if it is called in another call", async () => {
  const traces = ["a", "b"].map((digit) => digit.repeat(32));
  const later = await Promise.all(
    traces.map((traceId, i) =>
      tracing.inCall({ traceparent: `00-${traceId}-${"1".repeat(16)}-01` }, async () =>
        tracing.laterInCall(() => tracing.endCall(CONTRACT, { ...CALL, status: 200 + i }, undefined)),
      ),
    ),
  );
  await tracing.inCall({}, async () => {
    for (const end of later) end();
  });
  const ended = exporter.getFinishedSpans();
  expect(
    ended.map((span) => [span.spanContext().traceId, span.attributes["http.response.status_code"]]),
  ).toEqual(traces.map((traceId, i) => [traceId, 200 + i]));
});

test("a call keeps its span while other calls begin and end", async () => {
  const members = (): string => tracing.logMembers();
  const seen: string[] = [];
  await inCall(async () => {
    seen.push(members());
    for (let i = 0; i < 2; i++) await inCall(async () => seen.push(members()));
    expect(members()).toBe(seen[0]);
  });
  expect(new Set(seen).size).toBe(3);
  expect(members()).toBe("");
});
