/** Proves to the original who asks. */
export interface Credentials {
  /**
   * Returns the headers of a request, `Authorization` among them. A token is kept and renewed.
   *
   * @throws OriginalError with the fault `credentials` if they are refused or cannot be read, with `unavailable` if those
   *   who give tokens cannot be reached. Otherwise the reason of `signal` once it has aborted.
   */
  headers(url: URL, signal: AbortSignal): Promise<Headers>;

  /** Drops the token that is kept, which the original has refused. */
  forget(): void;
}
