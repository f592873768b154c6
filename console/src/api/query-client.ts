import { QueryClient } from "@tanstack/react-query";
import { WaybillError } from "../../../src/client/waybill-error.js";

/** Most automatic retries of a request that the client does not make, such as that for the configuration. */
const RETRIES = 2;
/** Time for which data counts as fresh. Delivery data changes only when a day ends or late events arrive. */
const STALE_MS = 60_000;

/** Makes a cache that reads stale data again. The client has already retried calls that fail with its errors. */
export const makeQueryClient = (): QueryClient =>
  new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: STALE_MS,
        retry: (failures, error) => failures < RETRIES && !(error instanceof WaybillError),
        retryDelay: (failures) => 500 * 2 ** failures,
      },
    },
  });
