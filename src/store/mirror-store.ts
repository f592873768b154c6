import type { Day } from "../model/day.js";
import type { EntryPosition } from "./delivery-data-store.js";

/** An upstream response, as received. */
export interface KeptAnswer {
  readonly appId: string;
  /** Time of receipt, in milliseconds since 1970. */
  readonly fetchedAt: number;
  /** Request URL. */
  readonly url: string;
  /** Response body, decompressed. */
  readonly body: Uint8Array;
}

/** A query for stored responses about an app. */
export interface AnswerQuery {
  /** Project number, in decimal. */
  readonly project: string;
  readonly appId: string;
  /** Only responses received before this time, in milliseconds since 1970. Omitted for all. */
  readonly before?: number;
  /** Number of responses to skip. Defaults to 0. */
  readonly skip?: number;
  /** Maximum number of responses to return. */
  readonly limit: number;
}

/** A previous version of an entry: its text upstream until a later response changed it. */
export interface EntryVersion {
  readonly day: Day;
  readonly appId: string;
  readonly label: string;
  /** Time of the first response with this text, in milliseconds since 1970. */
  readonly fetchedAt: number;
  /** An `AndroidDeliveryData` in JSON. */
  readonly original: string;
}

/** A query for entries as of a moment in the past. */
export interface VersionQuery {
  /** Project number, in decimal. */
  readonly project: string;
  /** Omitted for all apps. */
  readonly appId?: string;
  /** First and last position in the range, in list order. */
  readonly from: EntryPosition;
  readonly to: EntryPosition;
  /** In milliseconds since 1970. */
  readonly asOf: number;
}

/** Data of mirrors besides their published entries: all upstream responses, and previous versions of entries. */
export interface MirrorStore {
  /**
   * Stores a response. When the call resolves, it is on disk. May be repeated. Identical bodies about an app are
   * stored only once, at least within a day.
   *
   * @param project project number, in decimal.
   * @throws StoreUnavailableError if the store cannot be reached.
   */
  keepAnswer(project: string, answer: KeptAnswer): Promise<void>;

  /**
   * Reads responses about an app, newest first. The order of simultaneous responses is stable.
   *
   * @throws the same errors as {@link keepAnswer}.
   */
  readAnswers(query: AnswerQuery): Promise<readonly KeptAnswer[]>;

  /**
   * Stores entry versions before they are replaced. When the call resolves, they are on disk. May be repeated.
   *
   * @param project project number, in decimal.
   * @throws the same errors as {@link keepAnswer}.
   */
  keepVersions(project: string, versions: readonly EntryVersion[]): Promise<void>;

  /**
   * Reads entry versions in a range of positions: for each position, the last version at or before `asOf`. Omits
   * positions without one. Results are in any order.
   *
   * @param signal cancels the read.
   * @throws the same errors as {@link keepAnswer}, or the abort reason of `signal` after an abort.
   */
  readVersions(query: VersionQuery, signal?: AbortSignal): Promise<readonly EntryVersion[]>;
}
