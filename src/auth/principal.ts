import type { JWTPayload } from "jose";
import type { Scope } from "../gen/waybill/auth/v1/authorization_pb.js";
import { MAX_PRINCIPAL } from "../limits/limits.js";
import type { ScopeNames } from "./scopes.js";

/** Who calls, as a verified access token says. */
export interface Principal {
  /** The token's `email`, else its `sub`; the name that access rules use. */
  readonly name: string;
  /** The configured name of its issuer, whichever of the issuer's names the token has. */
  readonly issuer: string;
  /** Tells it from a principal that another issuer names alike. Quotas and budgets count by it. */
  readonly id: string;
  /** The scopes of the token that mean something here. */
  readonly scopes: ReadonlySet<Scope>;
  /** Every scope of the token, by full name. */
  readonly tokenScopes: readonly string[];
}

/** Reads the principal from the claims of a verified token; `undefined` when they name nobody in reasonable length. */
export function principalOf(claims: JWTPayload, issuer: string, names: ScopeNames): Principal | undefined {
  const name = verifiedEmail(claims) ?? nonEmpty(claims.sub);
  if (name === undefined || name.length > MAX_PRINCIPAL) return undefined;
  const tokenScopes = [...scopeList(claims.scope), ...scopeList(claims.scp)];
  const id = principalId(issuer, name);
  return { name, issuer, id, scopes: names.scopesIn(tokenScopes), tokenScopes };
}

/** The {@link Principal.id} of a name that an issuer gives. */
export const principalId = (issuer: string, name: string): string => JSON.stringify([issuer, name]);

/** An address of which the issuer says anything but that it is verified (OpenID Connect Core §5.1) may be anybody's. */
function verifiedEmail({ email, email_verified: verified }: JWTPayload): string | undefined {
  return verified === undefined || verified === true || verified === "true" ? nonEmpty(email) : undefined;
}

function nonEmpty(claim: unknown): string | undefined {
  return typeof claim === "string" && claim !== "" ? claim : undefined;
}

/** `scope` is a string (RFC 8693 §4.2), `scp` an array or a string, depending on the issuer. */
function scopeList(claim: unknown): readonly string[] {
  if (typeof claim === "string") return claim.split(" ").filter((name) => name !== "");
  return Array.isArray(claim) ? claim.filter((name) => typeof name === "string") : [];
}
