import type { ServerResponse } from "node:http";
import { Readable } from "node:stream";
import type { FastifyRequest } from "fastify";
import { requestAborted } from "./http-errors.js";
import { isGone } from "./http2.js";
import type { CallContext } from "./service.js";

/** The context of one call by HTTP/JSON. What few handlers ask for is made when one does. */
export class HandlerContext<A> implements CallContext<A> {
  readonly auth: A;
  readonly requestId: string;
  readonly format = "json";
  readonly ifMatch: string | undefined;
  readonly #response: ServerResponse;
  #body: Readable | undefined;
  #signal: AbortSignal | undefined;

  constructor(auth: A, request: FastifyRequest, response: ServerResponse, body?: Readable) {
    this.auth = auth;
    this.requestId = request.id;
    this.ifMatch = request.headers["if-match"];
    this.#response = response;
    this.#body = body;
  }

  get body(): Readable {
    this.#body ??= Readable.from([]);
    return this.#body;
  }

  get signal(): AbortSignal {
    this.#signal ??= abortedWithout(this.#response);
    return this.#signal;
  }
}

function abortedWithout(response: ServerResponse): AbortSignal {
  if (isGone(response)) return AbortSignal.abort(requestAborted());
  const controller = new AbortController();
  response.once("close", () => {
    if (!response.writableEnded) controller.abort(requestAborted());
  });
  return controller.signal;
}
