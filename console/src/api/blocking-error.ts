import type { UseQueryResult } from "@tanstack/react-query";
import { WaybillError } from "../../../src/client/waybill-error.js";

/**
 * The failure that leaves a query with nothing to show, if any. Earlier data stays when a refetch fails,
 * unless the service now refuses it to this viewer.
 */
export function blockingError({ data, error }: Pick<UseQueryResult, "data" | "error">): Error | undefined {
  return error !== null && (data === undefined || isRefusal(error)) ? error : undefined;
}

/** Returns true if the service refused the data or does not have it. */
export const isRefusal = (error: Error): boolean =>
  error instanceof WaybillError && (error.code === "PERMISSION_DENIED" || error.code === "NOT_FOUND");
