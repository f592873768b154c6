import type { ApiError } from "../api/api-error.js";

/** The protocols that methods can be called by. */
export type Protocol = "http" | "grpc" | "grpc-web" | "connect";

/** The outcome of one request, for logs and metrics. `A` is the result of the authorization of a call. */
export interface Outcome<A> {
  readonly requestId: string;
  /** Protocol of the request. */
  readonly protocol: Protocol;
  readonly httpMethod: string;
  /** Request target with its query, as the caller wrote it. */
  readonly target: string;
  /**
   * HTTP status of the response, or the one that stands for an error of another protocol; 499 if the client
   * disconnected.
   */
  readonly status: number;
  /**
   * Time from the head of the request to the handover of the response to the operating system, in
   * milliseconds.
   */
  readonly durationMs: number;
  /** Name of the called method or of the plain route; `undefined` if there is no route. */
  readonly operation: string | undefined;
  /** The error that the caller received, if the request failed. */
  readonly error: ApiError | undefined;
  /** The result of the authorization, if it allowed the call. */
  readonly caller: A | undefined;
}
