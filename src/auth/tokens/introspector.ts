import { createHash } from "node:crypto";
import type { JWTPayload } from "jose";
import { LRUCache } from "lru-cache";
import { ApiError } from "../../api/api-error.js";
import {
  MAX_ADDRESSES_OF_REJECTED_TOKENS,
  MAX_KNOWN_TOKENS,
  MAX_REJECTED_TOKENS_OF_ADDRESS,
  MAX_WAIT_MS,
} from "../../limits/limits.js";
import { type Clock, systemClock } from "../../model/clock.js";
import { introspectionUnavailable, tokenExpired, tokenInvalid } from "../auth-errors.js";
import { principalOf, type TokenPrincipal } from "../principal.js";
import type { ScopeNames } from "../scopes.js";
import type { IntrospectionAnswer, IntrospectionEndpoint } from "./introspection-endpoint.js";
import { IntrospectionSlots } from "./introspection-slots.js";
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
  /** Maximum number of calls per second about tokens that the issuer has not reported as active recently. */
  readonly perSecond: number;
}

export interface IntrospectorOptions {
  readonly scopeNames: ScopeNames;
  /** Tolerance for issuers' clocks, in seconds. */
  readonly leewaySeconds: number;
  readonly clock?: Clock | undefined;
}

/** Lifetime of a cached refusal, in milliseconds. */
const REFUSAL_MS = 10_000;
/** Syntax of a bearer token (RFC 6750 §2.1). */
const B64TOKEN = /^[\w\-.~+/]+=*$/;

interface Remembered<T> {
  readonly what: T;
  /** End of validity on the monotonic clock, in milliseconds. */
  readonly until: number;
}

/** A token that has to be introspected. */
interface SentToken {
  readonly token: string;
  readonly digest: string;
  /** Remote network of the request. */
  readonly network: string;
  /** The principal that an issuer has reported for it recently. */
  readonly known: TokenPrincipal | undefined;
}

/** An issuer with the slots for calls to it. */
interface AskedIssuer extends IntrospectionIssuer {
  readonly slots: IntrospectionSlots;
}

/**
 * Checks tokens by introspection at their issuers (RFC 7662). Answers are cached by a digest of the token, rejections
 * for each network that sent it: none can displace those of others. Failures to reach an issuer are not cached.
 */
export class Introspector {
  readonly #issuers: readonly AskedIssuer[];
  readonly #options: IntrospectorOptions;
  readonly #clock: Clock;
  /** Tokens whose issuers have reported them as active, and not as inactive since: known also after their time. */
  readonly #accepted = new LRUCache<string, Remembered<TokenPrincipal>>({ max: MAX_KNOWN_TOKENS });
  /** Rejections by network. */
  readonly #refused = new LRUCache<string, LRUCache<string, Remembered<ApiError>>>({
    max: MAX_ADDRESSES_OF_REJECTED_TOKENS,
  });
  readonly #calls = new Map<string, Promise<TokenPrincipal>>();

  constructor(issuers: readonly IntrospectionIssuer[], options: IntrospectorOptions) {
    const clock = options.clock ?? systemClock;
    this.#issuers = issuers.map((issuer) => ({
      ...issuer,
      slots: new IntrospectionSlots(issuer.perSecond, clock),
    }));
    this.#options = options;
    this.#clock = clock;
  }

  /**
   * Introspects a token. Returns synchronously if the answer is cached.
   *
   * @param claimed The issuer that the token names, if any: only that issuer is asked. Otherwise all issuers
   *   are asked in turn until one accepts the token.
   * @param networkOf returns the remote network of the request; called unless the token is accepted from the cache.
   * @throws ApiError, synchronously or by rejection: `ACCESS_TOKEN_INVALID`, `ACCESS_TOKEN_EXPIRED`, or
   *   `INTROSPECTION_UNAVAILABLE`, also if there is no slot for the call in time.
   */
  introspect(
    token: string,
    claimed: string | undefined,
    networkOf: () => string,
  ): TokenPrincipal | Promise<TokenPrincipal> {
    const digest = createHash("sha256").update(token).digest("base64");
    const now = this.#clock.monotonic();
    const accepted = this.#accepted.get(digest);
    if (accepted !== undefined && now < accepted.until) return accepted.what;
    const network = networkOf();
    const refused = this.#refused.get(network)?.get(digest);
    if (refused !== undefined && now < refused.until) throw refused.what;
    return this.#calls.get(digest) ?? this.#start({ token, digest, network, known: accepted?.what }, claimed);
  }

  #start(sent: SentToken, claimed: string | undefined): Promise<TokenPrincipal> {
    const { token, digest } = sent;
    if (!B64TOKEN.test(token)) throw tokenInvalid("MALFORMED");
    const issuers =
      claimed === undefined ? this.#issuers : this.#issuers.filter(({ issuer }) => issuer === claimed);
    if (issuers.length === 0) throw tokenInvalid("ISSUER_NOT_TRUSTED");
    const call = this.#askInTurn(sent, issuers).finally(() => this.#calls.delete(digest));
    this.#calls.set(digest, call);
    return call;
  }

  async #askInTurn(
    { token, digest, network, known }: SentToken,
    issuers: readonly AskedIssuer[],
  ): Promise<TokenPrincipal> {
    const sender = known === undefined ? { network } : { principal: known.id };
    let maxWaitMs = MAX_WAIT_MS;
    let unavailable: ApiError | undefined;
    let refusal: ApiError | undefined;
    for (const issuer of issuers) {
      try {
        const began = this.#clock.monotonic();
        const taking = issuer.slots.take(sender, maxWaitMs).finally(() => {
          maxWaitMs -= this.#clock.monotonic() - began;
        });
        const end = await taking.catch((cause: unknown) => {
          throw introspectionUnavailable(issuer.issuer, cause);
        });
        const { principal, forMs } = await this.#askOne(token, issuer).finally(end);
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
    this.#accepted.delete(digest);
    this.#rejectionsOf(network).set(digest, {
      what: refusal,
      until: this.#clock.monotonic() + REFUSAL_MS,
    });
    throw refusal;
  }

  #rejectionsOf(network: string): LRUCache<string, Remembered<ApiError>> {
    let rejections = this.#refused.get(network);
    if (rejections === undefined) {
      rejections = new LRUCache({ max: MAX_REJECTED_TOKENS_OF_ADDRESS });
      this.#refused.set(network, rejections);
    }
    return rejections;
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
