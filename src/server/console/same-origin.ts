import type { IncomingHttpHeaders } from "node:http";
import { ApiError } from "../../api/api-error.js";
import { Code } from "../../gen/google/rpc/code_pb.js";

/**
 * Rejects browser requests from pages of another origin. Programs other than browsers send neither header.
 *
 * @throws ApiError 403 if a page of another origin made the request.
 */
export function expectSameOrigin(headers: IncomingHttpHeaders): void {
  const { origin, "sec-fetch-site": site } = headers;
  // `Sec-Fetch-Site` stays correct behind any proxy. Older browsers omit it, and all browsers omit it if this
  // server's address is not trustworthy (plain HTTP).
  if (site === undefined ? origin === undefined || isOwn(origin, headers) : site === "same-origin") return;
  throw new ApiError({
    code: Code.PERMISSION_DENIED,
    reason: "CROSS_ORIGIN_REQUEST",
    message: "Only the console itself may make this request, not a page of another origin.",
  });
}

/** Ignores the scheme, which a TLS-terminating proxy changes. */
function isOwn(origin: string, { host, ":authority": authority = host }: IncomingHttpHeaders): boolean {
  return URL.canParse(origin) && new URL(origin).host === authority;
}
