import { createHash } from "node:crypto";
import type { JWTPayload } from "jose";
import { LRUCache } from "lru-cache";
import { ApiError } from "../../api/api-error.js";
import {
  MAX_ADDRESSES_OF_REJECTED_TOKENS,
  MAX_KNOWN_TOKENS,
  MAX_REJECTED_TOKENS_OF_ADDRESS,
  MAX_WAIT_MS,
} from "../../limits/request-limits.js";
import { type Clock, systemClock } from "../../model/clock.js";
import { introspectionUnavailable, tokenExpired, tokenInvalid } from "../auth-errors.js";
import { principalOf, type TokenPrincipal } from "../principal.js";
import type { ScopeNames } from "../scopes.js";
import type { IntrospectionEndpoint, IntrospectionResponse } from "./introspection-endpoint.js";
import { IntrospectionSlots } from "./introspection-slots.js";
import { isBearerType, isBoundToKey } from "./token-kind.js";

export interface IntrospectionSource {
  readonly endpoint: IntrospectionEndpoint;
  /** Time for which the server caches that a token is active, in milliseconds; one minute by default. */
  readonly cacheMs?: number | undefined;
  /**
   * Maximum number of introspection calls per second for unknown tokens; 100 by default. A token is unknown unless the
   * issuer has reported it as active recently.
   */
  readonly perSecond?: number | undefined;
}

interface IntrospectionIssuer extends IntrospectionSource {
  /** Value that `iss` must have if the response contains it. */
  readonly issuer: string;
  /** Values that `aud` may have if the response contains it. */
  readonly audience: readonly string[];
}

export interface IntrospectorOptions {
  readonly scopeNames: ScopeNames;
  /** Tolerance for clock differences between issuers and this server, in seconds. */
  readonly leewaySeconds: number;
  readonly clock?: Clock | undefined;
}

const CACHE_MS = 60_000;
const CALLS_PER_SECOND = 100;
/** Time for which a rejection is cached, in milliseconds. */
const REJECTION_MS = 10_000;
/** Syntax of a bearer token (RFC 6750 §2.1). */
const B64TOKEN = /^[\w\-.~+/]+=*$/;

interface Remembered<T> {
  readonly what: T;
  /** End of the cache entry's validity on the monotonic clock, in milliseconds. */
  readonly until: number;
}

interface SentToken {
  readonly token: string;
  readonly digest: string;
  /** Remote network of the request. */
  readonly network: string;
  /** The principal that an issuer has reported recently. */
  readonly known: TokenPrincipal | undefined;
}

/** An issuer with slots for introspection calls. */
interface AskedIssuer extends IntrospectionIssuer {
  readonly cacheMs: number;
  readonly slots: IntrospectionSlots;
}

/**
 * Introspects tokens at their issuers (RFC 7662). Results are cached by token digest. Rejections are cached separately
 * for each sending network, so that no network can evict the entries of others. If an issuer cannot be reached, nothing
 * is cached.
 */
export class Introspector {
  readonly #issuers: readonly AskedIssuer[];
  readonly #options: IntrospectorOptions;
  readonly #clock: Clock;
  /**
   * Tokens that their issuers last reported as active. An entry remains after its result has expired, to recognize the
   * token as known.
   */
  readonly #accepted = new LRUCache<string, Remembered<TokenPrincipal>>({ max: MAX_KNOWN_TOKENS });
  /** Rejections by network. */
  readonly #rejected = new LRUCache<string, LRUCache<string, Remembered<ApiError>>>({
    max: MAX_ADDRESSES_OF_REJECTED_TOKENS,
  });
  readonly #calls = new Map<string, Promise<TokenPrincipal>>();

  constructor(issuers: readonly IntrospectionIssuer[], options: IntrospectorOptions) {
    const clock = options.clock ?? systemClock;
    this.#issuers = issuers.map(({ cacheMs = CACHE_MS, perSecond = CALLS_PER_SECOND, ...issuer }) => ({
      ...issuer,
      cacheMs,
      slots: new IntrospectionSlots(perSecond, clock),
    }));
    this.#options = options;
    this.#clock = clock;
  }

  /**
   * Introspects a token. Returns synchronously if the result is cached.
   *
   * @param claimed issuer that the token names, if any. Only this issuer is called. Without a claimed issuer, all
   * issuers are called one by one until one accepts the token.
   * @param networkOf returns the request's remote network. Not called if the cache accepts the token.
   * @throws ApiError, synchronously or by rejection: `ACCESS_TOKEN_INVALID`, `ACCESS_TOKEN_EXPIRED`, or
   * `INTROSPECTION_UNAVAILABLE`, also if no slot becomes free in time. The wait for slots and all calls together last at
   * most {@link MAX_WAIT_MS}.
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
    const rejected = this.#rejected.get(network)?.get(digest);
    if (rejected !== undefined && now < rejected.until) throw rejected.what;
    return this.#calls.get(digest) ?? this.#start({ token, digest, network, known: accepted?.what }, claimed);
  }

  #start(sent: SentToken, claimed: string | undefined): Promise<TokenPrincipal> {
    const { token, digest } = sent;
    if (!B64TOKEN.test(token)) throw tokenInvalid("MALFORMED");
    const issuers =
      claimed === undefined ? this.#issuers : this.#issuers.filter(({ issuer }) => issuer === claimed);
    if (issuers.length === 0) throw tokenInvalid("ISSUER_NOT_TRUSTED");
    const call = this.#askInOrder(sent, issuers).finally(() => this.#calls.delete(digest));
    this.#calls.set(digest, call);
    return call;
  }

  async #askInOrder(
    { token, digest, network, known }: SentToken,
    issuers: readonly AskedIssuer[],
  ): Promise<TokenPrincipal> {
    const sender = known === undefined ? { network } : { principal: known.id };
    const deadline = this.#clock.monotonic() + MAX_WAIT_MS;
    const leftMs = (): number => Math.max(0, deadline - this.#clock.monotonic());
    let unavailable: ApiError | undefined;
    let rejection: ApiError | undefined;
    for (const issuer of issuers) {
      try {
        const end = await issuer.slots.take(sender, leftMs()).catch((cause: unknown) => {
          throw introspectionUnavailable(issuer.issuer, cause);
        });
        const { principal, forMs } = await this.#askOne(token, issuer, leftMs()).finally(end);
        this.#accepted.set(digest, { what: principal, until: this.#clock.monotonic() + forMs });
        return principal;
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        if (error.reason === "INTROSPECTION_UNAVAILABLE") unavailable ??= error;
        // If an issuer knows the token, its rejection is more specific than "inactive".
        else if (rejection === undefined || isInactive(rejection)) rejection = error;
      }
    }
    // An issuer that cannot be reached may know the token.
    if (unavailable !== undefined && (rejection === undefined || isInactive(rejection))) throw unavailable;
    if (rejection === undefined) throw new Error("no issuer was tried");
    this.#accepted.delete(digest);
    this.#rejectionsOf(network).set(digest, {
      what: rejection,
      until: this.#clock.monotonic() + REJECTION_MS,
    });
    throw rejection;
  }

  #rejectionsOf(network: string): LRUCache<string, Remembered<ApiError>> {
    let rejections = this.#rejected.get(network);
    if (rejections === undefined) {
      rejections = new LRUCache({ max: MAX_REJECTED_TOKENS_OF_ADDRESS });
      this.#rejected.set(network, rejections);
    }
    return rejections;
  }

  async #askOne(
    token: string,
    issuer: AskedIssuer,
    maxMs: number,
  ): Promise<{ readonly principal: TokenPrincipal; readonly forMs: number }> {
    const response = await issuer.endpoint.ask(token, maxMs).catch((cause: unknown) => {
      throw introspectionUnavailable(issuer.issuer, cause);
    });
    const now = this.#clock.wall();
    const principal = this.#principalOf(response, issuer, now);
    const { exp } = response;
    return {
      principal,
      forMs: exp === undefined ? issuer.cacheMs : Math.min(issuer.cacheMs, exp * 1_000 - now),
    };
  }

  /** Returns the principal if the response describes a token that is valid for this service now. */
  #principalOf(response: IntrospectionResponse, issuer: IntrospectionIssuer, now: number): TokenPrincipal {
    const { active, exp, nbf, iss, aud, token_type: type } = response;
    const leewayMs = this.#options.leewaySeconds * 1_000;
    if (exp !== undefined && exp * 1_000 + leewayMs <= now) throw tokenExpired();
    if (!active) throw tokenInvalid("INACTIVE");
    if (iss !== undefined && iss !== issuer.issuer) throw tokenInvalid("ISSUER_NOT_TRUSTED");
    if (aud !== undefined && ![aud].flat().some((name) => issuer.audience.includes(name))) {
      throw tokenInvalid("AUDIENCE_MISMATCH");
    }
    if (nbf !== undefined && nbf * 1_000 - leewayMs > now) throw tokenInvalid("NOT_YET_VALID");
    if (!isBearerType(type)) throw tokenInvalid("TYPE_NOT_ACCEPTED");
    if (isBoundToKey(response)) throw tokenInvalid("KEY_BOUND");
    const principal = principalOf(named(response), issuer.issuer, this.#options.scopeNames);
    if (principal === undefined) throw tokenInvalid("PRINCIPAL_MISSING");
    return principal;
  }
}

/** Uses `username` if the response has no `sub`. */
function named(response: IntrospectionResponse): JWTPayload {
  const { sub, username } = response;
  return sub === undefined && typeof username === "string" ? { ...response, sub: username } : response;
}

/** Returns true if the only known problem is that the issuer reported the token as inactive. */
const isInactive = (rejection: ApiError): boolean => rejection.metadata.problem === "INACTIVE";
