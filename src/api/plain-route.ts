import type { FastifyRequest } from "fastify";
import type { Answer } from "./encoded-answer.js";

/** A request for something that is no method of a service. */
export interface PlainRequest {
  /** Its head. */
  readonly request: FastifyRequest;
  /** Raw query, without the question mark. */
  readonly query: string;
  /** Reads the whole body. @throws ApiError 413 if it has more bytes than the limit, 415 if it is packed. */
  body(limit: number): Promise<Buffer>;
}

/** What is sent for a {@link PlainRequest}. */
export interface PlainAnswer {
  readonly body: Answer;
  /** 200 unless given. */
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Something that is served at one path besides the methods of the services, such as a description of them. */
export interface PlainRoute {
  readonly httpMethod: "GET" | "POST";
  /** Compared exactly. */
  readonly path: string;
  /** What the route is called in logs and metrics; its path unless given. */
  readonly operation?: string;
  /** @throws ApiError if there is no such thing, or the request is wrong. */
  answer(request: PlainRequest): PlainAnswer | Promise<PlainAnswer>;
}

/** The plain routes of a server, by path. */
export class PlainRoutes {
  readonly #byPath = new Map<string, Map<string, PlainRoute>>();

  /** @throws Error if two answer the same requests. */
  constructor(routes: readonly PlainRoute[]) {
    for (const route of routes) {
      const { httpMethod, path } = route;
      const methods = this.#byPath.get(path) ?? new Map<string, PlainRoute>();
      if (methods.has(httpMethod)) throw new Error(`${httpMethod} ${path} is served already`);
      this.#byPath.set(path, methods.set(httpMethod, route));
    }
  }

  /** The route that answers the method on the path. `HEAD` falls back on `GET` (RFC 9110 §9.3.2). */
  match(httpMethod: string, path: string): PlainRoute | undefined {
    const methods = this.#byPath.get(path);
    return methods?.get(httpMethod === "HEAD" ? "GET" : httpMethod);
  }

  /** The methods that are answered on the path; empty if there is no such path. */
  methodsOf(path: string): string[] {
    const methods = [...(this.#byPath.get(path)?.keys() ?? [])];
    return methods.includes("GET") ? ["GET", "HEAD", ...methods.filter((name) => name !== "GET")] : methods;
  }
}
