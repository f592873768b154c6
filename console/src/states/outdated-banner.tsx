import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useCallback, useSyncExternalStore } from "react";

type Query = ReturnType<ReturnType<QueryClient["getQueryCache"]>["getAll"]>[number];

/** Whether something is shown that could not be read again. */
const isOutdated = (query: Query): boolean =>
  query.isActive() && query.state.status === "error" && query.state.data !== undefined;

/** Says that what is shown may be out of date, as long as it cannot be read again. It lies over the page. */
export function OutdatedBanner(): ReactNode {
  const client = useQueryClient();
  const cache = client.getQueryCache();
  const subscribe = useCallback((listener: () => void) => cache.subscribe(listener), [cache]);
  const outdated = useSyncExternalStore(subscribe, () => cache.getAll().some(isOutdated));
  return (
    <div role="status" className="banner" data-shown={outdated || undefined}>
      {outdated && (
        <>
          What is on the page may be out of date: it could not be read again.{" "}
          <button type="button" onClick={() => void client.refetchQueries({ predicate: isOutdated })}>
            Try again
          </button>
        </>
      )}
    </div>
  );
}
