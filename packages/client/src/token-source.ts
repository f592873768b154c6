import { WaybillError } from "./waybill-error.js";

/** An access token, or a function that returns one. */
export type Token = string | (() => string | Promise<string>);

/** Caches the access token of a client. Gets it on first use, and replaces it when a server rejects it. */
export class TokenSource {
  readonly #token: Token;
  #cached: Promise<string> | undefined;

  constructor(token: Token) {
    this.#token = token;
  }

  /**
   * Returns the cached token, or gets one.
   *
   * @throws any error of the token function; WaybillError if its result is not a token.
   */
  get(): Promise<string> {
    if (this.#cached !== undefined) return this.#cached;
    const token = this.#request();
    this.#cached = token;
    token.catch(() => this.#drop(token));
    return token;
  }

  /** Gets a replacement for a rejected token. @returns undefined if the token cannot be replaced. */
  async insteadOf(rejected: string): Promise<string | undefined> {
    if (typeof this.#token === "string") return undefined;
    const cached = this.get();
    // If several calls are rejected together, only the first one gets a new token.
    if ((await cached) === rejected) this.#drop(cached);
    const token = await this.get();
    return token === rejected ? undefined : token;
  }

  #drop(token: Promise<string>): void {
    if (this.#cached === token) this.#cached = undefined;
  }

  async #request(): Promise<string> {
    const token = (typeof this.#token === "string" ? this.#token : await this.#token()).trim();
    // Checked here, because the error message of `fetch` would contain the token.
    if (/^[\x21-\x7e]+$/.test(token)) return token;
    throw new WaybillError({
      code: "UNAUTHENTICATED",
      message: "the access token is empty or contains invalid characters",
    });
  }
}
