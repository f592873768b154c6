import { calculateJwkThumbprint, decodeJwt, errors, type JWTPayload, jwtVerify } from "jose";
import { LRUCache } from "lru-cache";
import { ApiError } from "../../api/api-error.js";
import { type Clock, systemClock } from "../../model/clock.js";
import { credentialsMissing, type TokenProblem, tokenExpired, tokenInvalid } from "../auth-errors.js";
import { principalOf, type TokenPrincipal } from "../principal.js";
import { ScopeNames } from "../scopes.js";
import { type IntrospectionSource, Introspector } from "./introspector.js";
import { IssuerKeys, type IssuerKeysOptions } from "./issuer-keys.js";
import type { KeySource } from "./key-source.js";
import { isAccessTokenType, isBoundToKey } from "./token-kind.js";

export interface TrustedIssuer {
  /** Value of `iss` in the issuer's tokens. */
  readonly issuer: string;
  /** Keys that verify the issuer's JWTs. Omitted if the server introspects all tokens of the issuer. */
  readonly keys?: KeySource | undefined;
  /** Introspection for tokens that the keys do not verify, if configured. */
  readonly introspection?: IntrospectionSource | undefined;
  /** Accepted values of `aud`; `["waybill"]` by default. */
  readonly audience?: readonly string[] | undefined;
  /** Tolerance for the `exp` and `nbf` of the issuer's JWTs, in seconds; 60 by default. */
  readonly leewaySeconds?: number | undefined;
}

export interface AuthenticatorOptions extends IssuerKeysOptions {
  readonly scopeNames?: ScopeNames;
}

export const DEFAULT_AUDIENCE = "waybill";

const ALGORITHMS = ["RS256", "PS256", "ES256", "EdDSA"];
const LEEWAY_SECONDS = 60;
const MAX_TOKEN_LENGTH = 16_384;
/** Maximum total length of cached tokens, in characters: about 20,000 tokens of common length. */
const CACHE_CHARACTERS = 16 * 2 ** 20;

interface Issuer {
  readonly trusted: TrustedIssuer;
  /** Configured name of the issuer. */
  readonly name: string;
  readonly audience: string[];
  readonly keys: IssuerKeys;
  readonly leewaySeconds: number;
}

interface VerifiedToken {
  /** `Bearer`, a space and the token. */
  readonly authorization: string;
  readonly principal: TokenPrincipal;
  /** Expiration time, in milliseconds since the Unix epoch. */
  readonly expiresAt: number;
  readonly issuer: Issuer;
  readonly keyThumbprint: string;
}

/**
 * Authenticates callers by a request's access token (RFC 6750): a JWT signed by a trusted issuer (RFC
 * 7519), or a token that a trusted issuer reports as active (RFC 7662).
 */
export class Authenticator {
  /** Issuers with keys, by each of their names. */
  #issuers: ReadonlyMap<string, Issuer> = new Map();
  /** Additional names of issuers with keys, with the configured name of each. */
  readonly #otherNames = new Map<string, string>();
  #asked: readonly TrustedIssuer[] = [];
  #introspector: Introspector | undefined;
  readonly #scopeNames: ScopeNames;
  readonly #clock: Clock;
  readonly #options: AuthenticatorOptions;
  /** Verified tokens, by {@link cacheKeyOf}. */
  readonly #verified = new LRUCache<string, VerifiedToken>({
    maxSize: CACHE_CHARACTERS,
    sizeCalculation: ({ authorization }) => authorization.length,
  });

  constructor(issuers: readonly TrustedIssuer[], options: AuthenticatorOptions = {}) {
    const { scopeNames = new ScopeNames(), clock = systemClock } = options;
    this.#scopeNames = scopeNames;
    this.#clock = clock;
    this.#options = options;
    this.setIssuers(issuers);
  }

  /**
   * Replaces all issuers. From then on, tokens of other issuers are rejected, even if they were verified before. An
   * issuer keeps its cached keys if it is the same object as before.
   *
   * @throws Error if two issuers have the same name. Nothing changes then.
   */
  setIssuers(trusted: readonly TrustedIssuer[]): void {
    const issuers = new Map(
      trusted.flatMap((given) => this.#withKeys(given) ?? []).map((one) => [one.name, one]),
    );
    for (const [name, issuer] of this.#otherNames) {
      if (trusted.some((given) => given.issuer === name))
        throw new Error(`${name} is the name of another issuer`);
      const known = issuers.get(issuer);
      if (known !== undefined) issuers.set(name, known);
    }
    this.#issuers = issuers;
    const asked = trusted.filter(({ introspection }) => introspection !== undefined);
    const isSame = asked.length === this.#asked.length && asked.every((one, i) => one === this.#asked[i]);
    if (isSame) return;
    this.#asked = asked;
    this.#introspector = this.#introspectorOf(asked);
  }

  /** Returns the issuer with its keys. Returns `undefined` if no keys are configured. */
  #withKeys(trusted: TrustedIssuer): Issuer | undefined {
    const { issuer: name, keys, audience = [DEFAULT_AUDIENCE], leewaySeconds = LEEWAY_SECONDS } = trusted;
    if (keys === undefined) return undefined;
    const before = this.#issuers.get(name);
    if (before?.trusted === trusted) return before;
    return {
      trusted,
      name,
      audience: [...audience],
      keys: new IssuerKeys(name, keys, this.#options),
      leewaySeconds,
    };
  }

  #introspectorOf(asked: readonly TrustedIssuer[]): Introspector | undefined {
    const issuers = asked.flatMap(({ issuer, introspection, audience = [DEFAULT_AUDIENCE] }) =>
      introspection === undefined ? [] : [{ ...introspection, issuer, audience }],
    );
    if (issuers.length === 0) return undefined;
    const options = { scopeNames: this.#scopeNames, leewaySeconds: LEEWAY_SECONDS, clock: this.#clock };
    return new Introspector(issuers, options);
  }

  /**
   * Adds a name to an issuer with keys. Used for names that become known later than the issuer.
   *
   * @throws Error if the name belongs to another issuer.
   */
  addIssuerName(issuer: string, name: string): void {
    const known = this.#issuers.get(issuer);
    if (known === undefined) throw new Error(`there is no issuer ${issuer} with keys`);
    if ((this.#issuers.get(name) ?? known) !== known) {
      throw new Error(`${name} is the name of another issuer`);
    }
    if (name !== issuer) this.#otherNames.set(name, issuer);
    this.#issuers = new Map([...this.#issuers, [name, known]]);
  }

  /**
   * Authenticates a request by its `Authorization` header. Returns synchronously for a cached token: the token was
   * verified before, has not expired, and its key is still published or its introspection is cached.
   *
   * @param networkOf returns the request's remote network. Unknown tokens from one network share a budget for
   * introspection.
   * @throws ApiError, synchronously or by rejection: `CREDENTIALS_MISSING`, `ACCESS_TOKEN_INVALID`,
   * `ACCESS_TOKEN_EXPIRED`, `ISSUER_KEYS_UNAVAILABLE` or `INTROSPECTION_UNAVAILABLE`.
   */
  authenticate(
    authorization: string | undefined,
    networkOf: () => string = () => "",
  ): TokenPrincipal | Promise<TokenPrincipal> {
    const verified = this.#findVerified(authorization);
    if (verified === undefined || this.#clock.wall() >= verified.expiresAt) {
      return this.#examine(bearerToken(authorization), networkOf);
    }
    const { issuer, keyThumbprint, principal } = verified;
    const freshening = issuer.keys.freshen();
    const check = () =>
      this.#isTrusted(issuer) && issuer.keys.has(keyThumbprint)
        ? principal
        : this.#examine(bearerToken(authorization), networkOf);
    return freshening === undefined ? check() : freshening.then(check);
  }

  #findVerified(authorization: string | undefined): VerifiedToken | undefined {
    if (authorization === undefined) return undefined;
    const verified = this.#verified.get(cacheKeyOf(authorization));
    if (verified === undefined || verified.authorization === authorization) return verified;
    // The same token can be sent in other ways, such as with `bearer`.
    return verified.authorization === canonical(bearerToken(authorization)) ? verified : undefined;
  }

  /** Verifies a token with its claimed issuer's keys, or else by introspection. */
  #examine(token: string, networkOf: () => string): TokenPrincipal | Promise<TokenPrincipal> {
    if (token.length > MAX_TOKEN_LENGTH) throw tokenInvalid("MALFORMED");
    const claims = claimsOf(token);
    const claimed = typeof claims?.iss === "string" ? claims.iss : undefined;
    const issuer = claimed === undefined ? undefined : this.#issuers.get(claimed);
    if (claimed !== undefined && issuer !== undefined) {
      const principal = this.#verify(token, claimed, issuer);
      return principal.then((verified) =>
        this.#isTrusted(issuer) ? verified : this.#examine(token, networkOf),
      );
    }
    const introspector = this.#introspector;
    if (introspector === undefined)
      throw tokenInvalid(claims === undefined ? "MALFORMED" : "ISSUER_NOT_TRUSTED");
    const principal = introspector.introspect(token, claimed, networkOf);
    if (!(principal instanceof Promise)) return principal;
    return principal.then((active) =>
      introspector === this.#introspector ? active : this.#examine(token, networkOf),
    );
  }

  /** Returns true unless the issuer was replaced or removed during verification. */
  #isTrusted(issuer: Issuer): boolean {
    return this.#issuers.get(issuer.name) === issuer;
  }

  /** Verifies a JWT. @param claimed issuer name in the token. */
  async #verify(token: string, claimed: string, issuer: Issuer): Promise<TokenPrincipal> {
    const cacheKey = cacheKeyOf(token);
    if (this.#verified.peek(cacheKey)?.authorization === canonical(token)) this.#verified.delete(cacheKey);
    if (!hasCanonicalSignature(token)) throw tokenInvalid("MALFORMED");
    const { payload, protectedHeader, key } = await jwtVerify(
      token,
      (header) => issuer.keys.resolve(header),
      {
        algorithms: ALGORITHMS,
        issuer: claimed,
        audience: issuer.audience,
        requiredClaims: ["exp"],
        clockTolerance: issuer.leewaySeconds,
        currentDate: new Date(this.#clock.wall()),
      },
    ).catch((error: unknown) => {
      throw rejection(error);
    });
    if (!isAccessTokenType(protectedHeader.typ)) throw tokenInvalid("TYPE_NOT_ACCEPTED");
    if (isBoundToKey(payload)) throw tokenInvalid("KEY_BOUND");
    const principal = principalOf(payload, issuer.name, this.#scopeNames);
    if (principal === undefined) throw tokenInvalid("PRINCIPAL_MISSING");
    const authorization = canonical(token);
    this.#verified.set(cacheKeyOf(authorization), {
      authorization,
      principal,
      expiresAt: Math.ceil((payload.exp ?? 0) + issuer.leewaySeconds) * 1_000,
      issuer,
      keyThumbprint: await calculateJwkThumbprint(key),
    });
    return principal;
  }
}

/**
 * Returns the cache key for a token, from the token or its `Authorization` header. The key is the last part of the
 * signature. Comparing a whole token costs much less than hashing it as a key.
 */
const cacheKeyOf = (text: string): string => text.slice(-32);

const canonical = (token: string): string => `Bearer ${token}`;

const BEARER = /^bearer +/i;

/** Characters that separate list items. Tokens do not contain them (RFC 6750 §2.1). */
const SEPARATOR = /[\s,]/;

/**
 * Returns the token in an `Authorization: Bearer <token>` header (RFC 6750 §2.1), without validating the token.
 *
 * @throws ApiError `CREDENTIALS_MISSING` for no header, another scheme or an empty token; `ACCESS_TOKEN_INVALID` for
 * several tokens.
 */
export function bearerToken(authorization: string | undefined): string {
  if (authorization === undefined || !BEARER.test(authorization)) throw credentialsMissing();
  const token = authorization.replace(BEARER, "");
  if (token === "") throw credentialsMissing();
  if (SEPARATOR.test(token)) throw tokenInvalid("MALFORMED");
  return token;
}

/** Returns a token's unverified claims; `undefined` if it is not a JWT. */
function claimsOf(token: string): JWTPayload | undefined {
  try {
    return decodeJwt(token);
  } catch {
    return undefined;
  }
}

/**
 * Returns true if the signature has its canonical encoding (RFC 4648 §3.5). Decoders ignore unused bits of the last
 * character, so a signature has several spellings. Because only one of them is accepted, each token has a single cache
 * entry. Header and payload need no check, because the signature covers their characters.
 */
function hasCanonicalSignature(token: string): boolean {
  const signature = token.slice(token.lastIndexOf(".") + 1);
  return Buffer.from(signature, "base64url").toString("base64url") === signature;
}

/** Converts an error of `jose` or of loading a key to the error for the caller. */
function rejection(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  if (error instanceof errors.JWTExpired) return tokenExpired(error);
  return tokenInvalid(problemOf(error), error);
}

function problemOf(error: unknown): TokenProblem {
  if (error instanceof errors.JOSEAlgNotAllowed) return "ALGORITHM_NOT_ALLOWED";
  if (error instanceof errors.JWKSNoMatchingKey) return "KEY_UNKNOWN";
  if (error instanceof errors.JWKSMultipleMatchingKeys) return "KEY_UNKNOWN";
  if (error instanceof errors.JWSSignatureVerificationFailed) return "SIGNATURE_INVALID";
  if (error instanceof errors.JWTClaimValidationFailed) return CLAIM_PROBLEMS.get(error.claim) ?? "MALFORMED";
  return "MALFORMED";
}

const CLAIM_PROBLEMS: ReadonlyMap<string, TokenProblem> = new Map([
  ["aud", "AUDIENCE_MISMATCH"],
  ["nbf", "NOT_YET_VALID"],
  ["exp", "EXPIRATION_MISSING"],
]);
