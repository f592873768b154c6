import { DEFAULT_AUDIENCE } from "../auth/tokens/authenticator.js";
import { excerpt } from "../limits/excerpt.js";
import { OAuthError, type OAuthErrorCode } from "./oauth-error.js";

/** The grant type of a token exchange (RFC 8693 §2.1). */
export const TOKEN_EXCHANGE_GRANT = "urn:ietf:params:oauth:grant-type:token-exchange";

/** Type of issued access tokens, and required type of subject tokens (RFC 8693 §3). */
export const ACCESS_TOKEN_TYPE = "urn:ietf:params:oauth:token-type:access_token";
export const SUBJECT_TOKEN_TYPE = "urn:ietf:params:oauth:token-type:jwt";

/** A request for an access token (RFC 8693 §2.1). */
export interface TokenRequest {
  readonly subjectToken: string;
  /** Full names of scopes, as the client wrote them; `undefined` leaves the choice to the server. */
  readonly scopes: readonly string[] | undefined;
}

/** Parameters that may occur several times (RFC 8693 §2.1). */
const REPEATABLE: ReadonlySet<string> = new Set(["resource", "audience"]);

/**
 * Parses the parameters of a token request. Unknown parameters are ignored, as RFC 6749 §3.2 requires.
 *
 * @throws OAuthError if the parameters do not form a token exchange that this server supports.
 */
export function parseTokenRequest(form: URLSearchParams): TokenRequest {
  const given = parametersOf(form);
  const one = (name: string): string | undefined => given.get(name)?.[0];
  const required = (name: string): string => one(name) ?? refuse("invalid_request", `${name} is missing`);

  for (const name of ["client_secret", "client_assertion"]) {
    if (given.has(name)) throw clientRefused();
  }
  if (required("grant_type") !== TOKEN_EXCHANGE_GRANT) {
    return refuse("unsupported_grant_type", `the only grant_type is ${TOKEN_EXCHANGE_GRANT}`);
  }
  const subjectToken = required("subject_token");
  if (required("subject_token_type") !== SUBJECT_TOKEN_TYPE) {
    return refuse("invalid_request", `the only subject_token_type is ${SUBJECT_TOKEN_TYPE}`);
  }
  if ((one("requested_token_type") ?? ACCESS_TOKEN_TYPE) !== ACCESS_TOKEN_TYPE) {
    return refuse("invalid_request", `the only requested_token_type is ${ACCESS_TOKEN_TYPE}`);
  }
  if (given.has("actor_token") || given.has("actor_token_type")) {
    return refuse("invalid_request", "delegation is not supported; send no actor_token");
  }
  if (given.has("resource") || given.get("audience")?.some((name) => name !== DEFAULT_AUDIENCE)) {
    return refuse("invalid_target", `the only audience is ${DEFAULT_AUDIENCE}; send no resource`);
  }
  return { subjectToken, scopes: one("scope")?.split(" ") };
}

/** The error for a client that sends credentials; only the subject token authenticates. */
export function clientRefused(): OAuthError {
  return new OAuthError(
    "invalid_client",
    "Clients need no credentials of their own: send only the subject_token.",
  );
}

/** Groups values by name. A parameter without a value counts as omitted (RFC 6749 §3.2). */
function parametersOf(form: URLSearchParams): Map<string, string[]> {
  const given = new Map<string, string[]>();
  const seen = new Set<string>();
  for (const [name, value] of form) {
    if (seen.has(name) && !REPEATABLE.has(name)) {
      return refuse("invalid_request", `${excerpt(name)} is given twice`);
    }
    seen.add(name);
    if (value !== "") given.set(name, [...(given.get(name) ?? []), value]);
  }
  return given;
}

function refuse(code: OAuthErrorCode, problem: string): never {
  throw new OAuthError(code, `Invalid token request: ${problem}.`);
}
