import { type Call, type CallOptions, urlOf } from "./calls/call.js";
import {
  type CompleteResponse,
  cutShort,
  errorOf,
  jsonObjectOf,
  type Sender,
  unexplained,
} from "./failed-responses.js";
import { type RetryPolicy, retrying } from "./retrying.js";
import { abortable } from "./support/waiting.js";
import type { TokenSource } from "./token-source.js";
import { WaybillError } from "./waybill-error.js";

export interface TransportParts {
  /** Base address of the service, with a trailing slash. */
  readonly url: URL;
  /** Service name in errors. */
  readonly service: string;
  readonly tokens: TokenSource;
  readonly fetch: typeof globalThis.fetch;
  readonly retry: RetryPolicy;
}

/** Calls the methods of one service, with an access token, and retries temporary failures. */
export class Transport {
  readonly #parts: TransportParts;
  readonly #sender: Sender;

  constructor(parts: TransportParts) {
    this.#parts = parts;
    this.#sender = { origin: parts.url.origin, service: parts.service };
  }

  /**
   * @typeParam R type of the response in the contract. The client only checks that the response is a JSON object.
   *
   * @throws WaybillError if the call fails; the abort reason of the signal; any error of the token function.
   */
  call<R extends object>(call: Call, { signal }: CallOptions): Promise<R> {
    const { retry } = this.#parts;
    const { repeatable } = call;
    return retrying(() => this.#attempt(call, signal), retry, { repeatable, signal }) as Promise<R>;
  }

  async #attempt(call: Call, signal: AbortSignal | undefined): Promise<object> {
    const { tokens } = this.#parts;
    const token = await abortable(tokens.get(), signal);
    try {
      return await this.#exchange(call, token, signal);
    } catch (error) {
      if (!(error instanceof WaybillError && error.httpStatus === 401)) throw error;
      const other = await abortable(tokens.insteadOf(token), signal);
      if (other === undefined) throw error;
      return this.#exchange(call, other, signal);
    }
  }

  async #exchange(call: Call, token: string, signal: AbortSignal | undefined): Promise<object> {
    const response = await this.#send(call, token, signal);
    if (response.status < 200 || response.status > 299) throw errorOf(response, this.#sender);
    const json = jsonObjectOf(response.text);
    if (json !== undefined) return json;
    if (!/^application\/json\b/i.test(response.headers.get("content-type") ?? ""))
      throw unexplained(response, this.#sender);
    // Truncated JSON can be the only sign of a lost connection.
    throw cutShort(new SyntaxError("the JSON is truncated"), this.#sender, true);
  }

  async #send(call: Call, token: string, signal: AbortSignal | undefined): Promise<CompleteResponse> {
    const { httpMethod, body } = call;
    const headers = new Headers({ authorization: `Bearer ${token}` });
    if (body !== undefined) headers.set("content-type", body.type);
    let begun = false;
    try {
      const response = await this.#parts.fetch(urlOf(call, this.#parts.url), {
        method: httpMethod,
        headers,
        ...(body !== undefined && { body: body.content }),
        ...(signal !== undefined && { signal }),
      });
      begun = true;
      return { status: response.status, headers: response.headers, text: await response.text() };
    } catch (error) {
      signal?.throwIfAborted();
      throw cutShort(error, this.#sender, begun);
    }
  }
}
