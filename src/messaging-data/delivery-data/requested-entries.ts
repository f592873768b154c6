import { ALL_APPS, appIdOf } from "../../model/app-id.js";
import type { Day } from "../../model/day.js";
import type { EntrySelection } from "../../store/delivery-data-store.js";
import { ENTRY_FILTERS } from "./filter/entry-filters.js";
import { readFilter } from "./filter/read-filter.js";

/** The parts of a request that select entries. */
export interface EntriesRequest {
  readonly parent: string;
  readonly filter: string;
}

/** The entries that a request selects. */
export interface RequestedEntries {
  /** As in the request: may be invalid, or stand for all apps. */
  readonly appId: string;
  /** Short digest of the filter, if there is one. */
  readonly filterDigest: string | undefined;
  readonly selection: EntrySelection;
}

/**
 * Determines the entries that a request selects.
 *
 * @param until the last day that is listed.
 * @throws ApiError `INVALID_FILTER`
 */
export function requestedEntries(request: EntriesRequest, project: string, until: Day): RequestedEntries {
  const appId = appIdOf(request.parent);
  const filter = readFilter(request.filter, ENTRY_FILTERS);
  return {
    appId,
    filterDigest: filter?.digest,
    selection: {
      project,
      ...(appId !== ALL_APPS && { appId }),
      until,
      ...(filter !== undefined && { filter: filter.condition }),
    },
  };
}
