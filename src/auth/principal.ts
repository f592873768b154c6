import type { JWTPayload } from "jose";
import type { Scope } from "../gen/waybill/auth/v1/authorization_pb.js";
import { MAX_PRINCIPAL } from "../limits/limits.js";
import type { ScopeNames } from "./scopes.js";

/** The caller, from a verified access token. */
export interface Principal {
  /** The token's `email`, or else its `sub`; the name in access rules. */
  readonly name: string;
  /** Configured name of the issuer, even if the token has another of the issuer's names. */
  readonly issuer: string;
  /** Unique across issuers. Quotas and budgets are kept by it. */
  readonly id: string;
  /** The token's scopes that this service knows. */
  readonly scopes: ReadonlySet<Scope>;
  /** All scopes of the token, by full name. */
  readonly tokenScopes: readonly string[];
}

/**
 * Reads the principal from the claims of a verified token; `undefined` if its name is missing or too long.
 */
export function principalOf(claims: JWTPayload, issuer: string, names: ScopeNames): Principal | undefined {
  const name = verifiedEmail(claims) ?? nonEmpty(claims.sub);
  if (name === undefined || name.length > MAX_PRINCIPAL) return undefined;
  const tokenScopes = [...scopeList(claims.scope), ...scopeList(claims.scp)];
  const id = principalId(issuer, name);
  return { name, issuer, id, scopes: names.scopesIn(tokenScopes), tokenScopes };
}

/** Returns the {@link Principal.id} of an issuer's principal. */
export const principalId = (issuer: string, name: string): string => JSON.stringify([issuer, name]);

/**
 * Returns the email unless `email_verified` is present and not true (OpenID Connect Core §5.1): an unverified
 * address may be anybody's.
 */
function verifiedEmail({ email, email_verified: verified }: JWTPayload): string | undefined {
  return verified === undefined || verified === true || verified === "true" ? nonEmpty(email) : undefined;
}

function nonEmpty(claim: unknown): string | undefined {
  return typeof claim === "string" && claim !== "" ? claim : undefined;
}

/**
 * Reads scopes: `scope` is a string (RFC 8693 §4.2); `scp` is an array or a string, depending on the issuer.
 */
function scopeList(claim: unknown): readonly string[] {
  if (typeof claim === "string") return claim.split(" ").filter((name) => name !== "");
  return Array.isArray(claim) ? claim.filter((name) => typeof name === "string") : [];
}
