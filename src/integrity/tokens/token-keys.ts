import { createPrivateKey, createPublicKey, generateKeyPair, type KeyObject } from "node:crypto";
import { promisify } from "node:util";
import type { JSONWebKeySet, JWK } from "jose";
import { Followed } from "../../control/followed.js";
import { JsonDocument } from "../../control/json-document.js";
import { KeyError, type KeyRecords } from "../../control/keys.js";
import { RECORD_KINDS } from "../../control/records.js";
import type { Clock, UnixMillis } from "../../model/clock.js";
import { keyIdOf } from "../key-id.js";
import {
  isRotationDue,
  type KeyMaterial,
  publishedAt,
  signingKeyAt,
  type TokenKey,
  type TokenKeys,
  withNextKey,
} from "./key-schedule.js";

const TOKEN_KEYS = "token-keys";
const MODULUS_BITS = 2_048;

interface StoredKeys {
  readonly keys: TokenKeys;
}

export interface SigningKey {
  readonly kid: string;
  readonly privateKey: KeyObject;
}

export interface TokenKeyRingOptions {
  readonly records: KeyRecords;
  readonly clock: Clock;
  /** Time for which a key signs, in milliseconds. */
  readonly rotation: number;
  /** Called if the next key cannot be created. The next use of the ring tries again. */
  readonly onRotationError: (error: unknown) => void;
  /** Called after this process has published a key. */
  readonly onPublished?: (key: TokenKey) => void;
  /** Maximum time for which reads may miss changes of other processes, in milliseconds. */
  readonly maxStaleness?: number;
}

/**
 * The keys that sign tokens, shared by all processes. Each use of the ring publishes the next key if it is due. The first
 * use creates the first key, which needs about 0.1 s of processor time: a server without attested apps starts without
 * it.
 */
export class TokenKeyRing {
  readonly #options: TokenKeyRingOptions;
  readonly #document: JsonDocument<StoredKeys>;
  readonly #followed: Followed;
  #keys: TokenKeys = [];
  #rotating: Promise<void> | undefined;
  /** A key that could not be stored yet. Callers without a token can request keys, so each attempt uses the same one. */
  #spare: KeyMaterial | undefined;
  #signing: SigningKey | undefined;
  #published: { readonly keys: TokenKeys; readonly set: JSONWebKeySet } | undefined;

  private constructor(options: TokenKeyRingOptions) {
    this.#options = options;
    this.#document = documentOf(options.records);
    this.#followed = new Followed(async () => {
      this.#keys = (await this.#document.read())?.keys ?? [];
    }, options.maxStaleness);
  }

  /**
   * Opens the ring, and checks its keys.
   *
   * @throws KeyError if the keys are damaged.
   * @throws StoreUnavailableError if the records fail.
   */
  static async open(options: TokenKeyRingOptions): Promise<TokenKeyRing> {
    const ring = new TokenKeyRing(options);
    await ring.#followed.upToDate();
    if (ring.#keys.length > 0) await Promise.all([ring.signingKey(), ring.publicKeys()]);
    return ring;
  }

  /** Returns the current signing key. @throws the same errors as {@link open}. */
  async signingKey(): Promise<SigningKey> {
    const keys = await this.#current();
    const { kid, privateJwk } = expectKey(signingKeyAt(keys, this.#options.clock.wall()));
    if (this.#signing?.kid !== kid)
      this.#signing = { kid, privateKey: privateKeyOf(privateJwk, this.#place) };
    return this.#signing;
  }

  /**
   * Returns the published key set. The object stays the same until the keys change.
   *
   * @throws the same errors as {@link open}.
   */
  async publicKeys(): Promise<JSONWebKeySet> {
    const keys = publishedAt(await this.#current(), this.#options.clock.wall());
    if (this.#published === undefined || !isSame(keys, this.#published.keys))
      this.#published = { keys, set: { keys: keys.map((key) => publicJwkOf(key, this.#place)) } };
    return this.#published.set;
  }

  /** First use of the current signing key, as of the last read; `undefined` before there is a key. */
  get signingSince(): UnixMillis | undefined {
    return signingKeyAt(this.#keys, this.#options.clock.wall())?.firstUseTime;
  }

  /** Waits until a key that is being created is stored. */
  async close(): Promise<void> {
    await this.#rotating?.catch(() => {});
  }

  get #place(): string {
    return `${TOKEN_KEYS} in ${this.#options.records.place}`;
  }

  async #current(): Promise<TokenKeys> {
    const { rotation, clock, onRotationError } = this.#options;
    await this.#followed.upToDate();
    if (!isRotationDue(this.#keys, rotation, clock.wall())) return this.#keys;
    const isFirst = this.#keys.length === 0;
    if (this.#rotating === undefined) {
      this.#rotating = this.#rotate().finally(() => {
        this.#rotating = undefined;
      });
      if (!isFirst) this.#rotating.catch(onRotationError);
    }
    if (isFirst) await this.#rotating;
    return this.#keys;
  }

  async #rotate(): Promise<void> {
    const { clock, rotation, onPublished } = this.#options;
    this.#spare ??= await makeKey();
    const next = this.#spare;
    await this.#document.change((before) => {
      const now = clock.wall();
      const keys = before?.keys ?? [];
      return isRotationDue(keys, rotation, now) ? { keys: withNextKey(keys, next, now) } : undefined;
    });
    this.#spare = undefined;
    this.#followed.changed();
    await this.#followed.upToDate();
    const made = this.#keys.find(({ kid }) => kid === next.kid);
    if (made !== undefined) onPublished?.(made);
  }
}

/** Reads the keys. @throws StoreUnavailableError if the records cannot be read. */
export async function readTokenKeys(records: KeyRecords): Promise<TokenKeys> {
  return (await documentOf(records).read())?.keys ?? [];
}

/**
 * Changes the keys atomically. Running processes follow within a second.
 *
 * @param after returns the new keys; `undefined` to keep the old ones. Called again after a conflict.
 * @returns the keys after the change.
 * @throws StoreUnavailableError if the records fail.
 */
export async function changeTokenKeys(
  records: KeyRecords,
  after: (keys: TokenKeys, spare: KeyMaterial) => TokenKeys | undefined,
): Promise<TokenKeys> {
  const spare = await makeKey();
  const document = documentOf(records);
  await document.change((before) => {
    const keys = after(before?.keys ?? [], spare);
    return keys && { keys };
  });
  return (await document.read())?.keys ?? [];
}

const documentOf = (records: KeyRecords): JsonDocument<StoredKeys> =>
  new JsonDocument(records, RECORD_KINDS.key, TOKEN_KEYS);

const generate = promisify(generateKeyPair);

async function makeKey(): Promise<KeyMaterial> {
  const { privateKey } = await generate("rsa", { modulusLength: MODULUS_BITS });
  const privateJwk = { ...privateKey.export({ format: "jwk" }) } as JWK;
  return { kid: await keyIdOf(privateJwk), privateJwk };
}

function expectKey(key: TokenKey | undefined): TokenKey {
  if (key === undefined)
    throw new KeyError("the token keys were removed while they were being created; try again");
  return key;
}

/** @throws KeyError that names the place where the damaged key is stored. */
function privateKeyOf(jwk: JWK, place: string): KeyObject {
  try {
    const key = createPrivateKey({ key: jwk, format: "jwk" });
    if (key.asymmetricKeyType === "rsa") return key;
    throw new Error("it is not an RSA key");
  } catch (cause) {
    throw new KeyError(
      `a token signing key in ${place} is damaged; restore it, or remove it with "waybill keys revoke"`,
      { cause },
    );
  }
}

function publicJwkOf({ kid, privateJwk }: TokenKey, place: string): JWK {
  const { kty, n, e } = createPublicKey(privateKeyOf(privateJwk, place)).export({ format: "jwk" });
  return { kty, use: "sig", alg: "RS256", kid, n, e } as JWK;
}

const isSame = (a: TokenKeys, b: TokenKeys): boolean =>
  a.length === b.length && a.every((key, index) => key === b[index]);
