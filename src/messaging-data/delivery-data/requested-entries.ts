import type { Day } from "../../model/day.js";
import { ALL_APPS } from "../../model/names.js";
import type { EntrySelection } from "../../store/delivery-data-store.js";
import { ENTRY_FILTERS } from "./filter/entry-filters.js";
import { readFilter } from "./filter/read-filter.js";

/** The apps and days whose entries a request selects. */
export interface EntriesRequest {
  readonly project: string;
  /** As in the request: may be invalid, or stand for all apps. */
  readonly appId: string;
  /** The last day that is listed. */
  readonly until: Day;
}

/** The entries that a request selects. */
export interface RequestedEntries {
  /** Short digest of the filter, if there is one. */
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
