import { ApiError } from "../api/api-error.js";
import { Code } from "../gen/google/rpc/code_pb.js";
import { Role } from "../gen/waybill/auth/v1/authorization_pb.js";
import { excerpt } from "../limits/excerpt.js";
import { MAX_PRINCIPAL } from "../limits/request-limits.js";

/** Problems of an access token other than expiry, with descriptions for the caller. */
const TOKEN_PROBLEMS = {
  MALFORMED: "it is not a well-formed signed JWT",
  ALGORITHM_NOT_ALLOWED: "its signature algorithm is not one of RS256, PS256, ES256 and EdDSA",
  ISSUER_NOT_TRUSTED: "this service does not trust its issuer",
  KEY_UNKNOWN: "it was signed with a key that its issuer does not have",
  SIGNATURE_INVALID: "its signature is not valid",
  AUDIENCE_MISMATCH: "it was issued for another audience",
  NOT_YET_VALID: "it is not valid yet",
  EXPIRATION_MISSING: "it has no valid expiration time",
  PRINCIPAL_MISSING: `neither its email nor its sub names a principal with at most ${MAX_PRINCIPAL} characters`,
  INACTIVE: "its issuer reports it as inactive",
  TYPE_NOT_ACCEPTED: "it is not a bearer access token",
  KEY_BOUND: "it is bound to a key, and this service accepts bearer tokens only",
} as const;

/** Why a token was rejected. The error metadata contains this value. */
export type TokenProblem = keyof typeof TOKEN_PROBLEMS;

/**
 * Builds the value of `WWW-Authenticate` (RFC 6750 §3). Attribute values must contain neither `"` nor `\`.
 */
export function challenge(attributes: Readonly<Record<string, string>> = {}): Record<string, string> {
  const all = Object.entries({ realm: "waybill", ...attributes });
  return { "www-authenticate": `Bearer ${all.map(([name, value]) => `${name}="${value}"`).join(", ")}` };
}

/** The request has no bearer token. As RFC 6750 §3.1 recommends, the challenge does not name an error. */
export function credentialsMissing(): ApiError {
  return new ApiError({
    code: Code.UNAUTHENTICATED,
    reason: "CREDENTIALS_MISSING",
    message: "The request has no access token. Send one as `Authorization: Bearer <token>`.",
    headers: challenge(),
  });
}

/** The access token is invalid for a reason other than expiry. */
export function tokenInvalid(problem: TokenProblem, cause?: unknown): ApiError {
  const description = TOKEN_PROBLEMS[problem];
  return new ApiError({
    code: Code.UNAUTHENTICATED,
    reason: "ACCESS_TOKEN_INVALID",
    message: `The access token is not valid: ${description}. Send a token that a trusted issuer made for this service.`,
    metadata: { problem },
    headers: challenge({
      error: "invalid_token",
      error_description: `The access token is not valid: ${description}`,
    }),
    cause,
  });
}

export function tokenExpired(cause?: unknown): ApiError {
  return new ApiError({
    code: Code.UNAUTHENTICATED,
    reason: "ACCESS_TOKEN_EXPIRED",
    message: "The access token has expired. Get a new one from its issuer and send the request again.",
    headers: challenge({ error: "invalid_token", error_description: "The access token has expired" }),
    cause,
  });
}

/** The token issuer's keys cannot be loaded. */
export function issuerKeysUnavailable(issuer: string, cause?: unknown): ApiError {
  return new ApiError({
    code: Code.UNAVAILABLE,
    reason: "ISSUER_KEYS_UNAVAILABLE",
    message: `The token keys of ${issuer} cannot be loaded at the moment. Send the request again later.`,
    metadata: { issuer },
    headers: { "retry-after": "5" },
    cause,
  });
}

/** The token must be introspected, but an issuer that may know it is unreachable. */
export function introspectionUnavailable(issuer: string, cause?: unknown): ApiError {
  return new ApiError({
    code: Code.UNAVAILABLE,
    reason: "INTROSPECTION_UNAVAILABLE",
    message: `The token issuer ${issuer} cannot be reached to check the access token. Send the request again later.`,
    metadata: { issuer },
    headers: { "retry-after": "5" },
    cause,
  });
}

/** The token has none of the scopes that would allow the call. @param names full names of these scopes. */
export function scopeInsufficient(names: readonly string[]): ApiError {
  const scope = names.join(" ");
  return new ApiError({
    code: Code.PERMISSION_DENIED,
    reason: "ACCESS_TOKEN_SCOPE_INSUFFICIENT",
    message: `The access token has no scope for this operation. Get a token with one of: ${names.join(", ")}.`,
    metadata: { scope },
    headers: challenge({ error: "insufficient_scope", scope }),
  });
}

/**
 * The principal's role on the project is too low, or the project does not exist. The error does not reveal which of the
 * two.
 */
export function permissionMissing(project: string, role: Role): ApiError {
  const roleName = Role[role].toLowerCase();
  const name = excerpt(project);
  return new ApiError({
    code: Code.PERMISSION_DENIED,
    reason: "PERMISSION_MISSING",
    message:
      `The caller needs the role ${roleName} on the project ${name}, or the project does not exist. ` +
      "Check its name, or ask its owner for the role.",
    metadata: { project: name, role: roleName },
  });
}

/** The principal's role on all projects is too low. */
export function permissionMissingEverywhere(role: Role): ApiError {
  const roleName = Role[role].toLowerCase();
  return new ApiError({
    code: Code.PERMISSION_DENIED,
    reason: "PERMISSION_MISSING",
    message:
      `The caller needs the role ${roleName} on all projects. Ask the server's operator: a rule in ` +
      `the configuration file grants it, with projects: ["*"].`,
    metadata: { project: "*", role: roleName },
  });
}

/** The caller has used up its quota. `retrySeconds` is the whole number of seconds until its next request. */
export function rateLimitExceeded(requestsPerMinute: number, retrySeconds: number): ApiError {
  return new ApiError({
    code: Code.RESOURCE_EXHAUSTED,
    reason: "RATE_LIMIT_EXCEEDED",
    message: `More than ${requestsPerMinute} requests per minute. Send the request again in ${retrySeconds} s.`,
    metadata: { requestsPerMinute: String(requestsPerMinute), retrySeconds: String(retrySeconds) },
    headers: { "retry-after": String(retrySeconds) },
  });
}
