import { type QueryClient, type UseQueryResult, useQuery, useQueryClient } from "@tanstack/react-query";
import { entriesQuery } from "#console/api/queries.js";
import type { EntriesQuery } from "#console/api/requests.js";
import { useServices } from "#console/api/services.js";
import type { EntriesPage, WaybillApi } from "#console/api/waybill-api.js";
import { isPlaceGone } from "#console/ui/states/failure.js";
import { changeView } from "#console/ui/view/use-view.js";

/** A page of entries, as far as it has loaded. */
export interface Page {
  /** The reads that the page comes from. */
  readonly queries: readonly UseQueryResult[];
  /** Undefined while loading; null if the list ends before this page. */
  readonly data: EntriesPage | null | undefined;
  /** Starts over at the first page if the service does not accept the page token any more; else undefined. */
  readonly retry: (() => void) | undefined;
}

type ListQuery = Omit<EntriesQuery, "pageToken">;

const TOKENS = "pageToken";

/**
 * Reads a page of a list by its number. A page names only its successor, so that the pages before are read
 * unless their tokens are known.
 * @param number from 1
 */
export function usePage(list: ListQuery, number: number): Page {
  const { api } = useServices();
  const client = useQueryClient();
  const isFirst = number === 1;
  const token = useQuery({ ...tokenQuery(client, api, list, number), enabled: !isFirst });
  // Without a token, the query below is that of the first page.
  const hasPlace = isFirst || typeof token.data === "string";
  const page = useQuery({
    ...entriesQuery(api, { ...list, pageToken: token.data ?? undefined }),
    enabled: hasPlace,
  });
  const startOver = (): void => {
    client.removeQueries({ queryKey: [TOKENS] });
    changeView({ page: 1 });
  };
  return {
    queries: [token, page],
    data: hasPlace ? page.data : token.data === null ? null : undefined,
    retry: isPlaceGone(token.error ?? page.error) ? startOver : undefined,
  };
}

/** Finds the token of a page: a text, or null for the first page and for pages after the last. */
function tokenQuery(client: QueryClient, api: WaybillApi, list: ListQuery, number: number) {
  return {
    queryKey: [TOKENS, list, number] as const,
    queryFn: async (): Promise<string | null> => {
      if (number === 1) return null;
      const token = await client.fetchQuery({ ...tokenQuery(client, api, list, number - 1), ...ONCE });
      if (number > 2 && token === null) return null;
      const before = entriesQuery(api, { ...list, pageToken: token ?? undefined });
      return (await client.fetchQuery({ ...before, ...ONCE })).nextPageToken ?? null;
    },
    staleTime: Infinity,
    gcTime: Infinity,
  };
}

/** For a step of a read that is tried again as a whole. */
const ONCE = { staleTime: Infinity, retry: false } as const;
