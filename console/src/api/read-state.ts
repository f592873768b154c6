import { QueryClient, type UseQueryResult, useQueryClient } from "@tanstack/react-query";
import { type CanonicalCode, WaybillError } from "@waybill/client";
import { useCallback } from "react";

/** The query fields that show whether its data could be read. */
export type ReadState = Pick<UseQueryResult, "data" | "error" | "failureReason" | "fetchStatus">;

/**
 * Returns the error that leaves a query with nothing to show, if any. If a refetch fails, earlier data stays on the
 * page, unless the service now denies access to it.
 */
export function blockingError(query: ReadState): Error | undefined {
  const error = failureOf(query);
  return error !== undefined && (query.data === undefined || isDenied(error)) ? error : undefined;
}

/** Returns the last attempt's error, even while the next one is running. */
const failureOf = ({
  error,
  failureReason,
  fetchStatus,
}: Pick<ReadState, "error" | "failureReason" | "fetchStatus">): Error | undefined =>
  error ?? (fetchStatus === "fetching" ? failureReason : undefined) ?? undefined;

/** Returns true if the service denied access or does not have the data. */
const isDenied = (error: Error): boolean =>
  error instanceof WaybillError && (error.code === "PERMISSION_DENIED" || error.code === "NOT_FOUND");

/** Returns true for a temporary error. The console retries until the service responds. */
export const isPassing = (error: Error): error is WaybillError =>
  error instanceof WaybillError && PASSING.has(error.code);

const PASSING: ReadonlySet<CanonicalCode> = new Set([
  "UNAVAILABLE",
  "DEADLINE_EXCEEDED",
  "RESOURCE_EXHAUSTED",
]);

/** Maximum automatic retries after an unexpected error. */
const MAX_RETRIES = 2;
/** Maximum pause between attempts in milliseconds, unless the server requests a longer one. */
const MAX_PAUSE_MS = 10_000;
/** How long data counts as fresh. Delivery data changes only when a day ends or late events arrive. */
const STALE_MS = 60_000;

/**
 * Creates a cache that refetches stale data. Retries until the server can be reached. Retries pause while the page is
 * offline or hidden.
 */
export const makeQueryClient = (): QueryClient =>
  new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: STALE_MS,
        retry: (failures, error) =>
          isPassing(error) || (!(error instanceof WaybillError) && failures < MAX_RETRIES),
        retryDelay: (failures, error) =>
          Math.max(
            Math.min(MAX_PAUSE_MS, 500 * 2 ** failures),
            (error instanceof WaybillError && error.retryAfterMs) || 0,
          ),
      },
    },
  });

type Query = ReturnType<ReturnType<QueryClient["getQueryCache"]>["getAll"]>[number];

/** Returns the last error of a query that is on screen, if it failed. */
export const shownFailureOf = (query: Query): Error | undefined => {
  const { error, fetchFailureReason: failureReason, fetchStatus } = query.state;
  return query.isActive() ? failureOf({ error, failureReason, fetchStatus }) : undefined;
};

/** Returns a function that immediately retries every failed read on screen. */
export function useReadAgain(): () => void {
  const client = useQueryClient();
  return useCallback(() => {
    const predicate = (query: Query): boolean => shownFailureOf(query) !== undefined;
    // Ends pauses between attempts.
    for (const query of client.getQueryCache().findAll({ predicate })) void query.cancel({ silent: true });
    void client.refetchQueries({ predicate });
  }, [client]);
}
