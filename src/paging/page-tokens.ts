import { ApiError } from "../api/api-error.js";
import { type ListParameters, type PageToken, PageTokenCodec } from "./page-token-codec.js";

export interface PageTokenOptions {
  /** Encryption key for the {@link PageTokenCodec}. */
  readonly key: Uint8Array;
  /**
   * True if a client may change the page size from page to page (AIP-158). Otherwise, a change is an error
   * (specification 4.2).
   */
  readonly lenient: boolean;
  /** Returns the current time, in milliseconds since the Unix epoch. */
  readonly now: () => number;
}

/** Creates and reads the page tokens for all lists of a service. */
export class PageTokens {
  readonly #codec: PageTokenCodec;
  readonly #options: PageTokenOptions;

  constructor(options: PageTokenOptions) {
    this.#codec = new PageTokenCodec(options.key);
    this.#options = options;
  }

  /**
   * Reads the page token of a request.
   *
   * @returns the position that was passed to {@link tokenOf}; `undefined` for the first page.
   * @throws ApiError `PAGE_TOKEN_INVALID` if the token is invalid, or `PAGE_TOKEN_MISMATCH` if it belongs to another
   * list.
   */
  read(text: string, list: ListParameters): string | undefined {
    if (text === "") return undefined;
    const token = this.#codec.decode(text, this.#options.now());
    if (token === undefined) {
      throw ApiError.invalidArgument(
        "PAGE_TOKEN_INVALID",
        "pageToken",
        "it is not a token of this service, was changed, or has expired; start again without one",
      );
    }
    const other = mismatch(token, list);
    if (other === undefined || (other === "pageSize" && this.#options.lenient)) return token.after;
    throw ApiError.invalidArgument(
      "PAGE_TOKEN_MISMATCH",
      "pageToken",
      `it belongs to a call with another ${other}; repeat the other parameters of the previous call unchanged`,
    );
  }

  /** Returns the page token for the page after the position `after`. */
  tokenOf(list: ListParameters, after: string): string {
    return this.#codec.encode({ ...list, after }, this.#options.now());
  }

  /** A number that changes every hour. When it changes, all page tokens change. */
  get epoch(): number {
    return PageTokenCodec.hourOf(this.#options.now());
  }
}

/**
 * Returns the first parameter that differs between a token and a list. The page size is compared last, because lenient
 * tokens ignore it.
 */
function mismatch(token: PageToken, list: ListParameters): keyof ListParameters | undefined {
  const names = ["operation", "parent", "filter", "asOf", "pageSize"] as const;
  return names.find((name) => token[name] !== list[name]);
}
