import { type Call, type CallOptions, urlOf } from "./calls/call.js";
import { type Answer, cutShort, errorOf, jsonObjectOf, type Sender, unexplained } from "./failed-answers.js";
import { type RetryPolicy, retrying } from "./retrying.js";
import { abortable } from "./support/waiting.js";
import type { TokenSource } from "./token-source.js";
import { WaybillError } from "./waybill-error.js";

export interface TransportParts {
  /** Base address of the service, with a trailing slash. */
  readonly url: URL;
  /** Name of the service in errors. */
  readonly service: string;
  readonly tokens: TokenSource;
  readonly fetch: typeof globalThis.fetch;
  readonly retry: RetryPolicy;
}

/** Calls the methods of one service, with an access token and with retries of temporary failures. */
export class Transport {
  readonly #parts: TransportParts;
  readonly #sender: Sender;

  constructor(parts: TransportParts) {
    this.#parts = parts;
    this.#sender = { origin: parts.url.origin, service: parts.service };
  }

  /**
   * @typeParam A JSON form of the answer in the contract. The service is trusted to keep to it; only that the
   *   answer is a JSON object is checked.
   * @throws WaybillError if the call fails; the signal's reason if it aborts; any error of the token
   *   function.
   */
  call<A extends object>(call: Call, { signal }: CallOptions): Promise<A> {
    const { retry } = this.#parts;
    const { repeatable } = call;
    return retrying(() => this.#attempt(call, signal), retry, { repeatable, signal }) as Promise<A>;
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
    const answer = await this.#send(call, token, signal);
    if (answer.status < 200 || answer.status > 299) throw errorOf(answer, this.#sender);
    const json = jsonObjectOf(answer.text);
    if (json !== undefined) return json;
    if (!/^application\/json\b/i.test(answer.headers.get("content-type") ?? ""))
      throw unexplained(answer, this.#sender);
    // Truncated JSON is sometimes the only sign of a lost connection.
    throw cutShort(new SyntaxError("it is not whole JSON"), this.#sender, true);
  }

  async #send(call: Call, token: string, signal: AbortSignal | undefined): Promise<Answer> {
    const { httpMethod, body } = call;
    const headers = new Headers({ authorization: `Bearer ${token}` });
    if (body !== undefined) headers.set("content-type", body.type);
    let answered = false;
    try {
      const response = await this.#parts.fetch(urlOf(call, this.#parts.url), {
        method: httpMethod,
        headers,
        ...(body !== undefined && { body: body.content }),
        ...(signal !== undefined && { signal }),
      });
      answered = true;
      return { status: response.status, headers: response.headers, text: await response.text() };
    } catch (error) {
      signal?.throwIfAborted();
      throw cutShort(error, this.#sender, answered);
    }
  }
}
