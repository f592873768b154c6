import { QueryClient } from "@tanstack/react-query";
import { WaybillError } from "../../../src/client/waybill-error.js";

/** Most automatic retries of a failed read. */
const RETRIES = 2;
/** Time for which data counts as fresh. Delivery data changes only when a day ends or late events arrive. */
const STALE_MS = 60_000;

/** Makes a cache that reads stale data again and retries transient failures. */
export const makeQueryClient = (): QueryClient =>
  new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: STALE_MS,
        retry: (failures, error) => failures < RETRIES && isPassing(error),
        retryDelay: (failures, error) =>
          (error instanceof WaybillError && error.retryAfterMs) || 500 * 2 ** failures,
      },
    },
  });

/** Returns true if a failure may be transient. */
const isPassing = (error: Error): boolean =>
  !(error instanceof WaybillError) || error.code === "UNAVAILABLE" || error.code === "RESOURCE_EXHAUSTED";
