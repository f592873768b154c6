import type { IncomingMessage } from "node:http";
import { unsupportedMediaType } from "../api/http-errors.js";
import { NO_UNPACKING, readBody } from "./bodies/request-body.js";

const FORM = "application/x-www-form-urlencoded";

/**
 * Whether a request is a GET whose query is in its body. Public clients send such (`X-HTTP-Method-Override`) when a URL
 * would be longer than 2,048 characters.
 */
export function isOverriddenGet({ method, headers }: IncomingMessage): boolean {
  return method === "POST" && headers["x-http-method-override"] === "GET";
}

/**
 * Reads the query of a GET that came as a form, and leaves the request as one without a body.
 *
 * @param query That of its URL.
 * @throws ApiError if the body is no form, is packed, or too large.
 */
export async function readQueryForm(request: IncomingMessage, query: string, limit: number): Promise<string> {
  const contentType = request.headers["content-type"];
  if (contentType?.split(";", 1)[0]?.trim().toLowerCase() !== FORM)
    throw unsupportedMediaType(contentType, FORM);
  const form = await readBody(request, NO_UNPACKING, limit);
  for (const header of ["content-length", "transfer-encoding", "content-encoding"]) {
    delete request.headers[header];
  }
  return `${query}&${form.toString()}`;
}
