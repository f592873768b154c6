import { ApiError } from "../api/api-error.js";
import { type ListParameters, type PageToken, PageTokenCodec } from "./page-token-codec.js";

/** How page tokens are made and taken. */
export interface PageTokenOptions {
  /** As of {@link PageTokenCodec}. */
  readonly key: Uint8Array;
  /** Whether the page size may change from page to page (AIP-158); else that is a mismatch (specification 4.2). */
  readonly lenient: boolean;
  /** Milliseconds since the Unix epoch. */
  readonly now: () => number;
}

/** The page tokens of every list of a service. */
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
   * @returns where the page before ended, as it was given to {@link tokenOf}; undefined for the first page.
   * @throws ApiError `PAGE_TOKEN_INVALID`, or `PAGE_TOKEN_MISMATCH` if it is of another list.
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
      `it belongs to a call with another ${other}; all other parameters must be those of the call that returned it`,
    );
  }

  /** The `next_page_token` of a page that ended at `after`. */
  tokenOf(list: ListParameters, after: string): string {
    return this.#codec.encode({ ...list, after }, this.#options.now());
  }

  /** Changes when the tokens of all pages do, which is once in an hour. */
  get epoch(): number {
    return PageTokenCodec.hourOf(this.#options.now());
  }
}

/** The parameter of a list that a token does not fit; the page size last, which may be let pass. */
function mismatch(token: PageToken, list: ListParameters): keyof ListParameters | undefined {
  return (["operation", "parent", "filter", "pageSize"] as const).find((name) => token[name] !== list[name]);
}
