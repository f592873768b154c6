import { QueryClient } from "@tanstack/react-query";
import { WaybillError } from "@waybill/client";
import { isPassing } from "./blocking-error.js";

/** Most automatic retries of a read that fails for an unknown reason. */
const MAX_RETRIES = 2;
/** Longest pause between attempts, in milliseconds, unless the server asks for a longer one. */
const MAX_PAUSE_MS = 10_000;
/** Time for which data counts as fresh. Delivery data changes only when a day ends or late events arrive. */
const STALE_MS = 60_000;

/**
 * Makes a cache that reads stale data again. Reads that fail because the server cannot be reached go on until
 * it can; they wait while the page is offline or out of sight.
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
