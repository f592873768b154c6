import { ALL_APPS, appIdOf } from "../../model/app-id.js";
import type { Day } from "../../model/day.js";
import type { EntrySelection } from "../../store/delivery-data-store.js";
import { readFilter } from "./filter/read-filter.js";

/** The part of a request that says which entries it is about. */
export interface EntriesRequest {
  readonly parent: string;
  readonly filter: string;
}

/** Which entries a request is about. */
export interface RequestedEntries {
  /** As it stands in the request, where it need not be valid and may stand for all apps. */
  readonly appId: string;
  /** Stands for the filter, if there is one. */
  readonly filterDigest: string | undefined;
  readonly selection: EntrySelection;
}

/**
 * Reads which entries a request is about.
 *
 * @param until the last day that is listed.
 * @throws ApiError `INVALID_FILTER`
 */
export function requestedEntries(request: EntriesRequest, project: string, until: Day): RequestedEntries {
  const appId = appIdOf(request.parent);
  const filter = readFilter(request.filter);
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
