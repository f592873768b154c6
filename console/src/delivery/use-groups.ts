import { type UseQueryResult, useQuery } from "@tanstack/react-query";
import type { DeliveryGroup } from "../api/delivery-group.js";
import type { GroupsQuery } from "../api/requests.js";
import { useServices } from "../app/services.js";

/**
 * Sums of entries, from the server. While others are on their way those of before stay, if they are of the same app, so
 * that nothing jumps.
 */
export function useGroups(query: GroupsQuery, enabled = true): UseQueryResult<readonly DeliveryGroup[]> {
  const { api } = useServices();
  return useQuery({
    queryKey: ["groups", query.project, query.app, query],
    queryFn: ({ signal }) => api.groups(query, signal),
    placeholderData: (previous, previousQuery) => {
      const [, project, app] = previousQuery?.queryKey ?? [];
      return project === query.project && app === query.app ? previous : undefined;
    },
    enabled,
  });
}
