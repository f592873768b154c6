import { ApiError } from "../api/api-error.js";
import { Code } from "../gen/google/rpc/code_pb.js";
import { excerpt } from "../limits/excerpt.js";

/** No route has the path (404). */
export const routeNotFound = (path: string): ApiError =>
  new ApiError({
    code: Code.NOT_FOUND,
    reason: "ROUTE_NOT_FOUND",
    message: `There is nothing at ${excerpt(path)}. Check the path against the reference of the API.`,
    metadata: { path: excerpt(path) },
  });

/** The path exists, but not with this HTTP method (405). */
export const methodNotAllowed = (method: string, path: string, allowed: readonly string[]): ApiError =>
  new ApiError({
    code: Code.UNIMPLEMENTED,
    reason: "METHOD_NOT_ALLOWED",
    message: `${excerpt(method)} is not possible at ${excerpt(path)}; use ${allowed.join(" or ")}.`,
    metadata: { method: excerpt(method), path: excerpt(path), allowed: allowed.join(", ") },
    httpStatus: 405,
    headers: { allow: allowed.join(", ") },
  });
