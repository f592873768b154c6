import type { Day } from "../model/day.js";
import type { ProjectNumber } from "../model/names.js";
import type { EntryPosition } from "./delivery-data-store.js";

/** An upstream response, as received. */
export interface StoredResponse {
  readonly appId: string;
  /** Time of receipt, in milliseconds since 1970. */
  readonly fetchedAt: number;
  /** Request URL. */
  readonly url: string;
  /** Response body, decompressed. */
  readonly body: Uint8Array;
  /**
   * Complete gzip of exactly this body. The store keeps these bytes unchecked, instead of compressing the body again.
   * Omitted when responses are read.
   */
  readonly gzip?: Uint8Array | undefined;
}

/** Selects stored responses about an app. */
export interface ResponseQuery {
  readonly project: ProjectNumber;
  readonly appId: string;
  /** Selects only responses that were received before this time, in milliseconds since 1970. */
  readonly before?: number;
  /** Number of responses to skip; 0 by default. */
  readonly skip?: number;
  readonly limit: number;
}

/** Previous version of an entry. Upstream listed it until a later response contained a different version. */
export interface EntryVersion {
  readonly day: Day;
  readonly appId: string;
  readonly label: string;
  /** Time of the first response with this JSON, in milliseconds since 1970. */
  readonly fetchedAt: number;
  /** The `AndroidDeliveryData` in JSON that upstream sent. */
  readonly original: string;
}

/** Selects entries as they were at an earlier time. */
export interface VersionQuery {
  readonly project: ProjectNumber;
  /** App to select. If omitted, selects all apps. */
  readonly appId?: string;
  /** First and last position in the range, in list order. */
  readonly from: EntryPosition;
  readonly to: EntryPosition;
  /** Past time for which to read the entries, in milliseconds since 1970. */
  readonly asOf: number;
}

/** Data of mirrors other than their published entries: all upstream responses, and previous versions of entries. */
export interface MirrorStore {
  /**
   * Stores a response. When the call resolves, the response is on disk. The call may be repeated. If an app's responses
   * have identical bodies, only one is stored, at least within a day.
   *
   * @param isNew true if the app probably has no identical body yet. By default, the store first searches for one.
   * @throws StoreUnavailableError if the store cannot be reached.
   */
  storeResponse(project: ProjectNumber, response: StoredResponse, isNew?: boolean): Promise<void>;

  /**
   * Reads the responses about an app, newest first. Responses with the same time always have the same order.
   *
   * @throws the same errors as {@link storeResponse}.
   */
  readResponses(query: ResponseQuery): Promise<readonly StoredResponse[]>;

  /**
   * Stores versions of entries before the entries are replaced. When the call resolves, the versions are on disk. The
   * call may be repeated.
   *
   * @throws the same errors as {@link storeResponse}.
   */
  keepVersions(project: ProjectNumber, versions: readonly EntryVersion[]): Promise<void>;

  /**
   * Reads the version that was current at `asOf` for each position in a range. Omits positions that had no version
   * then. Results are in any order.
   *
   * @param signal cancels the read.
   * @throws the same errors as {@link storeResponse}, or the abort reason of `signal`.
   */
  readVersions(query: VersionQuery, signal?: AbortSignal): Promise<readonly EntryVersion[]>;
}
