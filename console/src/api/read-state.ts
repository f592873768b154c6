import { QueryClient, type UseQueryResult, useQueryClient } from "@tanstack/react-query";
import { type CanonicalCode, WaybillError } from "@waybill/client";
import { useCallback } from "react";

/** The parts of a query that say how its reads went. */
export type ReadState = Pick<UseQueryResult, "data" | "error" | "failureReason" | "fetchStatus">;

/**
 * The failure that leaves a query with nothing to show, if any. Earlier data stays when a refetch fails,
 * unless the service now refuses it to this viewer.
 */
export function blockingError(query: ReadState): Error | undefined {
  const error = failureOf(query);
  return error !== undefined && (query.data === undefined || isRefusal(error)) ? error : undefined;
}

/** The failure of the last read, also while the next attempt is under way. */
export const failureOf = ({
  error,
  failureReason,
  fetchStatus,
}: Pick<ReadState, "error" | "failureReason" | "fetchStatus">): Error | undefined =>
  error ?? (fetchStatus === "fetching" ? failureReason : undefined) ?? undefined;

/** Returns true if the service refused the data or does not have it. */
export const isRefusal = (error: Error): boolean =>
  error instanceof WaybillError && (error.code === "PERMISSION_DENIED" || error.code === "NOT_FOUND");

/** Returns true if the service cannot answer now but may later: it is tried again until it does. */
export const isPassing = (error: Error): error is WaybillError =>
  error instanceof WaybillError && PASSING.has(error.code);

const PASSING: ReadonlySet<CanonicalCode> = new Set([
  "UNAVAILABLE",
  "DEADLINE_EXCEEDED",
  "RESOURCE_EXHAUSTED",
]);

/** Most automatic retries of a read that fails for an unknown reason. */
const MAX_RETRIES = 2;
/** Longest pause between attempts, in milliseconds, unless the server asks for a longer one. */
const MAX_PAUSE_MS = 10_000;
/** Time for which data counts as fresh. Delivery data changes only when a day ends or late events arrive. */
const STALE_MS = 60_000;

/**
 * Makes a cache that reads stale data again. Reads that fail because the server cannot be reached are repeated
 * until it can. They wait while the page is offline or out of sight.
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

/** The failure of the last read of a query on screen, if it failed. */
export const shownFailureOf = (query: Query): Error | undefined => {
  const { error, fetchFailureReason: failureReason, fetchStatus } = query.state;
  return query.isActive() ? failureOf({ error, failureReason, fetchStatus }) : undefined;
};

/** Returns a function that reads again, without waiting, everything on screen that could not be read. */
export function useReadAgain(): () => void {
  const client = useQueryClient();
  return useCallback(() => {
    const predicate = (query: Query): boolean => shownFailureOf(query) !== undefined;
    // Ends the pauses between attempts.
    for (const query of client.getQueryCache().findAll({ predicate })) void query.cancel({ silent: true });
    void client.refetchQueries({ predicate });
  }, [client]);
}
