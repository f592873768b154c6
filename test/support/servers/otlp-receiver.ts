import type { IncomingMessage, ServerResponse } from "node:http";
import { createRequire } from "node:module";
import { loopbackServer } from "../../../src/http/testing/loopback-server.js";

export interface ReceivedSpan {
  readonly name: string;
  /** Kind as in `SpanKind` of OTLP: 1 is internal, 2 server, 3 client. */
  readonly kind: number;
  readonly traceId: string;
  readonly spanId: string;
  /** Empty for the first span of a trace. */
  readonly parentSpanId: string;
  readonly attributes: Attributes;
  readonly isError: boolean;
  /** Attributes of the process that has sent the span. */
  readonly resource: Attributes;
}

export interface ReceivedMetric {
  readonly name: string;
  readonly type: "sum" | "gauge" | "histogram";
  readonly points: readonly {
    readonly attributes: Attributes;
    readonly asDouble?: number;
    readonly count?: number;
    readonly sum?: number;
    readonly bucketCounts?: readonly number[];
    readonly explicitBounds?: readonly number[];
  }[];
}

/** A receiver of OTLP over HTTP. */
export interface OtlpReceiver {
  /** Endpoint for all signals. */
  readonly origin: string;
  readonly spans: readonly ReceivedSpan[];
  /** Metrics of the last request, by name. */
  readonly metrics: () => ReadonlyMap<string, ReceivedMetric>;
  /** Bodies and headers of all requests. */
  readonly requests: readonly { readonly headers: IncomingMessage["headers"]; readonly body: Buffer }[];
  /** Called to respond to a request; by default with 200. */
  respond: (response: ServerResponse) => void;
  close(): Promise<void>;
}

type Attributes = Readonly<Record<string, string | number | boolean>>;

interface KeyValue {
  readonly key: string;
  readonly value: Readonly<Record<string, string | number | boolean>>;
}

interface Resource {
  readonly attributes?: readonly KeyValue[];
}

interface TraceRequest {
  readonly resourceSpans: readonly {
    readonly resource: Resource;
    readonly scopeSpans: readonly {
      readonly spans: readonly {
        readonly name: string;
        readonly kind: number;
        readonly traceId: readonly number[];
        readonly spanId: readonly number[];
        readonly parentSpanId?: readonly number[];
        readonly attributes?: readonly KeyValue[];
        readonly status?: { readonly code?: number };
      }[];
    }[];
  }[];
}

interface Points {
  readonly dataPoints: readonly (Omit<ReceivedMetric["points"][number], "attributes"> & Resource)[];
}

interface MetricsRequest {
  readonly resourceMetrics: readonly {
    readonly scopeMetrics: readonly {
      readonly metrics: readonly ({ readonly name: string } & Partial<
        Record<ReceivedMetric["type"], Points>
      >)[];
    }[];
  }[];
}

/** A message of the official code for OTLP, in a version that also decodes requests. */
interface MessageType {
  decode(bytes: Uint8Array): object;
  toObject(message: object, options: object): unknown;
}

const { opentelemetry } = createRequire(import.meta.url)("otlp-decoder/build/src/generated/root.js");
const { trace, metrics } = opentelemetry.proto.collector;
const decoded = <T>(type: MessageType, body: Buffer): T =>
  type.toObject(type.decode(body), { bytes: Array, longs: Number }) as T;

const STATUS_ERROR = 2;

/** Starts a receiver that decodes OTLP with code of the OpenTelemetry project. */
export async function otlpReceiver(): Promise<OtlpReceiver> {
  const spans: ReceivedSpan[] = [];
  const requests: OtlpReceiver["requests"][number][] = [];
  let latest: readonly ReceivedMetric[] = [];
  const server = await loopbackServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray());
    requests.push({ headers: request.headers, body });
    if (request.url === "/v1/traces") {
      spans.push(...spansIn(decoded<TraceRequest>(trace.v1.ExportTraceServiceRequest, body)));
    } else {
      latest = metricsIn(decoded<MetricsRequest>(metrics.v1.ExportMetricsServiceRequest, body));
    }
    receiver.respond(response);
  });
  const receiver: OtlpReceiver = {
    ...server,
    spans,
    requests,
    metrics: () => new Map(latest.map((metric) => [metric.name, metric])),
    respond: (response) => void response.writeHead(200).end(),
  };
  return receiver;
}

const spansIn = ({ resourceSpans }: TraceRequest): ReceivedSpan[] =>
  resourceSpans.flatMap(({ resource, scopeSpans }) =>
    scopeSpans.flatMap(({ spans }) =>
      spans.map(({ name, kind, traceId, spanId, parentSpanId = [], attributes, status }) => ({
        name,
        kind,
        traceId: hex(traceId),
        spanId: hex(spanId),
        parentSpanId: hex(parentSpanId),
        attributes: attributesOf(attributes),
        isError: status?.code === STATUS_ERROR,
        resource: attributesOf(resource.attributes),
      })),
    ),
  );

const metricsIn = ({ resourceMetrics }: MetricsRequest): ReceivedMetric[] =>
  resourceMetrics.flatMap(({ scopeMetrics }) =>
    scopeMetrics.flatMap(({ metrics }) =>
      metrics.map((metric) => {
        const type = (["sum", "gauge", "histogram"] as const).find((kind) => metric[kind] !== undefined);
        if (type === undefined) throw new Error(`${metric.name} has an unknown type`);
        const points = (metric[type]?.dataPoints ?? []).map((point) => ({
          ...point,
          attributes: attributesOf(point.attributes),
        }));
        return { name: metric.name, type, points };
      }),
    ),
  );

const hex = (bytes: readonly number[]): string => Buffer.from(bytes).toString("hex");

const attributesOf = (attributes: readonly KeyValue[] = []): Attributes =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0] ?? ""]));
