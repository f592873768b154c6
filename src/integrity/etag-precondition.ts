import { ApiError } from "../api/api-error.js";
import { failedPrecondition, isTagOf, NO_PRECONDITIONS, type Preconditions } from "../api/preconditions.js";
import type { StoredAppAttestConfig } from "../control/app-attest-configs.js";
import { Code } from "../gen/google/rpc/code_pb.js";
import { configJson, etagOf } from "./config-message.js";

/** The state that a change requires of a configuration; a missing part matches any state. */
export interface EtagPrecondition {
  /** The `etag` field of the request; empty if it was not sent. */
  readonly etag: string;
  readonly preconditions: Preconditions;
}

/**
 * Checks that a configuration is in the state that the caller knows, by the resource's own etag (AIP-154) or
 * by the `ETag` of a GET, which exists even before the first change.
 *
 * @throws ApiError `ABORTED`; over HTTP, 409 for the field and 412 for a header (RFC 9110 §13.1).
 */
export function checkEtag(
  name: string,
  current: StoredAppAttestConfig,
  { etag, preconditions }: EtagPrecondition,
): void {
  if (etag === "" && preconditions === NO_PRECONDITIONS) return;
  const etags = [etagOf(name, current) ?? [], configJson(name, current).etag].flat();
  const asSent = { weak: false, opaque: etag };
  if (etag !== "" && !etags.some((tag) => isTagOf(asSent, tag))) throw etagMismatch(name, "etag", 409);
  const failed = failedPrecondition(preconditions, etags);
  if (failed !== undefined) throw etagMismatch(name, failed, 412);
}

const etagMismatch = (name: string, sentAs: string, httpStatus: number): ApiError =>
  new ApiError({
    code: Code.ABORTED,
    reason: "ETAG_MISMATCH",
    message: `${name} is not in the state that ${sentAs} asks for. Get it again, and decide anew what to change.`,
    metadata: { resourceName: name, sentAs },
    httpStatus,
  });
