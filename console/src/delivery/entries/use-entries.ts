import { type UseQueryResult, useQuery } from "@tanstack/react-query";
import type { EntriesQuery } from "../../api/requests.js";
import type { EntriesPage } from "../../api/waybill-api.js";
import { useServices } from "../../app/services.js";
import { appQueryKey, keepOfSameApp } from "../keep-of-same-app.js";

/** A page of entries. The page before stays until it is there. */
export function useEntries(query: EntriesQuery): UseQueryResult<EntriesPage> {
  const { api } = useServices();
  return useQuery({
    queryKey: appQueryKey("entries", query),
    queryFn: ({ signal }) => api.entries(query, signal),
    placeholderData: keepOfSameApp(query),
  });
}
