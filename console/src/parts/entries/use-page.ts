import { type QueryClient, type UseQueryResult, useQuery, useQueryClient } from "@tanstack/react-query";
import { entriesQuery } from "#console/api/queries.js";
import type { EntriesQuery } from "#console/api/requests.js";
import { useServices } from "#console/api/services.js";
import type { EntriesPage, WaybillApi } from "#console/api/waybill-api.js";
import { isPlaceGone } from "#console/ui/states/failure.js";
import { changeView } from "#console/ui/view/use-view.js";

/** A page of entries and its loading state. */
export interface Page {
  readonly queries: readonly UseQueryResult[];
  /** Undefined while loading. Null if the list ends before this page. */
  readonly data: EntriesPage | null | undefined;
  /** Starts again at the first page. Undefined unless the page token has expired. */
  readonly retry: (() => void) | undefined;
}

type ListQuery = Omit<EntriesQuery, "pageToken">;

const TOKENS = "pageToken";

/**
 * Reads a page by its number. Each page has the next page's token, so this reads all earlier pages with unknown tokens.
 *
 * @param number from 1
 */
export function usePage(list: ListQuery, number: number): Page {
  const { api } = useServices();
  const client = useQueryClient();
  const isFirst = number === 1;
  const token = useQuery({ ...tokenQuery(client, api, list, number), enabled: !isFirst });
  // Without a token, the query below would read the first page.
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

/** Finds the page token. Null for the first page, and for pages after the last. */
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

/** Options for steps of a query that is retried as a whole. */
const ONCE = { staleTime: Infinity, retry: false } as const;
