import { ApiError } from "../api/api-error.js";
import type { PlainRequest } from "../api/plain-route.js";
import { DEFAULT_AUDIENCE } from "../auth/tokens/authenticator.js";
import { excerpt } from "../limits/excerpt.js";
import { MAX_TOKEN_FORM_BYTES } from "../limits/request-limits.js";

/** Error codes of token requests (RFC 6749 §5.2, RFC 8693 §2.2.2). */
type OAuthErrorCode =
  | "invalid_request"
  | "invalid_client"
  | "unsupported_grant_type"
  | "invalid_scope"
  | "invalid_target";

/** An error of the token endpoint. This endpoint has its own error format. */
export class OAuthError extends Error {
  override readonly name = "OAuthError";
  readonly code: OAuthErrorCode;

  /** @param description human-readable description of the problem and the remedy. */
  constructor(code: OAuthErrorCode, description: string, options?: ErrorOptions) {
    super(printable(description), options);
    this.code = code;
  }

  get httpStatus(): number {
    return this.code === "invalid_client" ? 401 : 400;
  }
}

/** Replaces the characters that RFC 6749 §5.2 forbids in an `error_description`. */
function printable(text: string): string {
  return text.replace(/[^\x20-\x21\x23-\x5b\x5d-\x7e]/g, "?");
}

/** The grant type of a token exchange (RFC 8693 §2.1). */
export const TOKEN_EXCHANGE_GRANT = "urn:ietf:params:oauth:grant-type:token-exchange";

/** Type of access tokens that are issued, and of subject tokens that are accepted (RFC 8693 §3). */
export const ACCESS_TOKEN_TYPE = "urn:ietf:params:oauth:token-type:access_token";
export const SUBJECT_TOKEN_TYPE = "urn:ietf:params:oauth:token-type:jwt";

/** A request for an access token (RFC 8693 §2.1). */
export interface TokenRequest {
  readonly subjectToken: string;
  /** Full scope names, as the client has written them. If `undefined`, the server chooses the scopes. */
  readonly scopes: readonly string[] | undefined;
}

/** Parameters that may occur several times (RFC 8693 §2.1). */
const REPEATABLE: ReadonlySet<string> = new Set(["resource", "audience"]);

/**
 * Parses a token request's parameters. Ignores unknown parameters, as RFC 6749 §3.2 requires.
 *
 * @throws OAuthError if the parameters do not describe a token exchange that this server supports.
 */
export function parseTokenRequest(form: URLSearchParams): TokenRequest {
  const parameters = parametersOf(form);
  const one = (name: string): string | undefined => parameters.get(name)?.[0];
  const required = (name: string): string => one(name) ?? reject("invalid_request", `${name} is missing`);

  for (const name of ["client_secret", "client_assertion"]) {
    if (parameters.has(name)) throw clientRejected();
  }
  if (required("grant_type") !== TOKEN_EXCHANGE_GRANT) {
    return reject("unsupported_grant_type", `grant_type must be ${TOKEN_EXCHANGE_GRANT}`);
  }
  const subjectToken = required("subject_token");
  if (required("subject_token_type") !== SUBJECT_TOKEN_TYPE) {
    return reject("invalid_request", `subject_token_type must be ${SUBJECT_TOKEN_TYPE}`);
  }
  if ((one("requested_token_type") ?? ACCESS_TOKEN_TYPE) !== ACCESS_TOKEN_TYPE) {
    return reject("invalid_request", `requested_token_type must be ${ACCESS_TOKEN_TYPE}`);
  }
  if (parameters.has("actor_token") || parameters.has("actor_token_type")) {
    return reject("invalid_request", "delegation is not supported; send no actor_token");
  }
  if (parameters.has("resource") || parameters.get("audience")?.some((name) => name !== DEFAULT_AUDIENCE)) {
    return reject("invalid_target", `audience must be ${DEFAULT_AUDIENCE}, and resource is not supported`);
  }
  return { subjectToken, scopes: one("scope")?.split(" ") };
}

/**
 * Returns the error for a client that sends its own credentials. Only the subject token is accepted as authentication.
 */
export function clientRejected(): OAuthError {
  return new OAuthError(
    "invalid_client",
    "Client authentication is not supported: send only the subject_token.",
  );
}

/** Groups values by name. A parameter without a value counts as omitted (RFC 6749 §3.2). */
function parametersOf(form: URLSearchParams): Map<string, string[]> {
  const parameters = new Map<string, string[]>();
  const seen = new Set<string>();
  for (const [name, value] of form) {
    if (seen.has(name) && !REPEATABLE.has(name)) {
      return reject("invalid_request", `${excerpt(name)} occurs twice`);
    }
    seen.add(name);
    if (value !== "") parameters.set(name, [...(parameters.get(name) ?? []), value]);
  }
  return parameters;
}

function reject(code: OAuthErrorCode, problem: string): never {
  throw new OAuthError(code, `Invalid token request: ${problem}.`);
}

const FORM_TYPE = /^application\/x-www-form-urlencoded\s*(?:;\s*charset\s*=\s*(?:utf-8|"utf-8")\s*)?$/i;
const UTF_8 = new TextDecoder("utf-8", { fatal: true });

/**
 * Reads a token request's parameters from the body. Rejects parameters in the URL (RFC 6749 §3.2), because tokens in
 * URLs appear in logs.
 *
 * @throws OAuthError `invalid_request` if the body is not a form or is too large; ApiError 415 if it has a content
 * coding.
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
