import { useQueryClient } from "@tanstack/react-query";
import { WaybillError } from "@waybill/client";
import { type ReactNode, useCallback, useSyncExternalStore } from "react";
import { isPassing, shownFailureOf, useReadAgain } from "#console/api/read-state.js";
import { useServerTime, useServices } from "#console/api/services.js";
import { formatInstant } from "#console/model/days/format-day.js";
import styles from "./banners.module.css";

function subscribeToConnection(listener: () => void): () => void {
  window.addEventListener("online", listener);
  window.addEventListener("offline", listener);
  return () => {
    window.removeEventListener("online", listener);
    window.removeEventListener("offline", listener);
  };
}

const MINUTE_MS = 60_000;
const minuteOf = (now: number): number => now - (now % MINUTE_MS);

/** Shows the server's time if its clock is adjustable. */
export function ClockBanner(): ReactNode {
  const { clock } = useServices().config;
  const minute = useServerTime(minuteOf);
  if (clock === undefined) return null;
  return (
    <div className={styles.clock}>
      The server's clock is set to {formatInstant(minute)}, your time
      {clock.rate !== 1 && `, and runs at ${clock.rate} times normal speed`}.
    </div>
  );
}

/** Shown while the browser is offline. An overlay, so that the content does not move. */
export function OfflineBanner(): ReactNode {
  const online = useSyncExternalStore(subscribeToConnection, () => navigator.onLine);
  return (
    <div role="status" className={styles.banner} data-shown={!online || undefined}>
      {!online &&
        "You are offline. The figures on this page stay, and new ones load when you are back online."}
    </div>
  );
}

/** Explains in a few words why a read failed. */
const causeOf = (failure: Error): string =>
  failure instanceof WaybillError && failure.httpStatus !== undefined
    ? `the service responded with HTTP ${failure.httpStatus}`
    : "the service did not respond";

/**
 * Shown while figures on screen could not be refreshed, unless a part of the page shows the error. An overlay, so
 * that the figures do not move.
 */
export function OutdatedBanner(): ReactNode {
  const cache = useQueryClient().getQueryCache();
  const readAgain = useReadAgain();
  const subscribe = useCallback((listener: () => void) => cache.subscribe(listener), [cache]);
  const outdated = useSyncExternalStore(subscribe, () => {
    const failures = cache.getAll().flatMap((query) => {
      const failure = shownFailureOf(query);
      return failure !== undefined && (query.state.data !== undefined || isPassing(failure)) ? [failure] : [];
    });
    const [failure] = failures;
    return failure && causeOf(failure);
  });
  return (
    <div role="status" className={styles.outdated} data-shown={outdated !== undefined || undefined}>
      {outdated !== undefined && (
        <>
          Figures on this page may be out of date: {outdated}. The console keeps retrying.{" "}
          <button type="button" onClick={readAgain}>
            Try again
          </button>
        </>
      )}
    </div>
  );
}
