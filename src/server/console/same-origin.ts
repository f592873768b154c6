import type { IncomingHttpHeaders } from "node:http";
import { ApiError } from "../../api/api-error.js";
import { Code } from "../../gen/google/rpc/code_pb.js";

/**
 * Lets no other page make a request in a browser. Programs send neither header.
 *
 * @throws ApiError 403 if a page of another origin has made the request.
 */
export function expectSameOrigin(headers: IncomingHttpHeaders): void {
  const { origin, "sec-fetch-site": site } = headers;
  // What the browser says of it holds behind any proxy. Older ones, and those that do not trust the address, say nothing.
  if (site === undefined ? origin === undefined || isOwn(origin, headers) : site === "same-origin") return;
  throw new ApiError({
    code: Code.PERMISSION_DENIED,
    reason: "CROSS_ORIGIN_REQUEST",
    message: "Only the console itself may make this request, not a page of another origin.",
  });
}

/** The scheme is left out, which a proxy that ends TLS changes. */
function isOwn(origin: string, { host, ":authority": authority = host }: IncomingHttpHeaders): boolean {
  return URL.canParse(origin) && new URL(origin).host === authority;
}
