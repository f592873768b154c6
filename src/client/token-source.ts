import { WaybillError } from "./waybill-error.js";

/** An access token, or how to get one. */
export type Token = string | (() => string | Promise<string>);

/** The access token of a client: asked for when it is needed first, and kept until a server refuses it. */
export class TokenSource {
  readonly #token: Token;
  #kept: Promise<string> | undefined;

  constructor(token: Token) {
    this.#token = token;
  }

  /** @throws whatever asking for it threw; WaybillError if it is no token. */
  get(): Promise<string> {
    if (this.#kept !== undefined) return this.#kept;
    const asked = this.#ask();
    this.#kept = asked;
    asked.catch(() => this.#forget(asked));
    return asked;
  }

  /** Gets another token for one that was refused. @returns undefined if there is no other. */
  async insteadOf(refused: string): Promise<string | undefined> {
    if (typeof this.#token === "string") return undefined;
    const kept = this.get();
    // Of many calls that were refused together, the first asks.
    if ((await kept) === refused) this.#forget(kept);
    const token = await this.get();
    return token === refused ? undefined : token;
  }

  #forget(token: Promise<string>): void {
    if (this.#kept === token) this.#kept = undefined;
  }

  async #ask(): Promise<string> {
    const token = (typeof this.#token === "string" ? this.#token : await this.#token()).trim();
    // Told apart here, since the platform's own error would show the token.
    if (/^[\x21-\x7e]+$/.test(token)) return token;
    throw new WaybillError({
      code: "UNAUTHENTICATED",
      message: "the access token is empty or has characters that no token has",
    });
  }
}
