import { type UseQueryResult, useQuery } from "@tanstack/react-query";
import type { DeliveryGroup } from "./delivery-group.js";
import type { EntriesQuery, EntriesSelection, GroupsQuery } from "./requests.js";
import { useServices } from "./services.js";
import type { EntriesPage } from "./waybill-api.js";

/** Query key for data of an app, with project and app at fixed positions. */
export const appQueryKey = <Q extends EntriesSelection>(kind: string, query: Q) =>
  [kind, query.project, query.app, query] as const;

/**
 * Keeps data of the same app in place while the next data loads, which avoids jumps. Never keeps data of
 * another app.
 */
export const keepOfSameApp =
  ({ project, app }: EntriesSelection) =>
  <T>(
    previous: T | undefined,
    previousQuery: { readonly queryKey: readonly unknown[] } | undefined,
  ): T | undefined => {
    const [, previousProject, previousApp] = previousQuery?.queryKey ?? [];
    return previousProject === project && previousApp === app ? previous : undefined;
  };

/**
 * Reads sums of entries. Previous sums of the same app stay until the new ones have loaded, which avoids
 * jumps.
 */
export function useGroups(query: GroupsQuery): UseQueryResult<readonly DeliveryGroup[]> {
  const { api } = useServices();
  return useQuery({
    queryKey: appQueryKey("groups", query),
    queryFn: ({ signal }) => api.groups(query, signal),
    placeholderData: keepOfSameApp(query),
  });
}

/** Reads a page of entries. The previous page stays until the new one has loaded. */
export function useEntries(query: EntriesQuery): UseQueryResult<EntriesPage> {
  const { api } = useServices();
  return useQuery({
    queryKey: appQueryKey("entries", query),
    queryFn: ({ signal }) => api.entries(query, signal),
    placeholderData: keepOfSameApp(query),
  });
}
