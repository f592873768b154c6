import type { Credentials } from "../upstream.js";

/** Tokens from a list. A rejected token is replaced with the next one. */
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
