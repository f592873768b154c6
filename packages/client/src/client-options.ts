import { type RetryOptions, retryPolicy } from "./retrying.js";
import { serviceUrl } from "./support/service-url.js";
import { type Token, TokenSource } from "./token-source.js";
import { Transport } from "./transport.js";

/** Options of a `WaybillClient`. */
export interface WaybillClientOptions {
  /** Base address of the app-integrity service, such as `http://127.0.0.1:8080`. */
  readonly integrityUrl?: string | undefined;
  /** Base address of the messaging-data service, such as `http://127.0.0.1:8081`. */
  readonly messagingDataUrl?: string | undefined;
  /** Base address of the registry service, such as `http://127.0.0.1:8082`. */
  readonly registryUrl?: string | undefined;
  /**
   * Access token, or a function that returns one. The client calls the function before its first request, and again
   * when the server rejects the token.
   */
  readonly token: Token;
  /**
   * Function to use in place of the platform's `fetch`, for example to send requests through a proxy. After
   * an import's response, the client uses its body's memory again.
   */
  readonly fetch?: typeof globalThis.fetch | undefined;
  /** Options for retrying failed calls. By default, the client makes up to 6 attempts. */
  readonly retry?: RetryOptions | undefined;
}

/** A transport for each service with a known address. All transports share one access token. */
export interface Transports {
  readonly integrity: Transport | undefined;
  readonly messagingData: Transport | undefined;
  readonly registry: Transport | undefined;
}

/** @throws TypeError if an address is invalid; RangeError if a `retry` option is out of range. */
export function transportsOf(options: WaybillClientOptions): Transports {
  const tokens = new TokenSource(options.token);
  const retry = retryPolicy(options.retry);
  // Browsers reject calls of `fetch` with another `this` than the global object.
  const fetch: typeof globalThis.fetch = options.fetch ?? ((...request) => globalThis.fetch(...request));
  const transport = (address: string | undefined, name: string, service: string) =>
    address === undefined
      ? undefined
      : new Transport({ url: serviceUrl(address, name), service, tokens, fetch, retry });
  return {
    integrity: transport(options.integrityUrl, "integrityUrl", "app-integrity"),
    messagingData: transport(options.messagingDataUrl, "messagingDataUrl", "messaging-data"),
    registry: transport(options.registryUrl, "registryUrl", "registry"),
  };
}
