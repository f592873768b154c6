import { createHash } from "node:crypto";
import type { JWTPayload } from "jose";
import { LRUCache } from "lru-cache";
import { ApiError } from "../../api/api-error.js";
import { type Clock, systemClock } from "../../model/clock.js";
import { introspectionUnavailable, tokenExpired, tokenInvalid } from "../auth-errors.js";
import { type Principal, principalOf } from "../principal.js";
import type { ScopeNames } from "../scopes.js";
import type { IntrospectionAnswer, IntrospectionEndpoint } from "./introspection-endpoint.js";
import { isBearerType, isBoundToKey } from "./token-kind.js";

/** An issuer that is asked whether its tokens are good. */
export interface IntrospectionIssuer {
  /** The `iss` of its answers, where they have one. */
  readonly issuer: string;
  readonly endpoint: IntrospectionEndpoint;
  /** Values of `aud` that make a token one for this service, where the answer has an `aud`. */
  readonly audience: readonly string[];
  /** For how long an answer that a token is good is believed, in milliseconds. */
  readonly cacheMs: number;
}

/** What an {@link Introspector} can be told besides its issuers. */
export interface IntrospectorOptions {
  readonly scopeNames: ScopeNames;
  /** The leeway that issuers' clocks get. */
  readonly leewaySeconds: number;
  readonly clock?: Clock | undefined;
}

/** For how long an answer that a token is not good is believed. */
const REFUSAL_MS = 10_000;
/** Tokens that are remembered as good; as many others are as not good. */
const MAX_REMEMBERED = 10_000;
/** Tokens that are asked about at the same time; others are not asked about. */
const MAX_CALLS = 64;
/** What a bearer token is made of (RFC 6750 §2.1). */
const B64TOKEN = /^[\w\-.~+/]+=*$/;

interface Remembered<T> {
  readonly what: T;
  /** Until when, by the monotonic clock. */
  readonly until: number;
}

/**
 * Finds out about tokens by asking their issuers (RFC 7662). Answers are remembered for a while by a digest of the token;
 * that an issuer could not be asked is not.
 */
export class Introspector {
  readonly #issuers: readonly IntrospectionIssuer[];
  readonly #options: IntrospectorOptions;
  readonly #clock: Clock;
  readonly #accepted = new LRUCache<string, Remembered<Principal>>({ max: MAX_REMEMBERED });
  readonly #refused = new LRUCache<string, Remembered<ApiError>>({ max: MAX_REMEMBERED });
  readonly #calls = new Map<string, Promise<Principal>>();

  constructor(issuers: readonly IntrospectionIssuer[], options: IntrospectorOptions) {
    this.#issuers = issuers;
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
  }

  /**
   * Asks about a token. The answer is there at once if it is remembered.
   *
   * @param claimed the issuer that the token says it is from, if it says so: nobody else is asked. Otherwise all are, in
   *   turn, until one calls it good.
   * @throws ApiError, at once or by the promise: `ACCESS_TOKEN_INVALID`, `ACCESS_TOKEN_EXPIRED`, or
   *   `INTROSPECTION_UNAVAILABLE`, also when too many tokens are asked about already.
   */
  introspect(token: string, claimed: string | undefined): Principal | Promise<Principal> {
    const digest = createHash("sha256").update(token).digest("base64");
    const now = this.#clock.monotonic();
    const accepted = this.#accepted.get(digest);
    if (accepted !== undefined && now < accepted.until) return accepted.what;
    const refused = this.#refused.get(digest);
    if (refused !== undefined && now < refused.until) throw refused.what;
    return this.#calls.get(digest) ?? this.#start(token, digest, claimed);
  }

  #start(token: string, digest: string, claimed: string | undefined): Promise<Principal> {
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
  ): Promise<Principal> {
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
        // An issuer that knows the token has more to say than one that does not.
        else if (refusal === undefined || isInactive(refusal)) refusal = error;
      }
    }
    // Whoever could not be asked may be the one that knows the token.
    if (unavailable !== undefined && (refusal === undefined || isInactive(refusal))) throw unavailable;
    if (refusal === undefined) throw new Error("nobody was asked");
    this.#refused.set(digest, { what: refusal, until: this.#clock.monotonic() + REFUSAL_MS });
    throw refusal;
  }

  async #askOne(
    token: string,
    issuer: IntrospectionIssuer,
  ): Promise<{ readonly principal: Principal; readonly forMs: number }> {
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

  /** Whom the answer speaks of, if the token is good for this service at this moment. */
  #principalOf(answer: IntrospectionAnswer, issuer: IntrospectionIssuer, now: number): Principal {
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

/** The answer with `username` for the `sub` that it has not. */
function named(answer: IntrospectionAnswer): JWTPayload {
  const { sub, username } = answer;
  return sub === undefined && typeof username === "string" ? { ...answer, sub: username } : answer;
}

/** Whether nothing is known of the token but that it is not good. */
const isInactive = (refusal: ApiError): boolean => refusal.metadata.problem === "INACTIVE";
