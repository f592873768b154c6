import type { Credentials } from "../upstream.js";

/** Tokens of a list: the next one each time that one is forgotten. */
export class StaticCredentials implements Credentials {
  readonly #tokens: string[];

  constructor(tokens: readonly string[]) {
    this.#tokens = [...tokens];
  }

  async headers(): Promise<Headers> {
    return new Headers({ authorization: `Bearer ${this.#tokens[0]}` });
  }

  forget(): void {
    if (this.#tokens.length > 1) this.#tokens.shift();
  }
}
