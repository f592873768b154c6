import type { Credentials } from "../upstream.js";

/** Credentials with a list of tokens. If a token is rejected, the next one is used. */
export class StaticCredentials implements Credentials {
  readonly #tokens: string[];

  constructor(tokens: readonly string[]) {
    this.#tokens = [...tokens];
  }

  async headers(): Promise<Headers> {
    return new Headers({ authorization: `Bearer ${this.#tokens[0]}` });
  }

  dropToken(): void {
    if (this.#tokens.length > 1) this.#tokens.shift();
  }
}
