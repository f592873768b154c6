import { ApiError } from "../api/api-error.js";
import { type ListParameters, type PageToken, PageTokenCodec } from "./page-token-codec.js";

/** Options of {@link PageTokens}. */
export interface PageTokenOptions {
  /** Key of the {@link PageTokenCodec}. */
  readonly key: Uint8Array;
  /**
   * True if the page size may change from page to page (AIP-158). Otherwise, a change is a mismatch (specification 4.2).
   */
  readonly lenient: boolean;
  /** Returns milliseconds since the Unix epoch. */
  readonly now: () => number;
}

/** Issues and reads the page tokens of all lists of a service. */
export class PageTokens {
  readonly #codec: PageTokenCodec;
  readonly #options: PageTokenOptions;

  constructor(options: PageTokenOptions) {
    this.#codec = new PageTokenCodec(options.key);
    this.#options = options;
  }

  /**
   * Reads the `page_token` of a request.
   *
   * @returns the `after` passed to {@link tokenOf}; `undefined` for the first page.
   * @throws ApiError `PAGE_TOKEN_INVALID`, or `PAGE_TOKEN_MISMATCH` if the token belongs to another list.
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
      `it belongs to a call with another ${other}; all other parameters must be equal to the previous call`,
    );
  }

  /** Returns the `next_page_token` for a page that ends at `after`. */
  tokenOf(list: ListParameters, after: string): string {
    return this.#codec.encode({ ...list, after }, this.#options.now());
  }

  /** A number that changes hourly, as all page tokens do. */
  get epoch(): number {
    return PageTokenCodec.hourOf(this.#options.now());
  }
}

/**
 * Returns the first parameter in which a token and a list differ. The page size is last: lenient tokens ignore it.
 */
function mismatch(token: PageToken, list: ListParameters): keyof ListParameters | undefined {
  const names = ["operation", "parent", "filter", "asOf", "pageSize"] as const;
  return names.find((name) => token[name] !== list[name]);
}
