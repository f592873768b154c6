import { calculateJwkThumbprint, decodeJwt, errors, jwtVerify } from "jose";
import { LRUCache } from "lru-cache";
import { ApiError } from "../transcoding/api-error.js";
import { type TokenProblem, tokenExpired, tokenInvalid } from "./auth-errors.js";
import { bearerToken } from "./bearer-token.js";
import { type Clock, systemClock } from "./clock.js";
import { IssuerKeys, type IssuerKeysOptions } from "./issuer-keys.js";
import type { KeySource } from "./key-source.js";
import { type Principal, principalOf } from "./principal.js";
import { ScopeNames } from "./scopes.js";

/** An issuer whose tokens are accepted. */
export interface TrustedIssuer {
  /** The exact `iss` of its tokens. */
  readonly issuer: string;
  readonly keys: KeySource;
  /** Values of `aud` that make a token one for this service; `["waybill"]` unless given. */
  readonly audience?: readonly string[] | undefined;
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
/** Bounds what verified tokens may hold in memory, in characters; about 20,000 tokens of common size. */
const CACHE_CHARACTERS = 16 * 2 ** 20;

interface Issuer {
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

/** Finds out who calls from the access token of a request: a JWT signed by a trusted issuer (RFC 7519, RFC 6750). */
export class Authenticator {
  readonly #issuers: ReadonlyMap<string, Issuer>;
  readonly #scopeNames: ScopeNames;
  readonly #clock: Clock;
  readonly #verified = new LRUCache<string, VerifiedToken>({
    maxSize: CACHE_CHARACTERS,
    sizeCalculation: (_verified, token) => token.length,
  });

  constructor(issuers: readonly TrustedIssuer[], options: AuthenticatorOptions = {}) {
    this.#issuers = new Map(
      issuers.map(({ issuer, keys, audience }) => [
        issuer,
        {
          name: issuer,
          audience: [...(audience ?? [DEFAULT_AUDIENCE])],
          keys: new IssuerKeys(issuer, keys, options),
        },
      ]),
    );
    this.#scopeNames = options.scopeNames ?? new ScopeNames();
    this.#clock = options.clock ?? systemClock;
  }

  /**
   * Authenticates a request by its `Authorization` header. The answer is there at once for a token that was verified
   * before, has not expired since, and whose key its issuer still has.
   *
   * @throws ApiError, at once or by the promise: `CREDENTIALS_MISSING`, `ACCESS_TOKEN_INVALID`,
   *   `ACCESS_TOKEN_EXPIRED` or `ISSUER_KEYS_UNAVAILABLE`.
   */
  authenticate(authorization: string | undefined): Principal | Promise<Principal> {
    const token = bearerToken(authorization);
    const verified = this.#verified.get(token);
    if (verified === undefined || this.#clock.wall() >= verified.expiresAt) return this.#verify(token);
    const { keys, keyThumbprint, principal } = verified;
    const freshening = keys.freshen();
    if (freshening === undefined) return keys.has(keyThumbprint) ? principal : this.#verify(token);
    return freshening.then(() => (keys.has(keyThumbprint) ? principal : this.#verify(token)));
  }

  async #verify(token: string): Promise<Principal> {
    this.#verified.delete(token);
    const issuer = this.#issuerOf(token);
    const { payload, key } = await jwtVerify(token, (header) => issuer.keys.resolve(header), {
      algorithms: ALGORITHMS,
      issuer: issuer.name,
      audience: issuer.audience,
      requiredClaims: ["exp"],
      clockTolerance: LEEWAY_SECONDS,
      currentDate: new Date(this.#clock.wall()),
    }).catch((error: unknown) => {
      throw refusal(error);
    });
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

  /** The issuer that a token claims to be from, which decides by whose keys it has to verify. */
  #issuerOf(token: string): Issuer {
    if (token.length > MAX_TOKEN_LENGTH || !hasCanonicalSignature(token)) throw tokenInvalid("MALFORMED");
    let name: unknown;
    try {
      name = decodeJwt(token).iss;
    } catch (error) {
      throw tokenInvalid("MALFORMED", error);
    }
    const issuer = typeof name === "string" ? this.#issuers.get(name) : undefined;
    if (issuer === undefined) throw tokenInvalid("ISSUER_NOT_TRUSTED");
    return issuer;
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
