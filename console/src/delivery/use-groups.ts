import { type UseQueryResult, useQuery } from "@tanstack/react-query";
import type { DeliveryGroup } from "../api/delivery-group.js";
import type { GroupsQuery } from "../api/requests.js";
import { useServices } from "../app/services.js";
import { appQueryKey, keepOfSameApp } from "./keep-of-same-app.js";

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
