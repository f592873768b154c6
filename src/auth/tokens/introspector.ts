import { createHash } from "node:crypto";
import type { JWTPayload } from "jose";
import { LRUCache } from "lru-cache";
import { ApiError } from "../../api/api-error.js";
import { type Clock, systemClock } from "../../model/clock.js";
import { introspectionUnavailable, tokenExpired, tokenInvalid } from "../auth-errors.js";
import { principalOf, type TokenPrincipal } from "../principal.js";
import type { ScopeNames } from "../scopes.js";
import type { IntrospectionAnswer, IntrospectionEndpoint } from "./introspection-endpoint.js";
import { isBearerType, isBoundToKey } from "./token-kind.js";

/** An issuer with token introspection. */
export interface IntrospectionIssuer {
  /** The `iss` of its answers, if they have one. */
  readonly issuer: string;
  readonly endpoint: IntrospectionEndpoint;
  /** Accepted values of `aud`, if the answer has an `aud`. */
  readonly audience: readonly string[];
  /** Lifetime of a cached positive answer, in milliseconds. */
  readonly cacheMs: number;
}

export interface IntrospectorOptions {
  readonly scopeNames: ScopeNames;
  /** Tolerance for issuers' clocks, in seconds. */
  readonly leewaySeconds: number;
  readonly clock?: Clock | undefined;
}

/** Lifetime of a cached refusal, in milliseconds. */
const REFUSAL_MS = 10_000;
/** Most accepted tokens in the cache; as many refused tokens are cached separately. */
const MAX_REMEMBERED = 10_000;
/** Most introspections in progress; further tokens are refused as unavailable. */
const MAX_CALLS = 64;
/** Syntax of a bearer token (RFC 6750 §2.1). */
const B64TOKEN = /^[\w\-.~+/]+=*$/;

interface Remembered<T> {
  readonly what: T;
  /** End of validity on the monotonic clock, in milliseconds. */
  readonly until: number;
}

/**
 * Checks tokens by introspection at their issuers (RFC 7662). Answers are cached by a digest of the token.
 * Failures to reach an issuer are not cached.
 */
export class Introspector {
  readonly #issuers: readonly IntrospectionIssuer[];
  readonly #options: IntrospectorOptions;
  readonly #clock: Clock;
  readonly #accepted = new LRUCache<string, Remembered<TokenPrincipal>>({ max: MAX_REMEMBERED });
  readonly #refused = new LRUCache<string, Remembered<ApiError>>({ max: MAX_REMEMBERED });
  readonly #calls = new Map<string, Promise<TokenPrincipal>>();

  constructor(issuers: readonly IntrospectionIssuer[], options: IntrospectorOptions) {
    this.#issuers = issuers;
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
  }

  /**
   * Introspects a token. Returns synchronously if the answer is cached.
   *
   * @param claimed The issuer that the token names, if any: only that issuer is asked. Otherwise all issuers
   *   are asked in turn until one accepts the token.
   * @throws ApiError, synchronously or by rejection: `ACCESS_TOKEN_INVALID`, `ACCESS_TOKEN_EXPIRED`, or
   *   `INTROSPECTION_UNAVAILABLE`, also if too many introspections are in progress.
   */
  introspect(token: string, claimed: string | undefined): TokenPrincipal | Promise<TokenPrincipal> {
    const digest = createHash("sha256").update(token).digest("base64");
    const now = this.#clock.monotonic();
    const accepted = this.#accepted.get(digest);
    if (accepted !== undefined && now < accepted.until) return accepted.what;
    const refused = this.#refused.get(digest);
    if (refused !== undefined && now < refused.until) throw refused.what;
    return this.#calls.get(digest) ?? this.#start(token, digest, claimed);
  }

  #start(token: string, digest: string, claimed: string | undefined): Promise<TokenPrincipal> {
    if (!B64TOKEN.test(token)) throw tokenInvalid("MALFORMED");
    const issuers =
      claimed === undefined ? this.#issuers : this.#issuers.filter(({ issuer }) => issuer === claimed);
    const [first] = issuers;
    if (first === undefined) throw tokenInvalid("ISSUER_NOT_TRUSTED");
    if (this.#calls.size >= MAX_CALLS) {
      throw introspectionUnavailable(
        first.issuer,
        new Error(`${MAX_CALLS} tokens are asked about at the moment`),
      );
    }
    const call = this.#askInTurn(token, digest, issuers).finally(() => this.#calls.delete(digest));
    this.#calls.set(digest, call);
    return call;
  }

  async #askInTurn(
    token: string,
    digest: string,
    issuers: readonly IntrospectionIssuer[],
  ): Promise<TokenPrincipal> {
    let unavailable: ApiError | undefined;
    let refusal: ApiError | undefined;
    for (const issuer of issuers) {
      try {
        const { principal, forMs } = await this.#askOne(token, issuer);
        this.#accepted.set(digest, { what: principal, until: this.#clock.monotonic() + forMs });
        return principal;
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        if (error.reason === "INTROSPECTION_UNAVAILABLE") unavailable ??= error;
        // A refusal by an issuer that knows the token says more than "inactive".
        else if (refusal === undefined || isInactive(refusal)) refusal = error;
      }
    }
    // The unreachable issuer may be the one that knows the token.
    if (unavailable !== undefined && (refusal === undefined || isInactive(refusal))) throw unavailable;
    if (refusal === undefined) throw new Error("nobody was asked");
    this.#refused.set(digest, { what: refusal, until: this.#clock.monotonic() + REFUSAL_MS });
    throw refusal;
  }

  async #askOne(
    token: string,
    issuer: IntrospectionIssuer,
  ): Promise<{ readonly principal: TokenPrincipal; readonly forMs: number }> {
    const answer = await issuer.endpoint.ask(token).catch((cause: unknown) => {
      throw introspectionUnavailable(issuer.issuer, cause);
    });
    const now = this.#clock.wall();
    const principal = this.#principalOf(answer, issuer, now);
    const { exp } = answer;
    return {
      principal,
      forMs: exp === undefined ? issuer.cacheMs : Math.min(issuer.cacheMs, exp * 1_000 - now),
    };
  }

  /** Returns the principal of the answer if the token is valid for this service now. */
  #principalOf(answer: IntrospectionAnswer, issuer: IntrospectionIssuer, now: number): TokenPrincipal {
    const { active, exp, nbf, iss, aud, token_type: type } = answer;
    const leewayMs = this.#options.leewaySeconds * 1_000;
    if (exp !== undefined && exp * 1_000 + leewayMs <= now) throw tokenExpired();
    if (!active) throw tokenInvalid("INACTIVE");
    if (iss !== undefined && iss !== issuer.issuer) throw tokenInvalid("ISSUER_NOT_TRUSTED");
    if (aud !== undefined && ![aud].flat().some((name) => issuer.audience.includes(name))) {
      throw tokenInvalid("AUDIENCE_MISMATCH");
    }
    if (nbf !== undefined && nbf * 1_000 - leewayMs > now) throw tokenInvalid("NOT_YET_VALID");
    if (!isBearerType(type)) throw tokenInvalid("TYPE_NOT_ACCEPTED");
    if (isBoundToKey(answer)) throw tokenInvalid("KEY_BOUND");
    const principal = principalOf(named(answer), issuer.issuer, this.#options.scopeNames);
    if (principal === undefined) throw tokenInvalid("PRINCIPAL_MISSING");
    return principal;
  }
}

/** Uses `username` in place of a missing `sub`. */
function named(answer: IntrospectionAnswer): JWTPayload {
  const { sub, username } = answer;
  return sub === undefined && typeof username === "string" ? { ...answer, sub: username } : answer;
}

/** Tells whether the refusal says only that the token is inactive. */
const isInactive = (refusal: ApiError): boolean => refusal.metadata.problem === "INACTIVE";
