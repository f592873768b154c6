import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useCallback, useSyncExternalStore } from "react";
import styles from "./banners.module.css";

function subscribeToConnection(listener: () => void): () => void {
  window.addEventListener("online", listener);
  window.addEventListener("offline", listener);
  return () => {
    window.removeEventListener("online", listener);
    window.removeEventListener("offline", listener);
  };
}

/** Shown while the browser is offline. Lies over the page, which keeps the content in place. */
export function OfflineBanner(): ReactNode {
  const online = useSyncExternalStore(subscribeToConnection, () => navigator.onLine);
  return (
    <div role="status" className={styles.banner} data-shown={!online || undefined}>
      {!online && "You are offline. The figures on the page stay; others load once you are connected again."}
    </div>
  );
}

type Query = ReturnType<ReturnType<QueryClient["getQueryCache"]>["getAll"]>[number];

/** Returns true if a query is on screen whose last refetch failed. */
const isOutdated = (query: Query): boolean =>
  query.isActive() && query.state.status === "error" && query.state.data !== undefined;

/** Shown while data on screen could not be refreshed. Lies over the page. */
export function OutdatedBanner(): ReactNode {
  const client = useQueryClient();
  const cache = client.getQueryCache();
  const subscribe = useCallback((listener: () => void) => cache.subscribe(listener), [cache]);
  const outdated = useSyncExternalStore(subscribe, () => cache.getAll().some(isOutdated));
  return (
    <div role="status" className={styles.banner} data-shown={outdated || undefined}>
      {outdated && (
        <>
          The page may be out of date: it could not be refreshed.{" "}
          <button type="button" onClick={() => void client.refetchQueries({ predicate: isOutdated })}>
            Try again
          </button>
        </>
      )}
    </div>
  );
}
