import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { useCallback } from "react";
import { failureOf } from "./blocking-error.js";

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
