import { type UseQueryResult, useInfiniteQuery, useQuery } from "@tanstack/react-query";
import type { Annotation } from "#console/model/figures/annotation.js";
import type { IncidentState } from "#console/model/figures/inbox-incident.js";
import type { Incident } from "#console/model/figures/incident.js";
import type { Target } from "#console/model/figures/target.js";
import type { SavedView } from "#console/model/view/saved-view.js";
import type { AndroidMirrorGapJson } from "#src/gen/waybill/messagingdata/v1beta1/mirror_gap_pb.js";
import { PAGE_BY_PAGE } from "./api-part.js";
import { blockingError } from "./read-state.js";
import { MANAGED } from "./registry-queries.js";
import type { EntriesQuery, EntriesSelection, GroupsQuery } from "./requests.js";
import { useServices } from "./services.js";
import type { DeliveryGroup, EntriesPage, WaybillApi } from "./waybill-api.js";

function useRead<T>(
  queryKey: readonly unknown[],
  read: (api: WaybillApi, signal: AbortSignal) => Promise<T>,
  enabled = true,
): UseQueryResult<T> {
  const { api } = useServices();
  return useQuery({ enabled, queryKey, queryFn: ({ signal }) => read(api, signal) });
}

/** Cache key of a request for sums. */
export const groupsKey = (query: GroupsQuery) => ["groups", query] as const;

export const useGroups = (query: GroupsQuery): UseQueryResult<readonly DeliveryGroup[]> =>
  useGroupsIf(true, query);

/** Reads sums of entries if `enabled` is true. */
export const useGroupsIf = (enabled: boolean, query: GroupsQuery): UseQueryResult<readonly DeliveryGroup[]> =>
  useRead(groupsKey(query), (api, signal) => api.groups(query, signal), enabled);

export const useIncidents = (selection: EntriesSelection): UseQueryResult<readonly Incident[]> =>
  useRead([MANAGED.incidents, selection], (api, signal) => api.incidents(selection, signal));

const NO_INCIDENTS: readonly Incident[] = [];

/** Reads incidents that match a selection. Undefined while loading; none if they could not be read. */
export function useKnownIncidents(selection: EntriesSelection): readonly Incident[] | undefined {
  const incidents = useIncidents(selection);
  return incidents.data ?? (blockingError(incidents) === undefined ? undefined : NO_INCIDENTS);
}

/** Reads ongoing incidents in all apps of a project. @param enabled false to delay the request */
export const useOngoingIncidents = (project: string, enabled: boolean): UseQueryResult<readonly Incident[]> =>
  useRead(["ongoingIncidents", project], (api, signal) => api.ongoingIncidents(project, signal), enabled);

/** Reads a project's incidents with a state, page by page. */
export function useInbox(project: string, state: IncidentState) {
  const { inbox } = useServices().api;
  return useInfiniteQuery({
    queryKey: [MANAGED.inbox, project, state],
    queryFn: ({ pageParam, signal }) => inbox.page(project, state, pageParam, signal),
    ...PAGE_BY_PAGE,
  });
}

export const useAnnotations = (project: string): UseQueryResult<readonly Annotation[]> =>
  useRead([MANAGED.annotations, project], (api, signal) => api.annotations(project, signal));

export const useTargets = (project: string): UseQueryResult<readonly Target[]> =>
  useRead([MANAGED.targets, project], (api, signal) => api.targets.list(project, signal));

export const useSavedViews = (project: string): UseQueryResult<readonly SavedView[]> =>
  useRead([MANAGED.views, project], (api, signal) => api.views.list(project, signal));

/** Reads how many mirrored entries are excluded from sums. */
export const useExcludedEntries = (selection: EntriesSelection): UseQueryResult<number> =>
  useRead(["excludedEntries", selection], (api, signal) => api.excludedEntries(selection, signal));

/** Reads mirror gaps, for one app or for all apps of a project. */
export const useMirrorGaps = (
  project: string,
  app: string,
): UseQueryResult<readonly AndroidMirrorGapJson[]> =>
  useRead(["mirrorGaps", project, app], (api, signal) => api.mirrorGaps({ project, app }, signal));

export const entriesQuery = (api: WaybillApi, query: EntriesQuery) => ({
  queryKey: ["entries", query] as const,
  queryFn: ({ signal }: { signal: AbortSignal }): Promise<EntriesPage> => api.entries(query, signal),
});
