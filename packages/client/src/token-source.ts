import { WaybillError } from "./waybill-error.js";

/** An access token, or a function that gets one. */
export type Token = string | (() => string | Promise<string>);

/**
 * Caches the access token of a client: gets it when it is first needed, and keeps it until a server rejects
 * it.
 */
export class TokenSource {
  readonly #token: Token;
  #kept: Promise<string> | undefined;

  constructor(token: Token) {
    this.#token = token;
  }

  /** @throws any error of the token function; WaybillError if its result is not a token. */
  get(): Promise<string> {
    if (this.#kept !== undefined) return this.#kept;
    const asked = this.#ask();
    this.#kept = asked;
    asked.catch(() => this.#forget(asked));
    return asked;
  }

  /** Gets a replacement for a rejected token. @returns undefined if no other token can be had. */
  async insteadOf(refused: string): Promise<string | undefined> {
    if (typeof this.#token === "string") return undefined;
    const kept = this.get();
    // Only the first of several calls rejected together gets a new token.
    if ((await kept) === refused) this.#forget(kept);
    const token = await this.get();
    return token === refused ? undefined : token;
  }

  #forget(token: Promise<string>): void {
    if (this.#kept === token) this.#kept = undefined;
  }

  async #ask(): Promise<string> {
    const token = (typeof this.#token === "string" ? this.#token : await this.#token()).trim();
    // Checked here, because the platform's error would show the token.
    if (/^[\x21-\x7e]+$/.test(token)) return token;
    throw new WaybillError({
      code: "UNAUTHENTICATED",
      message: "the access token is empty or has characters that no token has",
    });
  }
}
