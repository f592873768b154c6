import { ApiError } from "../api/api-error.js";
import type { PlainRequest } from "../api/plain-route.js";
import { MAX_TOKEN_FORM_BYTES } from "../limits/limits.js";
import { OAuthError } from "./oauth-error.js";

const FORM_TYPE = /^application\/x-www-form-urlencoded\s*(?:;\s*charset\s*=\s*(?:utf-8|"utf-8")\s*)?$/i;
const UTF_8 = new TextDecoder("utf-8", { fatal: true });

/**
 * Reads the parameters of a token request from the body. Parameters in the URL are rejected (RFC 6749 §3.2),
 * since a token there would end up in logs.
 *
 * @throws OAuthError `invalid_request` if the body is not a form or is too large; ApiError 415 if it has a
 *   content coding.
 */
export async function readForm({ headers, query, body }: PlainRequest): Promise<URLSearchParams> {
  if (query !== "") throw malformed("send the parameters in the body, not in the URL");
  if (!FORM_TYPE.test(headers["content-type"]?.trim() ?? "")) {
    throw malformed("the Content-Type must be application/x-www-form-urlencoded");
  }
  const bytes = await body(MAX_TOKEN_FORM_BYTES).catch((error: unknown) => {
    if (error instanceof ApiError && error.httpStatus === 413) throw malformed(error.message, error);
    throw error;
  });
  try {
    return new URLSearchParams(UTF_8.decode(bytes));
  } catch (cause) {
    throw malformed("the body is not UTF-8", cause);
  }
}

const malformed = (problem: string, cause?: unknown): OAuthError =>
  new OAuthError("invalid_request", `Invalid token request: ${problem}`, { cause });
