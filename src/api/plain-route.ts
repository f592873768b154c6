import type { IncomingHttpHeaders } from "node:http";
import type { ResponseEntity } from "./encoded-response.js";

export interface PlainRequest {
  readonly requestId: string;
  readonly headers: IncomingHttpHeaders;
  /** The `Authorization` header. Several such headers are never a valid credential. */
  readonly authorization: string | undefined;
  /** Query as received, without the question mark. */
  readonly query: string;
  /** Aborts if the client disconnects before the response is complete. */
  readonly signal: AbortSignal;
  /** Returns the remote network: an IPv4 address, or the /64 network of an IPv6 address. */
  networkOf(): string;
  /** Waits for a slot for expensive work, which the remote network shares. @throws ApiError if too many requests wait. */
  waitForSlot(): Promise<void>;
  /**
   * Reads the whole body. @throws ApiError 413 if it is larger than `limit` bytes, 415 if it is compressed.
   */
  body(limit: number): Promise<Buffer>;
}

/** A body that is sent piece by piece. If reading it fails, the connection is closed. */
export interface StreamedBody {
  readonly contentType: string;
  /**
   * Pieces of the body. The server reads the next piece after the client has received the previous one. It reads none
   * for a HEAD request.
   */
  readonly pieces: AsyncIterable<Uint8Array>;
  /** Timeout for the client to receive a piece, in milliseconds. */
  readonly stallMs?: number;
}

export interface PlainResponse {
  readonly body: ResponseEntity | StreamedBody;
  /** HTTP status; 200 by default. */
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A route outside the services, such as an API description. */
export interface PlainRoute {
  readonly httpMethod: "GET" | "POST";
  /** Exact request path. */
  readonly path: string;
  /** Route name in logs and metrics; by default, the path. */
  readonly operation?: string;
  /** Handles a request. @throws ApiError if the resource does not exist or the request is invalid. */
  respond(request: PlainRequest): PlainResponse | Promise<PlainResponse>;
}

/** The plain routes of a server, by path. */
export class PlainRoutes {
  readonly #byPath = new Map<string, Map<string, PlainRoute>>();

  /** @throws Error if two routes have the same method and path. */
  constructor(routes: readonly PlainRoute[]) {
    for (const route of routes) {
      const { httpMethod, path } = route;
      const methods = this.#byPath.get(path) ?? new Map<string, PlainRoute>();
      if (methods.has(httpMethod)) throw new Error(`${httpMethod} ${path} is already served`);
      this.#byPath.set(path, methods.set(httpMethod, route));
    }
  }

  /** Finds a route. `HEAD` falls back to `GET` (RFC 9110 §9.3.2). */
  match(httpMethod: string, path: string): PlainRoute | undefined {
    const methods = this.#byPath.get(path);
    return methods?.get(httpMethod === "HEAD" ? "GET" : httpMethod);
  }

  /** Returns the HTTP methods that a path allows. Empty if the path does not exist. */
  methodsOf(path: string): string[] {
    const methods = [...(this.#byPath.get(path)?.keys() ?? [])];
    return methods.includes("GET") ? ["GET", "HEAD", ...methods.filter((name) => name !== "GET")] : methods;
  }
}
