import { createLocalJWKSet, errors, type JWTPayload, jwtVerify } from "jose";
import type { ScopeNames } from "../auth/scopes.js";
import { LOCAL_ISSUER, type LocalIssuer } from "../auth/tokens/local-issuer.js";
import type { Scope } from "../gen/waybill/auth/v1/authorization_pb.js";
import { OAuthError } from "./token-request.js";

/**
 * Value of `aud` in subject tokens. No service accepts this audience, so that subject tokens cannot be used as access
 * tokens.
 */
export const SUBJECT_TOKEN_AUDIENCE = "urn:waybill:token-exchange";

const MAX_TOKEN_LENGTH = 16_384;

/** A credential that can be exchanged for access tokens any number of times until it expires. */
export interface SubjectToken {
  readonly principal: string;
  /** Scopes that access tokens for this subject token may have. */
  readonly scopes: ReadonlySet<Scope>;
  /** Expiration time, in seconds since the Unix epoch. */
  readonly expiresAt: number;
  /** The `jti` of the token, which identifies it in logs. */
  readonly id: string;
}

/** Signs a subject token. @param scopes full scope names. */
export function signSubjectToken(
  issuer: LocalIssuer,
  claims: { readonly principal: string; readonly scopes: readonly string[]; readonly ttlSeconds: number },
): Promise<string> {
  return issuer.sign({ ...claims, audience: SUBJECT_TOKEN_AUDIENCE });
}

/**
 * Returns a function that verifies subject tokens. For any other token, it throws an `OAuthError` `invalid_request`, as
 * RFC 8693 §2.2.2 requires.
 */
export function subjectTokenVerifier(
  issuer: LocalIssuer,
  names: ScopeNames,
): (token: string) => Promise<SubjectToken> {
  const findKey = createLocalJWKSet(issuer.jwks());
  return async (token) => {
    if (token.length > MAX_TOKEN_LENGTH) throw invalid("it is too long");
    const { payload } = await jwtVerify(token, findKey, {
      algorithms: ["EdDSA"],
      issuer: LOCAL_ISSUER,
      audience: SUBJECT_TOKEN_AUDIENCE,
      requiredClaims: ["sub", "exp"],
    }).catch((error: unknown) => {
      throw invalid(problemOf(error), error);
    });
    const { aud, sub, exp, jti, scope } = payload;
    // The local issuer never signs tokens for several audiences.
    if (aud !== SUBJECT_TOKEN_AUDIENCE) throw invalid(PROBLEM_OF_CLAIM.aud);
    if (typeof sub !== "string" || sub === "" || exp === undefined)
      throw invalid("it does not contain a principal");
    return { principal: sub, scopes: names.scopesIn(listOf(scope)), expiresAt: exp, id: String(jti) };
  };
}

const listOf = (scope: JWTPayload[string]): string[] => (typeof scope === "string" ? scope.split(" ") : []);

const invalid = (problem: string, cause?: unknown): OAuthError =>
  new OAuthError(
    "invalid_request",
    `The subject_token is not valid: ${problem}. Create a new one with 'waybill credentials create'.`,
    { cause },
  );

const PROBLEM_OF_CLAIM: Readonly<Record<"aud" | "iss", string>> = {
  aud: "it was not made for the token exchange",
  iss: "it was not made by the local issuer of this server",
};

function problemOf(error: unknown): string {
  if (error instanceof errors.JWTExpired) return "it has expired";
  if (error instanceof errors.JWTClaimValidationFailed) {
    return error.claim === "aud" || error.claim === "iss"
      ? PROBLEM_OF_CLAIM[error.claim]
      : "one of its claims is missing or wrong";
  }
  if (error instanceof errors.JWKSNoMatchingKey || error instanceof errors.JWSSignatureVerificationFailed) {
    return "it was not signed with the key of this server's data directory";
  }
  return "it is not a JWT that is signed with EdDSA";
}
