import type { UseQueryResult } from "@tanstack/react-query";
import { WaybillError } from "../../../src/client/waybill-error.js";

/**
 * The failure that leaves nothing to show of a query, if there is one. What was there before stays when it cannot be read
 * again, unless the service has said that it is not for this viewer any more.
 */
export function blockingError({ data, error }: Pick<UseQueryResult, "data" | "error">): Error | undefined {
  return error !== null && (data === undefined || isRefusal(error)) ? error : undefined;
}

/** Whether the service has said that there is nothing to see. */
export const isRefusal = (error: Error): boolean =>
  error instanceof WaybillError && (error.code === "PERMISSION_DENIED" || error.code === "NOT_FOUND");
