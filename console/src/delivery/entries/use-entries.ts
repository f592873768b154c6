import { type UseQueryResult, useQuery } from "@tanstack/react-query";
import type { EntriesQuery } from "../../api/requests.js";
import type { EntriesPage } from "../../api/waybill-api.js";
import { useServices } from "../../app/services.js";

/** A page of entries. The page before stays until it is there. */
export function useEntries(query: EntriesQuery): UseQueryResult<EntriesPage> {
  const { api } = useServices();
  return useQuery({
    queryKey: ["entries", query.project, query.app, query],
    queryFn: ({ signal }) => api.entries(query, signal),
    placeholderData: (previous, previousQuery) => {
      const [, project, app] = previousQuery?.queryKey ?? [];
      return project === query.project && app === query.app ? previous : undefined;
    },
  });
}
