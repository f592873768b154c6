import { keepPreviousData, type UseQueryResult, useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { PAGE_BY_PAGE } from "./api-part.js";
import type { AttestedAppRef, IntegrityApi } from "./integrity-api.js";
import { MANAGED } from "./registry-queries.js";
import { useServices } from "./services.js";

/** Cache key prefix of everything in the app-integrity service. */
const { integrity: INTEGRITY } = MANAGED;
/** Interval for refetching figures that change without user action, in milliseconds. */
const AGAIN_MS = 5_000;

/** Returns the app-integrity service. @throws Error if its address is unknown. */
export function useIntegrityApi(): IntegrityApi {
  const { integrity } = useServices().api;
  if (integrity === undefined) throw new Error("the app-integrity address is unknown");
  return integrity;
}

/** Reads data that the app-integrity service has. */
export function useIntegrity<T>(
  key: readonly [kind: string, ...of: unknown[]],
  read: (signal: AbortSignal) => Promise<T>,
  changesAlone = false,
): UseQueryResult<T> {
  return useQuery({
    queryKey: [INTEGRITY, ...key],
    queryFn: ({ signal }) => read(signal),
    staleTime: 0,
    refetchInterval: changesAlone && AGAIN_MS,
  });
}

/** Reads an app's failures, page by page. */
export function useFailures(app: AttestedAppRef) {
  const api = useIntegrityApi();
  return useInfiniteQuery({
    queryKey: [INTEGRITY, "failures", app],
    queryFn: ({ pageParam, signal }) => api.failures(app, pageParam, signal),
    ...PAGE_BY_PAGE,
    refetchInterval: AGAIN_MS,
  });
}

/** Reads an app's attested keys, page by page, or the key with an id. Keeps keys on the page while others load. */
export function useKeys(app: AttestedAppRef, id: string) {
  const api = useIntegrityApi();
  return useInfiniteQuery({
    queryKey: [INTEGRITY, "keys", app, id],
    queryFn: ({ pageParam, signal }) =>
      id === "" ? api.keys(app, pageParam, signal) : api.keyWithId(app, id, signal),
    ...PAGE_BY_PAGE,
    placeholderData: keepPreviousData,
  });
}
