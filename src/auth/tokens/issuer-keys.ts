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

/** A time without another load after one ended, so that tokens with made-up key ids cannot flood the issuer. */
const COOLDOWN_MS = 1_000;

/** What {@link IssuerKeys} can be told besides its issuer. */
export interface IssuerKeysOptions {
  readonly clock?: Clock;
  /** Hears of every load that failed, also in the background. */
  readonly onLoadError?: (issuer: string, error: unknown) => void;
}

type FindKey = ReturnType<typeof createLocalJWKSet>;

/**
 * The signature keys of one issuer as last loaded.
 *
 * From half their maximum age on they are loaded again behind the requests that use them; past it, requests wait for
 * that. A key that is not among them is looked for at the source at once, so that a rotated key works immediately.
 * While the source fails, the keys last loaded stay in use: an outage of the issuer is not one of this service. To
 * trust no key any more, publish an empty set.
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

  /** Sees to it that the keys are recent. Nothing to wait for is `undefined`; the promise never rejects. */
  freshen(): Promise<void> | undefined {
    const now = this.#clock.monotonic();
    if (now < this.#refreshAt) return undefined;
    const loading = this.#refresh();
    return now < this.#staleAt ? undefined : loading;
  }

  /** Whether the key with this RFC 7638 thumbprint is among the keys. */
  has(thumbprint: string): boolean {
    return this.#thumbprints.has(thumbprint);
  }

  /**
   * The key that a token names in its protected header.
   *
   * @throws errors.JWKSNoMatchingKey when the issuer has no such key.
   * @throws ApiError `UNAVAILABLE` when it cannot be known whether it has.
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

/** Thumbprints of the keys of a set; a key of a kind unknown to `jose` can verify nothing and has none. */
async function thumbprintsOf(jwks: JSONWebKeySet): Promise<ReadonlySet<string>> {
  const settled = await Promise.allSettled(jwks.keys.map((jwk) => calculateJwkThumbprint(jwk)));
  return new Set(settled.flatMap((result) => (result.status === "fulfilled" ? [result.value] : [])));
}
