import type { Timestamp } from "@bufbuild/protobuf/wkt";
import { ApiError } from "../../api/api-error.js";
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

/**
 * First and last second that a `google.protobuf.Timestamp` can express: 0001-01-01T00:00:00Z and 9999-12-31T23:59:59Z.
 */
const FIRST_SECOND = -62_135_596_800n;
const LAST_SECOND = 253_402_300_799n;
const NANOS_A_SECOND = 1_000_000_000;
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
    throw invalidAsOf(
      "the project computes its delivery data from events and keeps no earlier versions: omit asOf",
    );
  }
  const { seconds, nanos } = asOf;
  // A binary message may contain any value. Only JSON was checked when it was parsed.
  if (seconds < FIRST_SECOND || seconds > LAST_SECOND || nanos < 0 || nanos >= NANOS_A_SECOND) {
    throw invalidAsOf('must be a time from "0001-01-01T00:00:00Z" to "9999-12-31T23:59:59Z"');
  }
  return Number(seconds) * 1_000 + Math.floor(nanos / NANOS_A_MS);
}

const invalidAsOf = (description: string): ApiError =>
  ApiError.invalidArgument("INVALID_AS_OF", "asOf", description);
