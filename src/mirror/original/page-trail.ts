import { OriginalError } from "./original.js";

/** The way through the pages of a list, which has to end. */
export class PageTrail {
  readonly #maxPages: number;
  readonly #tokens = new Set([""]);
  #pageToken = "";

  constructor(maxPages: number) {
    this.#maxPages = maxPages;
  }

  /** Token of the page to read; empty for the first one. */
  get pageToken(): string {
    return this.#pageToken;
  }

  /**
   * Goes on to the next page.
   *
   * @returns false if there is none.
   * @throws OriginalError with the fault `form` if the token was there before, or after too many pages.
   */
  follow(nextPageToken: string): boolean {
    if (nextPageToken === "") return false;
    if (this.#tokens.has(nextPageToken)) throw new OriginalError("form", "a page token leads in a circle");
    if (this.#tokens.size === this.#maxPages) {
      throw new OriginalError("form", `there are more than ${this.#maxPages} pages`);
    }
    this.#tokens.add(nextPageToken);
    this.#pageToken = nextPageToken;
    return true;
  }
}
