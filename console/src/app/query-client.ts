import { QueryClient } from "@tanstack/react-query";
import { WaybillError } from "../../../src/client/waybill-error.js";

/** How often a read is tried again by itself. */
const RETRIES = 2;
/** Delivery data changes when a day ends or late events come; a minute later is soon enough. */
const STALE_MS = 60_000;

/** Keeps what was read, and reads again what may have changed. */
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

/** Whether a failure may be over soon. */
const isPassing = (error: Error): boolean =>
  !(error instanceof WaybillError) || error.code === "UNAVAILABLE" || error.code === "RESOURCE_EXHAUSTED";
