import type { Timestamp } from "@bufbuild/protobuf/wkt";
import { ApiError } from "../../api/api-error.js";
import { checkTime } from "../../api/request-time.js";
import type { Day } from "../../model/day.js";
import { ALL_APPS } from "../../model/names.js";
import type { EntrySelection } from "../../store/delivery-data-store.js";
import { ENTRY_FILTERS } from "./filter/entry-filters.js";
import { readFilter } from "./filter/read-filter.js";

export interface EntriesRequest {
  readonly project: string;
  /** App id as in the request. It may be invalid, or `-` for all apps. */
  readonly appId: string;
  /** The last listed day. */
  readonly until: Day;
}

export interface RequestedEntries {
  /** Short digest of the filter. Omitted if the request has no filter. */
  readonly filterDigest: string | undefined;
  readonly selection: EntrySelection;
}

/** Determines which entries a request selects. @throws ApiError `INVALID_FILTER` if the filter is invalid. */
export function requestedEntries(
  filterText: string,
  { project, appId, until }: EntriesRequest,
): RequestedEntries {
  const filter = readFilter(filterText, ENTRY_FILTERS);
  return {
    filterDigest: filter?.digest,
    selection: {
      project,
      ...(appId !== ALL_APPS && { appId }),
      until,
      ...(filter !== undefined && { filter: filter.condition }),
    },
  };
}

const NANOS_A_MS = 1_000_000;

/**
 * Reads a request's `as_of`. A time in the future selects the present data.
 *
 * @param isMirrored true if the project mirrors another service. Only mirrors keep earlier versions of entries.
 * @returns milliseconds since 1970; `undefined` for the present.
 * @throws ApiError `INVALID_AS_OF` if the time is invalid, or the project is not a mirror.
 */
export function requestedMoment(asOf: Timestamp | undefined, isMirrored: boolean): number | undefined {
  if (asOf === undefined) return undefined;
  if (!isMirrored) {
    throw ApiError.invalidArgument(
      "INVALID_AS_OF",
      "asOf",
      "the project computes its delivery data from events and keeps no earlier versions: omit asOf",
    );
  }
  checkTime(asOf, "INVALID_AS_OF", "asOf");
  return Number(asOf.seconds) * 1_000 + Math.floor(asOf.nanos / NANOS_A_MS);
}
