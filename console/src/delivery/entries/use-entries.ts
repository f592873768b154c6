import { type UseQueryResult, useQuery } from "@tanstack/react-query";
import type { EntriesQuery } from "../../api/requests.js";
import type { EntriesPage } from "../../api/waybill-api.js";
import { useServices } from "../../app/services.js";
import { appQueryKey, keepOfSameApp } from "../keep-of-same-app.js";

/** Reads a page of entries. The previous page stays until the new one has loaded. */
export function useEntries(query: EntriesQuery): UseQueryResult<EntriesPage> {
  const { api } = useServices();
  return useQuery({
    queryKey: appQueryKey("entries", query),
    queryFn: ({ signal }) => api.entries(query, signal),
    placeholderData: keepOfSameApp(query),
  });
}
