import type { IncomingHttpHeaders } from "node:http";

/** Attributes of a span. They contain no secrets, and no values from messages, labels or statements. */
export type SpanAttributes = Readonly<Record<string, string | number>>;

export interface EndedCall {
  readonly protocol: "http" | "grpc" | "grpc-web" | "connect";
  readonly httpMethod: string;
  /** Request target. For RPCs, it is the method's name with its service. */
  readonly target: string;
  /** Name of the method or plain route; `undefined` if no route matched. */
  readonly operation: string | undefined;
  /** Path template of the method or plain route. Only for HTTP/JSON. */
  readonly route: string | undefined;
  /** HTTP status of the response, or its equivalent; 499 if the client disconnected. */
  readonly status: number;
  /** The error that the caller got. */
  readonly error: { readonly code: number; readonly reason: string } | undefined;
}

export interface Contract {
  readonly typeName: string;
  readonly methods: readonly { readonly name: string }[];
}

/** A response with any body. */
export interface AnyResponse {
  readonly status: number;
}

/** Sends an outgoing request with additional headers. */
export type SendRequest<R extends AnyResponse> = (
  traceHeaders: Readonly<Record<string, string>>,
) => Promise<R>;

/** Creates spans. Each method passes on the work's result or error. */
export interface Tracing {
  /** Handles a call in a span that continues the trace in the headers. */
  inCall<T>(headers: IncomingHttpHeaders, work: () => Promise<T>): Promise<T>;
  /** Returns a function that does later work of the current call, in its span. */
  laterInCall(work: () => void): () => void;
  /** Ends the current call's span. @param project number of the caller's project. */
  endCall(contract: Contract, call: EndedCall, project: string | undefined): void;
  /** Does background work in a new trace. */
  inJob<T>(name: string, attributes: SpanAttributes, work: () => Promise<T>): Promise<T>;
  /** Does a part of the current span's work in a span of its own. */
  inStep<T>(name: string, attributes: SpanAttributes, work: () => Promise<T>): Promise<T>;
  /** Runs a database statement in a span of its own, if there is a current span. */
  inStatement<T>(system: string, name: string, work: () => Promise<T>): Promise<T>;
  /** Sends an outgoing request in a span of its own, if there is a current span. */
  inRequest<R extends AnyResponse>(method: string, url: URL, send: SendRequest<R>): Promise<R>;
  /**
   * Returns JSON members for a log line with the current span's id and its trace id, each after a comma; empty without a
   * sampled span.
   */
  logMembers(): string;
}

/** Undefined while tracing is disabled. Each function below then only calls its work. */
let tracing: Tracing | undefined;

/** Enables tracing for this process. Without an argument, disables it. */
export function setTracing(on?: Tracing): void {
  tracing = on;
}

/** Handles a call in a span. {@link endCall} ends the span. */
export function inCall<T>(headers: IncomingHttpHeaders, work: () => Promise<T>): Promise<T> {
  return tracing === undefined ? work() : tracing.inCall(headers, work);
}

/** Returns a function that does later work of the current call, in its span. */
export function laterInCall(work: () => void): () => void {
  return tracing === undefined ? work : tracing.laterInCall(work);
}

/** Ends the current call's span. @param project number of the caller's project. */
export function endCall(contract: Contract, call: EndedCall, project: string | undefined): void {
  tracing?.endCall(contract, call, project);
}

/** Does background work in a new trace. */
export function inJob<T>(name: string, attributes: SpanAttributes, work: () => Promise<T>): Promise<T> {
  return tracing === undefined ? work() : tracing.inJob(name, attributes, work);
}

/** Does a part of a call or job in a span of its own. */
export function inStep<T>(name: string, attributes: SpanAttributes, work: () => Promise<T>): Promise<T> {
  return tracing === undefined ? work() : tracing.inStep(name, attributes, work);
}

/**
 * Runs a database statement of a call or job in a span of its own.
 *
 * @param system name of the database system, such as `postgresql`.
 * @param name purpose of the statement, without values.
 */
export function inStatement<T>(system: string, name: string, work: () => Promise<T>): Promise<T> {
  return tracing === undefined ? work() : tracing.inStatement(system, name, work);
}

/** Sends an outgoing request of a call or job in a span of its own. The request's headers continue the trace. */
export function inRequest<R extends AnyResponse>(method: string, url: URL, send: SendRequest<R>): Promise<R> {
  return tracing === undefined ? send({}) : tracing.inRequest(method, url, send);
}

/** Returns JSON members for a log line with the current trace, as {@link Tracing.logMembers} does. */
export function traceMembers(): string {
  return tracing === undefined ? "" : tracing.logMembers();
}
