import { type UseQueryResult, useQuery } from "@tanstack/react-query";
import type { DeliveryGroup } from "../api/delivery-group.js";
import type { GroupsQuery } from "../api/requests.js";
import { useServices } from "../app/services.js";
import { appQueryKey, keepOfSameApp } from "./keep-of-same-app.js";

/**
 * Sums of entries, from the server. While others are on their way those of before stay, if they are of the same app, so
 * that nothing jumps.
 */
export function useGroups(query: GroupsQuery): UseQueryResult<readonly DeliveryGroup[]> {
  const { api } = useServices();
  return useQuery({
    queryKey: appQueryKey("groups", query),
    queryFn: ({ signal }) => api.groups(query, signal),
    placeholderData: keepOfSameApp(query),
  });
}
