import { abortable } from "./abortable.js";
import { type Answer, cutShort, errorOf, jsonObjectOf, type Sender, unexplained } from "./failed-answers.js";
import { type RetryPolicy, retrying } from "./retrying.js";
import type { TokenSource } from "./token-source.js";
import { WaybillError } from "./waybill-error.js";

/** One call of a method. */
export interface Call {
  readonly httpMethod: "GET" | "PATCH" | "POST";
  /** Percent-encoded, without a leading slash. */
  readonly path: string;
  /** Query parameters by name; undefined ones are omitted. */
  readonly query?: Readonly<Record<string, string | number | readonly string[] | undefined>>;
  readonly body?: { readonly type: string; readonly content: string | Uint8Array };
  /** True if the call is idempotent. */
  readonly repeatable: boolean;
  readonly signal?: AbortSignal | undefined;
}

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
   * @returns the JSON object of the answer.
   * @throws WaybillError if the call fails; the signal's reason if it aborts; any error of the token
   *   function.
   */
  call(call: Call): Promise<object> {
    return retrying(() => this.#attempt(call), this.#parts.retry, call);
  }

  async #attempt(call: Call): Promise<object> {
    const { tokens } = this.#parts;
    const token = await abortable(tokens.get(), call.signal);
    try {
      return await this.#exchange(call, token);
    } catch (error) {
      if (!(error instanceof WaybillError && error.httpStatus === 401)) throw error;
      const other = await abortable(tokens.insteadOf(token), call.signal);
      if (other === undefined) throw error;
      return this.#exchange(call, other);
    }
  }

  async #exchange(call: Call, token: string): Promise<object> {
    const answer = await this.#send(call, token);
    if (answer.status < 200 || answer.status > 299) throw errorOf(answer, this.#sender);
    const json = jsonObjectOf(answer.text);
    if (json !== undefined) return json;
    if (!/^application\/json\b/i.test(answer.headers.get("content-type") ?? ""))
      throw unexplained(answer, this.#sender);
    // Truncated JSON is sometimes the only sign of a lost connection.
    throw cutShort(new SyntaxError("it is not whole JSON"), this.#sender, true);
  }

  async #send({ httpMethod, path, query = {}, body, signal }: Call, token: string): Promise<Answer> {
    const url = new URL(path, this.#parts.url);
    for (const [name, value] of Object.entries(query)) {
      for (const item of [value ?? []].flat()) url.searchParams.append(name, String(item));
    }
    const headers = new Headers({ authorization: `Bearer ${token}` });
    if (body !== undefined) headers.set("content-type", body.type);
    let answered = false;
    try {
      const response = await this.#parts.fetch(url, {
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
