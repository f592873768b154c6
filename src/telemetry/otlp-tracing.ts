import { AsyncLocalStorage } from "node:async_hooks";
import type { IncomingHttpHeaders } from "node:http";
import {
  type Attributes,
  type Context,
  defaultTextMapGetter,
  defaultTextMapSetter,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
  type Tracer,
  trace,
} from "@opentelemetry/api";
import { W3CTraceContextPropagator } from "@opentelemetry/core";
import {
  ATTR_DB_OPERATION_NAME,
  ATTR_DB_SYSTEM_NAME,
  ATTR_ERROR_TYPE,
  ATTR_HTTP_REQUEST_METHOD,
  ATTR_HTTP_RESPONSE_STATUS_CODE,
  ATTR_SERVER_ADDRESS,
  ATTR_SERVER_PORT,
} from "@opentelemetry/semantic-conventions";
import { callAttributes, spanNameOf } from "./call-attributes.js";
import type { AnyResponse, Contract, EndedCall, SendRequest, SpanAttributes, Tracing } from "./tracing.js";

/** Attribute with a project number. */
const ATTR_PROJECT = "waybill.project";

const DEFAULT_PORTS: Readonly<Record<string, number>> = { "http:": 80, "https:": 443 };

/** Creates spans with OpenTelemetry. The current span follows asynchronous work. */
export class OtlpTracing implements Tracing {
  readonly #tracer: Tracer;
  readonly #current = new CurrentSpan();
  readonly #propagator = new W3CTraceContextPropagator();
  readonly #isNextSampled: () => boolean;

  /**
   * @param isNextSampled decides whether to sample a new trace. If so, the tracer must sample the next new trace, too.
   * This costs much less than an unsampled span.
   */
  constructor(tracer: Tracer, isNextSampled: () => boolean = () => true) {
    this.#tracer = tracer;
    this.#isNextSampled = isNextSampled;
  }

  inCall<T>(headers: IncomingHttpHeaders, work: () => Promise<T>): Promise<T> {
    const remote =
      headers.traceparent === undefined
        ? ROOT_CONTEXT
        : this.#propagator.extract(ROOT_CONTEXT, headers, defaultTextMapGetter);
    // An unsampled call needs no span, unless outgoing requests continue its trace, or the call begins in an older span.
    const isInTrace = remote !== ROOT_CONTEXT || this.#current.get() !== undefined;
    if (!isInTrace && !this.#isNextSampled()) return work();
    // The name is known only when the call is routed.
    const span = this.#tracer.startSpan("call", { kind: SpanKind.SERVER }, remote);
    return this.#current.run(span, work);
  }

  laterInCall(work: () => void): () => void {
    const span = this.#current.get();
    return span === undefined ? work : () => this.#current.runAtOnce(span, work);
  }

  endCall(contract: Contract, call: EndedCall, project: string | undefined): void {
    const span = this.#current.get();
    if (!span?.isRecording()) return;
    const { status, error } = call;
    span.updateName(spanNameOf(contract, call));
    span.setAttributes(callAttributes(call));
    if (project !== undefined) span.setAttribute(ATTR_PROJECT, project);
    if (error !== undefined) span.setAttribute(ATTR_ERROR_TYPE, error.reason);
    // By the semantic conventions, errors of the client are not errors of the server's span.
    if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
    span.end();
  }

  inJob<T>(name: string, attributes: SpanAttributes, work: () => Promise<T>): Promise<T> {
    return this.#inSpan(this.#tracer.startSpan(name, { attributes }, ROOT_CONTEXT), work);
  }

  inStep<T>(name: string, attributes: SpanAttributes, work: () => Promise<T>): Promise<T> {
    return this.#inChild(name, SpanKind.INTERNAL, attributes, work);
  }

  inStatement<T>(system: string, name: string, work: () => Promise<T>): Promise<T> {
    const attributes = { [ATTR_DB_SYSTEM_NAME]: system, [ATTR_DB_OPERATION_NAME]: name };
    return this.#inChild(name, SpanKind.CLIENT, attributes, work);
  }

  inRequest<R extends AnyResponse>(method: string, url: URL, send: SendRequest<R>): Promise<R> {
    const parent = this.#current.get();
    if (parent === undefined) return send({});
    const attributes = {
      [ATTR_HTTP_REQUEST_METHOD]: method,
      [ATTR_SERVER_ADDRESS]: url.hostname,
      [ATTR_SERVER_PORT]: url.port === "" ? DEFAULT_PORTS[url.protocol] : Number(url.port),
    };
    const span = this.#tracer.startSpan(method, { kind: SpanKind.CLIENT, attributes }, contextOf(parent));
    const headers: Record<string, string> = {};
    this.#propagator.inject(contextOf(span), headers, defaultTextMapSetter);
    return this.#inSpan(span, async () => {
      const response = await send(headers);
      span.setAttribute(ATTR_HTTP_RESPONSE_STATUS_CODE, response.status);
      if (response.status >= 400) markFailed(span, String(response.status));
      return response;
    });
  }

  logMembers(): string {
    const context = this.#current.get()?.spanContext();
    if (context === undefined || (context.traceFlags & TraceFlags.SAMPLED) === 0) return "";
    return `,"trace_id":"${context.traceId}","span_id":"${context.spanId}"`;
  }

  /** Does work in a child span. Without a sampled span, as in polls, creates none. */
  #inChild<T>(name: string, kind: SpanKind, attributes: Attributes, work: () => Promise<T>): Promise<T> {
    const parent = this.#current.get();
    if (!parent?.isRecording()) return work();
    return this.#inSpan(this.#tracer.startSpan(name, { kind, attributes }, contextOf(parent)), work);
  }

  async #inSpan<T>(span: Span, work: () => Promise<T>): Promise<T> {
    try {
      return await this.#current.run(span, work);
    } catch (error) {
      // Messages of errors may contain values.
      markFailed(span, error instanceof Error ? error.name : typeof error);
      throw error;
    } finally {
      span.end();
    }
  }
}

/**
 * The span for the current work and for asynchronous work that it starts. In Node.js before version 24, this slows down
 * all promises and callbacks of the process, so that it is only enabled while there is such work.
 */
class CurrentSpan {
  readonly #storage = new AsyncLocalStorage<Span>();
  #running = 0;
  #ofWorkAtOnce: Span | undefined;

  get(): Span | undefined {
    return this.#ofWorkAtOnce ?? this.#storage.getStore();
  }

  async run<T>(span: Span, work: () => Promise<T>): Promise<T> {
    this.#running++;
    try {
      return await this.#storage.run(span, work);
    } finally {
      if (--this.#running === 0) this.#storage.disable();
    }
  }

  /** Does work that starts no asynchronous work. */
  runAtOnce(span: Span, work: () => void): void {
    const before = this.#ofWorkAtOnce;
    this.#ofWorkAtOnce = span;
    try {
      work();
    } finally {
      this.#ofWorkAtOnce = before;
    }
  }
}

const contextOf = (span: Span): Context => trace.setSpan(ROOT_CONTEXT, span);

function markFailed(span: Span, type: string): void {
  span.setStatus({ code: SpanStatusCode.ERROR });
  span.setAttribute(ATTR_ERROR_TYPE, type);
}
