import type { IncomingMessage } from "node:http";
import { unsupportedMediaType } from "../api/errors.js";
import { NO_UNPACKING, readBody } from "./bodies/request-body.js";

const FORM = "application/x-www-form-urlencoded";

/**
 * Returns true if a request is a GET with its query in the body (`X-HTTP-Method-Override`). Public clients send such
 * requests when a URL would be longer than 2,048 characters.
 */
export function isOverriddenGet({ method, headers }: IncomingMessage): boolean {
  return method === "POST" && headers["x-http-method-override"] === "GET";
}

/**
 * Reads a GET query that was sent as a form in the body. Removes the body headers from the request.
 *
 * @throws ApiError if the body is not a form, is compressed, or is too large.
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
