import type { JWTPayload } from "jose";
import { type Principal, principalId } from "../api/caller.js";
import type { Scope } from "../gen/waybill/auth/v1/authorization_pb.js";
import { MAX_PRINCIPAL } from "../limits/request-limits.js";
import type { ScopeNames } from "./scopes.js";

/**
 * Principal of a verified access token. The name is the token's `email`, or else its `sub`. The issuer has its
 * configured name, even if the token contains another name of the same issuer.
 */
export interface TokenPrincipal extends Principal {
  /** Scopes in the token that the server knows. */
  readonly scopes: ReadonlySet<Scope>;
}

/**
 * Reads the principal from verified token claims. Returns `undefined` if the claims contain no name, or a name that is
 * too long.
 */
export function principalOf(
  claims: JWTPayload,
  issuer: string,
  names: ScopeNames,
): TokenPrincipal | undefined {
  const subject = nonEmpty(claims.sub);
  const name = verifiedEmail(claims) ?? subject;
  if (name === undefined || name.length > MAX_PRINCIPAL) return undefined;
  const scopes = names.scopesIn([...scopeList(claims.scope), ...scopeList(claims.scp)]);
  const hasOtherSubject = subject !== undefined && subject !== name && subject.length <= MAX_PRINCIPAL;
  return {
    name,
    issuer,
    id: principalId(issuer, name),
    ...(hasOtherSubject && { subjectId: principalId(issuer, subject) }),
    scopes,
  };
}

/**
 * Returns the email address, unless `email_verified` is present and not true (OpenID Connect Core §5.1). Anybody could
 * register with an unverified address.
 */
function verifiedEmail({ email, email_verified: verified }: JWTPayload): string | undefined {
  return verified === undefined || verified === true || verified === "true" ? nonEmpty(email) : undefined;
}

function nonEmpty(claim: unknown): string | undefined {
  return typeof claim === "string" && claim !== "" ? claim : undefined;
}

/**
 * Reads a token's scopes. The claim `scope` is a string (RFC 8693 §4.2). Some issuers use the claim `scp`, an array or
 * a string.
 */
function scopeList(claim: unknown): readonly string[] {
  if (typeof claim === "string") return claim.split(" ").filter((name) => name !== "");
  return Array.isArray(claim) ? claim.filter((name) => typeof name === "string") : [];
}
