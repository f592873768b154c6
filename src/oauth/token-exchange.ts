import type { ScopeNames } from "../auth/scopes.js";
import type { LocalIssuer } from "../auth/tokens/local-issuer.js";
import { Scope } from "../gen/waybill/auth/v1/authorization_pb.js";
import type { Clock } from "../model/clock.js";
import { type SubjectToken, subjectTokenVerifier } from "./subject-token.js";
import { ACCESS_TOKEN_TYPE, OAuthError, type TokenRequest } from "./token-request.js";

/** Maximum lifetime of an access token, in seconds. */
const MAX_LIFE_SECONDS = 3_600;

/** A successful token response (RFC 8693 §2.2.1). */
export interface TokenResponse {
  readonly access_token: string;
  readonly issued_token_type: string;
  readonly token_type: "Bearer";
  /** Lifetime of the access token, in seconds. */
  readonly expires_in: number;
  /** Full names of the granted scopes. */
  readonly scope: string;
}

/** An access token, and the credential for which it was issued. */
export interface Exchanged {
  readonly subject: SubjectToken;
  readonly response: TokenResponse;
}

/** Exchanges subject tokens for access tokens of the same principal with a limited lifetime. */
export class TokenExchange {
  readonly #issuer: LocalIssuer;
  readonly #scopeNames: ScopeNames;
  readonly #clock: Clock;
  readonly #maxLifeSeconds: number;
  readonly #verify: (token: string) => Promise<SubjectToken>;

  /** @param maxLifeSeconds maximum lifetime of an access token, in seconds. */
  constructor(issuer: LocalIssuer, scopeNames: ScopeNames, clock: Clock, maxLifeSeconds = MAX_LIFE_SECONDS) {
    this.#clock = clock;
    this.#maxLifeSeconds = maxLifeSeconds;
    this.#issuer = issuer;
    this.#scopeNames = scopeNames;
    this.#verify = subjectTokenVerifier(issuer, scopeNames);
  }

  /**
   * Exchanges a subject token.
   *
   * @param issuerName value of `iss` in the access token.
   * @throws OAuthError if the subject token is invalid or allows none of the requested scopes.
   */
  async exchange({ subjectToken, scopes }: TokenRequest, issuerName: string): Promise<Exchanged> {
    const subject = await this.#verify(subjectToken);
    const granted = this.#grant(scopes, subject.scopes);
    const remaining = subject.expiresAt - Math.floor(this.#clock.wall() / 1_000);
    const ttlSeconds = Math.max(1, Math.min(this.#maxLifeSeconds, remaining));
    const token = await this.#issuer.sign({
      principal: subject.principal,
      scopes: granted,
      ttlSeconds,
      issuer: issuerName,
    });
    const response: TokenResponse = {
      access_token: token,
      issued_token_type: ACCESS_TOKEN_TYPE,
      token_type: "Bearer",
      expires_in: ttlSeconds,
      scope: granted.join(" "),
    };
    return { subject, response };
  }

  /** Returns the requested scopes that are allowed, with the names that the client has used. */
  #grant(requested: readonly string[] | undefined, allowed: ReadonlySet<Scope>): readonly string[] {
    const names = this.#scopeNames;
    const allows = (scope: Scope | undefined): boolean => scope !== undefined && allowed.has(scope);
    const asked = requested ?? [names.nameOf(allows(Scope.PLATFORM) ? Scope.PLATFORM : Scope.APP_PLATFORM)];
    const granted = new Set(asked.filter((name) => allows(names.scopeOf(name))));
    if (granted.size > 0) return [...granted];
    const possible = names.all.filter((name) => allows(names.scopeOf(name)));
    throw new OAuthError(
      "invalid_scope",
      `The credential allows none of the requested scopes. It allows: ${possible.join(" ") || "no scope of this server"}.`,
    );
  }
}
