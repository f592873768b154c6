import type { Day } from "../model/day.js";
import type { EntryPosition } from "./delivery-data-store.js";

/** An answer of another service, as it came. */
export interface KeptAnswer {
  readonly appId: string;
  /** Time at which it had come, in milliseconds since 1970. */
  readonly fetchedAt: number;
  /** Its address. */
  readonly url: string;
  /** Its body, unpacked. */
  readonly body: Uint8Array;
}

/** A query for the answers about an app. */
export interface AnswerQuery {
  /** Project number, in decimal. */
  readonly project: string;
  readonly appId: string;
  /** Only answers that came before, in milliseconds since 1970; missing for all. */
  readonly before?: number;
  /** Number of answers to leave out from the beginning; missing for none. */
  readonly skip?: number;
  /** Maximum number of answers to return. */
  readonly limit: number;
}

/** An entry as another service gave it until a later answer replaced it. */
export interface EntryVersion {
  readonly day: Day;
  readonly appId: string;
  readonly label: string;
  /** Time at which it was first given like this, in milliseconds since 1970. */
  readonly fetchedAt: number;
  /** An `AndroidDeliveryData` in JSON. */
  readonly original: string;
}

/** A query for what entries were at a moment. */
export interface VersionQuery {
  /** Project number, in decimal. */
  readonly project: string;
  /** Missing for all apps. */
  readonly appId?: string;
  /** First and last entry of the range, in list order. */
  readonly from: EntryPosition;
  readonly to: EntryPosition;
  /** In milliseconds since 1970. */
  readonly asOf: number;
}

/**
 * Keeps for mirrors of other services, beside the entries that they publish, all answers and the earlier versions of
 * entries.
 */
export interface MirrorStore {
  /**
   * Keeps an answer. A body that came about the app before, at least on the same day, takes no further space beyond its
   * digest. The answer is on disk when this resolves. May be repeated.
   *
   * @param project project number, in decimal.
   * @throws StoreUnavailableError if the store cannot be reached.
   */
  keepAnswer(project: string, answer: KeptAnswer): Promise<void>;

  /**
   * Reads answers about an app, newest first, those of the same time in any order that stays the same.
   *
   * @throws as {@link keepAnswer}.
   */
  readAnswers(query: AnswerQuery): Promise<readonly KeptAnswer[]>;

  /**
   * Keeps versions of entries that are about to be replaced. They are on disk when this resolves. May be repeated.
   *
   * @param project project number, in decimal.
   * @throws as {@link keepAnswer}.
   */
  keepVersions(project: string, versions: readonly EntryVersion[]): Promise<void>;

  /**
   * Reads the versions that were kept of entries in a range of places: of each place the last one that was given at or
   * before a moment, in any order. Places without such a version are left out.
   *
   * @param signal stops the read when it aborts.
   * @throws as {@link keepAnswer}, or the reason of `signal` once it has aborted.
   */
  readVersions(query: VersionQuery, signal?: AbortSignal): Promise<readonly EntryVersion[]>;
}
