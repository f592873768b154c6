import { calculateJwkThumbprint, decodeJwt, errors, type JWTPayload, jwtVerify } from "jose";
import { LRUCache } from "lru-cache";
import { ApiError } from "../../api/api-error.js";
import { type Clock, systemClock } from "../../model/clock.js";
import { credentialsMissing, type TokenProblem, tokenExpired, tokenInvalid } from "../auth-errors.js";
import { type Principal, principalOf } from "../principal.js";
import { ScopeNames } from "../scopes.js";
import type { IntrospectionEndpoint } from "./introspection-endpoint.js";
import { type IntrospectionIssuer, Introspector } from "./introspector.js";
import { IssuerKeys, type IssuerKeysOptions } from "./issuer-keys.js";
import type { KeySource } from "./key-source.js";
import { isAccessTokenType, isBoundToKey } from "./token-kind.js";

/** An issuer whose tokens are accepted. */
export interface TrustedIssuer {
  /** The exact `iss` of its tokens. */
  readonly issuer: string;
  /** The keys that its JWTs are signed with, if they are verified here. */
  readonly keys?: KeySource | undefined;
  /** Where it is asked about its other tokens, if it is. */
  readonly introspection?: IntrospectionSource | undefined;
  /** Values of `aud` that make a token one for this service; `["waybill"]` unless given. */
  readonly audience?: readonly string[] | undefined;
}

/** How an issuer is asked about tokens. */
export interface IntrospectionSource {
  readonly endpoint: IntrospectionEndpoint;
  /** For how long an answer that a token is good is believed, in milliseconds; a minute unless given. */
  readonly cacheMs?: number | undefined;
}

/** What an {@link Authenticator} can be told besides its issuers. */
export interface AuthenticatorOptions extends IssuerKeysOptions {
  readonly scopeNames?: ScopeNames;
}

/** The audience of tokens for this service unless an issuer is configured with another. */
export const DEFAULT_AUDIENCE = "waybill";

const ALGORITHMS = ["RS256", "PS256", "ES256", "EdDSA"];
const LEEWAY_SECONDS = 60;
const MAX_TOKEN_LENGTH = 16_384;
const INTROSPECTION_CACHE_MS = 60_000;
/** Bounds what verified tokens may hold in memory, in characters; about 20,000 tokens of common size. */
const CACHE_CHARACTERS = 16 * 2 ** 20;

interface Issuer {
  /** The one that it is configured with. */
  readonly name: string;
  readonly audience: string[];
  readonly keys: IssuerKeys;
}

interface VerifiedToken {
  readonly principal: Principal;
  /** When it is refused as expired, in milliseconds since the Unix epoch. */
  readonly expiresAt: number;
  readonly keys: IssuerKeys;
  readonly keyThumbprint: string;
}

/**
 * Finds out who calls from the access token of a request (RFC 6750): a JWT signed by a trusted issuer (RFC 7519), or one
 * that a trusted issuer calls good when it is asked (RFC 7662).
 */
export class Authenticator {
  /** By their names; those that have keys. */
  readonly #issuers = new Map<string, Issuer>();
  readonly #introspector: Introspector | undefined;
  readonly #scopeNames: ScopeNames;
  readonly #clock: Clock;
  readonly #verified = new LRUCache<string, VerifiedToken>({
    maxSize: CACHE_CHARACTERS,
    sizeCalculation: (_verified, token) => token.length,
  });

  constructor(issuers: readonly TrustedIssuer[], options: AuthenticatorOptions = {}) {
    const { scopeNames = new ScopeNames(), clock = systemClock } = options;
    this.#scopeNames = scopeNames;
    this.#clock = clock;
    const asked: IntrospectionIssuer[] = [];
    for (const { issuer, keys, introspection, audience = [DEFAULT_AUDIENCE] } of issuers) {
      if (keys !== undefined) {
        const issuerKeys = new IssuerKeys(issuer, keys, options);
        this.#issuers.set(issuer, { name: issuer, audience: [...audience], keys: issuerKeys });
      }
      if (introspection !== undefined) {
        const { endpoint, cacheMs = INTROSPECTION_CACHE_MS } = introspection;
        asked.push({ issuer, endpoint, audience, cacheMs });
      }
    }
    if (asked.length > 0) {
      this.#introspector = new Introspector(asked, { scopeNames, leewaySeconds: LEEWAY_SECONDS, clock });
    }
  }

  /**
   * Accepts the tokens of an issuer that has keys under another name, too: one that is known later than the issuer.
   *
   * @throws Error if the name is that of another issuer.
   */
  addIssuerName(issuer: string, name: string): void {
    const known = this.#issuers.get(issuer);
    if (known === undefined) throw new Error(`there is no issuer ${issuer} with keys`);
    if ((this.#issuers.get(name)?.keys ?? known.keys) !== known.keys) {
      throw new Error(`${name} is the name of another issuer`);
    }
    this.#issuers.set(name, known);
  }

  /**
   * Authenticates a request by its `Authorization` header. The answer is there at once for a token that was verified
   * before, has not expired since, and whose key its issuer still has, and for one that was asked about before.
   *
   * @throws ApiError, at once or by the promise: `CREDENTIALS_MISSING`, `ACCESS_TOKEN_INVALID`,
   *   `ACCESS_TOKEN_EXPIRED`, `ISSUER_KEYS_UNAVAILABLE` or `INTROSPECTION_UNAVAILABLE`.
   */
  authenticate(authorization: string | undefined): Principal | Promise<Principal> {
    const token = bearerToken(authorization);
    const verified = this.#verified.get(token);
    if (verified === undefined || this.#clock.wall() >= verified.expiresAt) return this.#examine(token);
    const { keys, keyThumbprint, principal } = verified;
    const freshening = keys.freshen();
    if (freshening === undefined) return keys.has(keyThumbprint) ? principal : this.#examine(token);
    return freshening.then(() => (keys.has(keyThumbprint) ? principal : this.#examine(token)));
  }

  /** Decides by whom a token is judged: the issuer that it says it is from, by its keys; else whoever can be asked. */
  #examine(token: string): Principal | Promise<Principal> {
    if (token.length > MAX_TOKEN_LENGTH) throw tokenInvalid("MALFORMED");
    const claims = claimsOf(token);
    const claimed = typeof claims?.iss === "string" ? claims.iss : undefined;
    const issuer = claimed === undefined ? undefined : this.#issuers.get(claimed);
    if (claimed !== undefined && issuer !== undefined) return this.#verify(token, claimed, issuer);
    if (this.#introspector !== undefined) return this.#introspector.introspect(token, claimed);
    throw tokenInvalid(claims === undefined ? "MALFORMED" : "ISSUER_NOT_TRUSTED");
  }

  /** @param claimed the one of the issuer's names that the token has. */
  async #verify(token: string, claimed: string, issuer: Issuer): Promise<Principal> {
    this.#verified.delete(token);
    if (!hasCanonicalSignature(token)) throw tokenInvalid("MALFORMED");
    const { payload, protectedHeader, key } = await jwtVerify(
      token,
      (header) => issuer.keys.resolve(header),
      {
        algorithms: ALGORITHMS,
        issuer: claimed,
        audience: issuer.audience,
        requiredClaims: ["exp"],
        clockTolerance: LEEWAY_SECONDS,
        currentDate: new Date(this.#clock.wall()),
      },
    ).catch((error: unknown) => {
      throw refusal(error);
    });
    if (!isAccessTokenType(protectedHeader.typ)) throw tokenInvalid("TYPE_NOT_ACCEPTED");
    if (isBoundToKey(payload)) throw tokenInvalid("KEY_BOUND");
    const principal = principalOf(payload, issuer.name, this.#scopeNames);
    if (principal === undefined) throw tokenInvalid("PRINCIPAL_MISSING");
    this.#verified.set(token, {
      principal,
      expiresAt: Math.ceil((payload.exp ?? 0) + LEEWAY_SECONDS) * 1_000,
      keys: issuer.keys,
      keyThumbprint: await calculateJwkThumbprint(key),
    });
    return principal;
  }
}

/** What a token says, without any proof; `undefined` if it is not a JWT. */
function claimsOf(token: string): JWTPayload | undefined {
  try {
    return decodeJwt(token);
  } catch {
    return undefined;
  }
}

/**
 * Whether the signature is encoded in its one canonical form (RFC 4648 §3.5). Decoders ignore the unused bits of the
 * last character, so that one signature has several spellings; refusing all but one keeps a token one cache entry.
 * Header and payload need no such check: the signature covers their characters.
 */
function hasCanonicalSignature(token: string): boolean {
  const signature = token.slice(token.lastIndexOf(".") + 1);
  return Buffer.from(signature, "base64url").toString("base64url") === signature;
}

/** The answer to a token that `jose` refuses, or whose key could not be had. */
function refusal(error: unknown): ApiError {
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

const BEARER = /^bearer +/i;

/** What separates the items of a list, which no token has (RFC 6750 §2.1). */
const SEPARATOR = /[\s,]/;

/**
 * The token of an `Authorization: Bearer <token>` header (RFC 6750 §2.1), its form unchecked.
 *
 * @throws ApiError `CREDENTIALS_MISSING` for no header, another scheme or an empty token, `ACCESS_TOKEN_INVALID` for several.
 */
export function bearerToken(authorization: string | undefined): string {
  const scheme = authorization === undefined ? null : BEARER.exec(authorization);
  const token = scheme === null ? "" : (authorization ?? "").slice(scheme[0].length);
  if (token === "") throw credentialsMissing();
  if (SEPARATOR.test(token)) throw tokenInvalid("MALFORMED");
  return token;
}
