import { ApiError } from "../../api/api-error.js";
import { challenge } from "../../auth/auth-errors.js";
import { Code } from "../../gen/google/rpc/code_pb.js";
import { excerpt } from "../../limits/excerpt.js";

/** The request is for a host that is not one of the admin listener (421). */
export const hostNotAllowed = (host: string): ApiError =>
  new ApiError({
    code: Code.INVALID_ARGUMENT,
    httpStatus: 421,
    reason: "HOST_NOT_ALLOWED",
    message: `The admin listener does not serve the host ${excerpt(host)}. Use localhost, or add the host to admin.hosts in the configuration.`,
    metadata: { host: excerpt(host) },
  });

/** The request has no admin token (401). */
export const adminTokenMissing = (): ApiError =>
  new ApiError({
    code: Code.UNAUTHENTICATED,
    reason: "ADMIN_TOKEN_MISSING",
    message:
      "The request has no admin token. Send the content of the file admin-token in the server's data directory as `Authorization: Bearer <token>`.",
    headers: challenge(),
  });

/** The request has another token than the admin token (401). */
export const adminTokenInvalid = (): ApiError =>
  new ApiError({
    code: Code.UNAUTHENTICATED,
    reason: "ADMIN_TOKEN_INVALID",
    message:
      "The token is not the server's admin token. Send the content of the file admin-token in its data directory, or of admin.tokenFile.",
    headers: challenge({ error: "invalid_token", error_description: "The token is not the admin token" }),
  });
