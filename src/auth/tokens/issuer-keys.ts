import {
  type CryptoKey,
  calculateJwkThumbprint,
  createLocalJWKSet,
  errors,
  type JSONWebKeySet,
  type JWSHeaderParameters,
} from "jose";
import { type Clock, systemClock } from "../../model/clock.js";
import { issuerKeysUnavailable } from "../auth-errors.js";
import type { KeySource } from "./key-source.js";

/**
 * Minimum pause between two loads, in milliseconds. Without it, tokens with invented key ids could flood the issuer
 * with requests.
 */
const COOLDOWN_MS = 1_000;

export interface IssuerKeysOptions {
  readonly clock?: Clock;
  /** Called for every failed load, including loads in the background. */
  readonly onLoadError?: (issuer: string, error: unknown) => void;
}

type FindKey = ReturnType<typeof createLocalJWKSet>;

/**
 * Cache of an issuer's signature keys.
 *
 * When keys reach half of their maximum age, they are reloaded in the background. When they exceed it, requests wait
 * for the reload. If a token has an unknown key id, the keys are reloaded at once, so that a rotated key works
 * immediately. While the source fails, the last keys stay in use, so that an issuer outage does not stop this service.
 * To revoke all keys, publish an empty key set.
 */
export class IssuerKeys {
  readonly #issuer: string;
  readonly #source: KeySource;
  readonly #clock: Clock;
  readonly #onLoadError: ((issuer: string, error: unknown) => void) | undefined;
  #find: FindKey | undefined;
  #thumbprints: ReadonlySet<string> = new Set();
  #loading: Promise<void> | undefined;
  #failure: unknown;
  #settledAt = Number.NEGATIVE_INFINITY;
  #refreshAt = Number.NEGATIVE_INFINITY;
  #staleAt = Number.NEGATIVE_INFINITY;

  constructor(issuer: string, source: KeySource, options: IssuerKeysOptions = {}) {
    this.#issuer = issuer;
    this.#source = source;
    this.#clock = options.clock ?? systemClock;
    this.#onLoadError = options.onLoadError;
  }

  /**
   * Starts a reload if one is due. Returns `undefined` if the caller need not wait for it. The promise never rejects.
   */
  freshen(): Promise<void> | undefined {
    const now = this.#clock.monotonic();
    if (now < this.#refreshAt) return undefined;
    const loading = this.#refresh();
    return now < this.#staleAt ? undefined : loading;
  }

  /** Returns true if the issuer has the key with this RFC 7638 thumbprint. */
  has(thumbprint: string): boolean {
    return this.#thumbprints.has(thumbprint);
  }

  /**
   * Finds the key that a token's protected header names.
   *
   * @throws errors.JWKSNoMatchingKey if the issuer has no such key.
   * @throws ApiError `UNAVAILABLE` if the keys cannot be loaded.
   */
  async resolve(header: JWSHeaderParameters): Promise<CryptoKey> {
    await this.freshen();
    try {
      return await this.#known()(header);
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey)) throw error;
    }
    await this.#refresh();
    if (this.#failure !== undefined) throw issuerKeysUnavailable(this.#issuer, this.#failure);
    return this.#known()(header);
  }

  #known(): FindKey {
    if (this.#find === undefined) throw issuerKeysUnavailable(this.#issuer, this.#failure);
    return this.#find;
  }

  #refresh(): Promise<void> {
    if (this.#loading === undefined && this.#clock.monotonic() - this.#settledAt < COOLDOWN_MS) {
      return Promise.resolve();
    }
    this.#loading ??= this.#load().finally(() => {
      this.#loading = undefined;
    });
    return this.#loading;
  }

  async #load(): Promise<void> {
    try {
      const jwks = await this.#source.load();
      const find = createLocalJWKSet(jwks);
      this.#thumbprints = await thumbprintsOf(jwks);
      this.#find = find;
      this.#failure = undefined;
    } catch (error) {
      this.#failure = error;
      this.#onLoadError?.(this.#issuer, error);
    }
    const now = this.#clock.monotonic();
    this.#settledAt = now;
    this.#refreshAt = now + (this.#failure === undefined ? this.#source.maxAgeMs / 2 : COOLDOWN_MS);
    if (this.#find !== undefined) this.#staleAt = now + this.#source.maxAgeMs;
  }
}

/**
 * Returns the thumbprints of all keys in a set. Keys of a type that `jose` does not know are skipped, because they
 * cannot verify anything.
 */
async function thumbprintsOf(jwks: JSONWebKeySet): Promise<ReadonlySet<string>> {
  const settled = await Promise.allSettled(jwks.keys.map((jwk) => calculateJwkThumbprint(jwk)));
  return new Set(settled.flatMap((result) => (result.status === "fulfilled" ? [result.value] : [])));
}
