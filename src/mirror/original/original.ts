import { createHash } from "node:crypto";
import type { KeptAnswer } from "../../store/mirror-store.js";
import type { MirroredEntry } from "../mirrored-entry.js";

/** A page as received. */
export type OriginalBody = Omit<KeptAnswer, "appId">;

/** A page of entries of the original. */
export interface OriginalPage extends OriginalBody {
  /** True if its body was known, and its entries were not read. */
  readonly isKnown?: boolean;
  /** Its entries, those left out that cannot be kept. */
  readonly entries: readonly MirroredEntry[];
  /** Deviations from the form of the contract, each a short sentence; each kind once. */
  readonly problems: readonly string[];
}

/** Returns a digest of a body, as a text. */
export const digestOf = (body: Uint8Array): string => createHash("sha256").update(body).digest("base64url");

/** The reason why the original could not be read. */
export type OriginalFault =
  /** It does not accept the credentials, or they cannot be had. */
  | "credentials"
  /** It cannot be reached, fails, is too slow, or wants callers to wait. */
  | "unavailable"
  /** It answers in a form that cannot be read at all. */
  | "form";

/** The original could not be read. */
export class OriginalError extends Error {
  override readonly name = "OriginalError";

  constructor(
    readonly fault: OriginalFault,
    message: string,
    /** Time that it asks callers to wait, in milliseconds. */
    readonly retryAfterMs?: number,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** A service with delivery data to mirror. */
export interface Original {
  /**
   * Reads all pages of an app, each when it is asked for.
   *
   * @param keep called with each page as soon as it is received in full, before an abort can end its reading.
   * @param known digest of a body ({@link digestOf}) that need not be read: a page with it is given without its entries,
   * and is the last.
   * @throws OriginalError if a page cannot be read; pages before it have been given. Otherwise the reason of `signal`
   * once it has aborted.
   */
  pages(
    appId: string,
    signal: AbortSignal,
    keep: (page: OriginalBody) => Promise<void>,
    known?: string,
  ): AsyncIterable<OriginalPage>;

  /**
   * Reads the app ids of the project.
   *
   * @throws as {@link pages}.
   */
  apps(signal: AbortSignal): Promise<readonly string[]>;
}
