import { createHash } from "node:crypto";
import type { Day } from "../../model/day.js";
import type { StoredResponse } from "../../store/mirror-store.js";

/** A response body as received. */
export type UpstreamBody = Omit<StoredResponse, "appId">;

export interface UpstreamPage {
  /** Time of receipt, in milliseconds since 1970. */
  readonly fetchedAt: number;
  readonly digest: string;
  /** Usable entries, by {@link placeOfApp}. Empty if the digest was already known. */
  readonly entries: ReadonlyMap<string, MirroredEntry>;
  /** Violations of the contract, as short sentences. Each kind occurs only once. */
  readonly problems: readonly string[];
}

export const digestOf = (body: Uint8Array): string => createHash("sha256").update(body).digest("base64url");

/** Kinds of reasons why upstream could not be read. */
export type UpstreamErrorKind =
  /** Upstream rejects the credentials, or they cannot be read. */
  | "credentials"
  /** Upstream cannot be reached, fails, is too slow, or requests a pause (`Retry-After`). */
  | "unavailable"
  /** A response has an unknown format. */
  | "form";

/** An upstream service could not be read. */
export class UpstreamError extends Error {
  override readonly name = "UpstreamError";

  constructor(
    readonly kind: UpstreamErrorKind,
    message: string,
    /** Pause that upstream requested with `Retry-After`, in milliseconds. */
    readonly retryAfterMs?: number,
  ) {
    super(message);
  }
}

/** A service from which delivery data is mirrored. */
export interface Upstream {
  /**
   * Reads an app's pages lazily.
   *
   * @param keep called with each complete body. The body is stored even if an abort ends its parsing.
   * @param known digest of a body ({@link digestOf}) that need not be parsed again. A page with this digest is returned
   * without entries, and is the last one.
   * @throws UpstreamError if a page cannot be read, after the pages before it were returned; the abort reason of
   * `signal`.
   */
  pages(
    appId: string,
    signal: AbortSignal,
    keep: (page: UpstreamBody) => Promise<void>,
    known?: string,
  ): AsyncIterable<UpstreamPage>;

  /** Reads the app ids of the project. @throws the same errors as {@link pages}. */
  apps(signal: AbortSignal): Promise<readonly string[]>;
}

/** An entry of delivery data, as received from upstream. */
export interface MirroredEntry {
  readonly appId: string;
  /** Day of the entry. If its date has no day or month, this is the first day of the month or year. */
  readonly day: Day;
  /** Analytics label. Empty for messages without a label. */
  readonly label: string;
  /** The entry as an `AndroidDeliveryData` in JSON. All fields that the contract knows are unchanged. */
  readonly original: string;
  /**
   * Counts that are derived from the entry's figures, in the order of `COUNTS`. `undefined` if the figures contain no
   * outcomes.
   */
  readonly counts: readonly number[] | undefined;
}

/** Returns an entry's key, which is unique within an app. */
export const placeOfApp = (day: Day, label: string): string => `${day}\0${label}`;

/** Authenticates requests to upstream. */
export interface Credentials {
  /**
   * Returns request headers with `Authorization`. Caches the token, and renews it when necessary.
   *
   * @throws UpstreamError of kind `credentials` if the credentials are rejected or cannot be read, or of kind
   * `unavailable` if the token endpoint cannot be reached; the abort reason of `signal`.
   */
  headers(url: URL, signal: AbortSignal): Promise<Headers>;

  /** Removes the token from the cache, because upstream has rejected it. */
  dropToken(): void;
}
