import type { JWTPayload } from "jose";
import type { Scope } from "../gen/waybill/auth/v1/authorization_pb.js";
import type { ScopeNames } from "./scopes.js";

/** Who calls, as a verified access token says. */
export interface Principal {
  /** The token's `email`, else its `sub`; the name that access rules use. */
  readonly name: string;
  readonly issuer: string;
  /** The scopes of the token that mean something here. */
  readonly scopes: ReadonlySet<Scope>;
  /** Every scope of the token, by full name. */
  readonly tokenScopes: readonly string[];
}

/** Reads the principal from the claims of a verified token; `undefined` when they name nobody. */
export function principalOf(claims: JWTPayload, issuer: string, names: ScopeNames): Principal | undefined {
  const name = verifiedEmail(claims) ?? nonEmpty(claims.sub);
  if (name === undefined) return undefined;
  const tokenScopes = [...scopeList(claims.scope), ...scopeList(claims.scp)];
  return { name, issuer, scopes: names.scopesIn(tokenScopes), tokenScopes };
}

/** An address that the issuer itself calls unverified (OpenID Connect Core §5.1) may be anybody's. */
function verifiedEmail(claims: JWTPayload): string | undefined {
  const verified = claims.email_verified;
  return verified === false || verified === "false" ? undefined : nonEmpty(claims.email);
}

function nonEmpty(claim: unknown): string | undefined {
  return typeof claim === "string" && claim !== "" ? claim : undefined;
}

/** `scope` is a string (RFC 8693 §4.2), `scp` an array or a string, depending on the issuer. */
function scopeList(claim: unknown): readonly string[] {
  if (typeof claim === "string") return claim.split(" ").filter((name) => name !== "");
  return Array.isArray(claim) ? claim.filter((name) => typeof name === "string") : [];
}
