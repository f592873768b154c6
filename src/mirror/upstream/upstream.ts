import { createHash } from "node:crypto";
import type { Day } from "../../model/day.js";
import type { KeptAnswer } from "../../store/mirror-store.js";

/** A page as received. */
export type UpstreamBody = Omit<KeptAnswer, "appId">;

/** A page of entries. */
export interface UpstreamPage {
  /** Time at which it was received, in milliseconds since 1970. */
  readonly fetchedAt: number;
  /** Digest of its body. */
  readonly digest: string;
  /** Its entries, without those that cannot be kept. None if the digest was known. */
  readonly entries: readonly MirroredEntry[];
  /** Deviations from the form of the contract, each a short sentence; each kind once. */
  readonly problems: readonly string[];
}

/** Returns a digest of a body, as a text. */
export const digestOf = (body: Uint8Array): string => createHash("sha256").update(body).digest("base64url");

/** The reason why the upstream could not be read. */
export type UpstreamFault =
  /** It does not accept the credentials, or they cannot be had. */
  | "credentials"
  /** It cannot be reached, fails, is too slow, or wants callers to wait. */
  | "unavailable"
  /** Its responses have a form that cannot be read at all. */
  | "form";

/** The upstream could not be read. */
export class UpstreamError extends Error {
  override readonly name = "UpstreamError";

  constructor(
    readonly fault: UpstreamFault,
    message: string,
    /** Time that it asks callers to wait, in milliseconds. */
    readonly retryAfterMs?: number,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** A service with delivery data to mirror. */
export interface Upstream {
  /**
   * Reads all pages of an app, each when it is asked for.
   *
   * @param keep called with each page as soon as it is received in full, before an abort can end its reading.
   * @param known digest of a body ({@link digestOf}) that need not be read: a page with it comes without entries, and is
   * the last.
   * @throws UpstreamError if a page cannot be read; pages before it have come. Otherwise the reason of `signal`
   * once it has aborted.
   */
  pages(
    appId: string,
    signal: AbortSignal,
    keep: (page: UpstreamBody) => Promise<void>,
    known?: string,
  ): AsyncIterable<UpstreamPage>;

  /**
   * Reads the app ids of the project.
   *
   * @throws as {@link pages}.
   */
  apps(signal: AbortSignal): Promise<readonly string[]>;
}

/** An entry of delivery data as the upstream returned it. */
export interface MirroredEntry {
  readonly appId: string;
  /** Its date; of a date without a day or a month, the first day of it. */
  readonly day: Day;
  /** Empty if it has no label. */
  readonly label: string;
  /**
   * The entry, an `AndroidDeliveryData` in JSON: the fields that the contract knows, as they came.
   */
  readonly original: string;
  /** The counts that follow from its figures, in the order of `COUNTS`; `undefined` if they do not say how messages fared. */
  readonly counts: readonly number[] | undefined;
}

/** Authenticates requests to the upstream. */
export interface Credentials {
  /**
   * Returns the headers of a request, `Authorization` among them. A token is kept and renewed.
   *
   * @throws UpstreamError with the fault `credentials` if they are rejected or cannot be read, with `unavailable` if the
   *   token endpoint cannot be reached. Otherwise the reason of `signal` once it has aborted.
   */
  headers(url: URL, signal: AbortSignal): Promise<Headers>;

  /** Drops the kept token, which the upstream has rejected. */
  forget(): void;
}
