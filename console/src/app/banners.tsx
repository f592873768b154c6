import { useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useCallback, useSyncExternalStore } from "react";
import { isPassing } from "../api/blocking-error.js";
import { shownFailureOf, useReadAgain } from "../api/use-read-again.js";
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

/**
 * Shown while figures on screen could not be read anew, unless a part of the page says it. Lies over the page,
 * which keeps the figures.
 */
export function OutdatedBanner(): ReactNode {
  const cache = useQueryClient().getQueryCache();
  const readAgain = useReadAgain();
  const subscribe = useCallback((listener: () => void) => cache.subscribe(listener), [cache]);
  const outdated = useSyncExternalStore(subscribe, () =>
    cache.getAll().some((query) => {
      const failure = shownFailureOf(query);
      return failure !== undefined && (query.state.data !== undefined || isPassing(failure));
    }),
  );
  return (
    <div role="status" className={styles.outdated} data-shown={outdated || undefined}>
      {outdated && (
        <>
          Figures on the page may be out of date: the service did not answer. The console keeps trying.{" "}
          <button type="button" onClick={readAgain}>
            Try again
          </button>
        </>
      )}
    </div>
  );
}
