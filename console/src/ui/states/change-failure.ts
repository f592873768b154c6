import { WaybillError } from "@waybill/client";

/** Returns true if somebody else changed the resource first: it no longer has the etag that was read (AIP-154). */
export const isConflict = (error: unknown): boolean =>
  error instanceof WaybillError && error.code === "ABORTED";

/** Explains why a change failed. @throws the error if it does not come from a service. */
export function changeProblem(error: unknown): string {
  if (!(error instanceof WaybillError)) throw error;
  if (error.reason === "LAST_OWNER") return "The project needs an owner. Make somebody else an owner first.";
  return error.outcomeUnknown
    ? `${error.message} The change may have been made nevertheless. Check before you repeat it.`
    : error.message;
}
