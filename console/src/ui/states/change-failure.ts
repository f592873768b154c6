import { WaybillError } from "@waybill/client";

/**
 * Explains a conflict: the resource no longer has the etag that was read (AIP-154). Undefined for any other error. After a lost
 * response, the viewer's own first attempt may have changed it.
 */
export function conflictOf(error: unknown): string | undefined {
  if (!(error instanceof WaybillError) || error.code !== "ABORTED") return undefined;
  return error.cause === undefined
    ? "Nothing was changed: somebody else has changed this in the meantime. The dialog now shows the current state. Check it before you continue."
    : "The first response was lost, so your change may already have been made. The dialog now shows the current state. Check it before you continue.";
}

/** Explains why a change failed. @throws the error if it does not come from a service. */
export function changeProblem(error: unknown): string {
  if (!(error instanceof WaybillError)) throw error;
  if (error.reason === "LAST_OWNER") return "The project needs an owner. Make somebody else an owner first.";
  return error.outcomeUnknown
    ? `${error.message} The change may still have been made. Check before you try again.`
    : error.message;
}
