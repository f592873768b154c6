import { createHash } from "node:crypto";
import type { Day } from "../../model/day.js";
import type { KeptAnswer } from "../../store/mirror-store.js";

/** A response body as received. */
export type UpstreamBody = Omit<KeptAnswer, "appId">;

/** A page of entries. */
export interface UpstreamPage {
  /** Time of receipt, in milliseconds since 1970. */
  readonly fetchedAt: number;
  /** Digest of the body. */
  readonly digest: string;
  /** Usable entries. Empty if the digest was known. */
  readonly entries: readonly MirroredEntry[];
  /** Deviations from the contract as short sentences, each kind once. */
  readonly problems: readonly string[];
}

/** Returns a digest of a body. */
export const digestOf = (body: Uint8Array): string => createHash("sha256").update(body).digest("base64url");

/** Why the upstream service could not be read. */
export type UpstreamErrorKind =
  /** It rejects the credentials, or they cannot be read. */
  | "credentials"
  /** It cannot be reached, fails, is too slow, or sends `Retry-After`. */
  | "unavailable"
  /** Its responses have an unknown format. */
  | "form";

/** The upstream service could not be read. */
export class UpstreamError extends Error {
  override readonly name = "UpstreamError";

  constructor(
    readonly kind: UpstreamErrorKind,
    message: string,
    /** `Retry-After` of the response, in milliseconds. */
    readonly retryAfterMs?: number,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** A service with delivery data to mirror. */
export interface Upstream {
  /**
   * Reads all pages of an app lazily.
   *
   * @param keep called with each complete body, before an abort can end its parsing.
   * @param known digest of a body ({@link digestOf}) that need not be parsed. A page with this digest has no entries
   *   and is the last one.
   * @throws UpstreamError if a page cannot be read, after the pages before it. Otherwise the reason of `signal` once it
   *   has aborted.
   */
  pages(
    appId: string,
    signal: AbortSignal,
    keep: (page: UpstreamBody) => Promise<void>,
    known?: string,
  ): AsyncIterable<UpstreamPage>;

  /** Reads the project's app ids. @throws the same errors as {@link pages}. */
  apps(signal: AbortSignal): Promise<readonly string[]>;
}

/** An entry of delivery data as received from upstream. */
export interface MirroredEntry {
  readonly appId: string;
  /** Its date. For a date without a day or a month, the first day. */
  readonly day: Day;
  /** Empty for messages without a label. */
  readonly label: string;
  /** The entry as an `AndroidDeliveryData` in JSON: all fields that the contract knows, unchanged. */
  readonly original: string;
  /** Counts derived from its figures, in the order of `COUNTS`; `undefined` if it has no outcomes. */
  readonly counts: readonly number[] | undefined;
}

/** Authenticates requests to upstream. */
export interface Credentials {
  /**
   * Returns request headers with `Authorization`. Keeps and renews its token.
   *
   * @throws UpstreamError of kind `credentials` if the credentials are rejected or cannot be read, of kind
   *   `unavailable` if the token endpoint cannot be reached. Otherwise the reason of `signal` once it has aborted.
   */
  headers(url: URL, signal: AbortSignal): Promise<Headers>;

  /** Drops the token, because upstream has rejected it. */
  dropToken(): void;
}
