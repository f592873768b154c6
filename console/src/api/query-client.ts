import { onlineManager, QueryClient } from "@tanstack/react-query";
import { WaybillError } from "../../../src/client/waybill-error.js";

/** Most automatic retries of a failed read. */
const MAX_RETRIES = 2;
/** Time for which data counts as fresh. Delivery data changes only when a day ends or late events arrive. */
const STALE_MS = 60_000;

/** Makes a cache that reads stale data again. While the page is offline, its retries wait. */
export const makeQueryClient = (): QueryClient =>
  new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: STALE_MS,
        retry: (failures, error) => failures < MAX_RETRIES && mayPass(error),
        retryDelay: (failures) => 500 * 2 ** failures,
      },
    },
  });

/**
 * Returns true if another attempt may help. The client has already retried calls that fail with its errors;
 * only the connection of the page may come back later.
 */
const mayPass = (error: Error): boolean =>
  !(error instanceof WaybillError) || (error.code === "UNAVAILABLE" && !onlineManager.isOnline());
