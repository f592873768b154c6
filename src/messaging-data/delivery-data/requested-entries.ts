import type { Timestamp } from "@bufbuild/protobuf/wkt";
import { ApiError } from "../../api/api-error.js";
import type { Day } from "../../model/day.js";
import { ALL_APPS } from "../../model/names.js";
import type { EntrySelection } from "../../store/delivery-data-store.js";
import { ENTRY_FILTERS } from "./filter/entry-filters.js";
import { readFilter } from "./filter/read-filter.js";

/** Apps and days that a request selects. */
export interface EntriesRequest {
  readonly project: string;
  /** As in the request: may be invalid, or `-` for all apps. */
  readonly appId: string;
  /** Last listed day. */
  readonly until: Day;
}

/** The entries that a request selects. */
export interface RequestedEntries {
  /** Short digest of the filter; `undefined` without one. */
  readonly filterDigest: string | undefined;
  readonly selection: EntrySelection;
}

/**
 * Determines the entries that a request selects.
 *
 * @throws ApiError `INVALID_FILTER`
 */
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

/** First and last second of a `google.protobuf.Timestamp`: 0001-01-01T00:00:00Z and 9999-12-31T23:59:59Z. */
const FIRST_SECOND = -62_135_596_800n;
const LAST_SECOND = 253_402_300_799n;
const NANOS_A_SECOND = 1_000_000_000;
const NANOS_A_MS = 1_000_000;

/**
 * Reads the `as_of` of a request. A future time selects the present data.
 *
 * @param isMirrored true if the project mirrors another service. Only mirrors keep earlier versions of entries.
 * @returns milliseconds since 1970; `undefined` for the present.
 * @throws ApiError `INVALID_AS_OF`
 */
export function requestedMoment(asOf: Timestamp | undefined, isMirrored: boolean): number | undefined {
  if (asOf === undefined) return undefined;
  if (!isMirrored) {
    throw invalidAsOf(
      "the project computes its delivery data from events and keeps no earlier versions: omit asOf",
    );
  }
  const { seconds, nanos } = asOf;
  // Only JSON has been checked: binary messages may contain any value.
  if (seconds < FIRST_SECOND || seconds > LAST_SECOND || nanos < 0 || nanos >= NANOS_A_SECOND) {
    throw invalidAsOf('must be a time from "0001-01-01T00:00:00Z" to "9999-12-31T23:59:59Z"');
  }
  return Number(seconds) * 1_000 + Math.floor(nanos / NANOS_A_MS);
}

const invalidAsOf = (description: string): ApiError =>
  ApiError.invalidArgument("INVALID_AS_OF", "asOf", description);
