import { createHash, type KeyObject } from "node:crypto";
import type { JWK } from "jose";
import {
  allRecords,
  type Json,
  RECORD_KINDS,
  type Records,
  type StoredRecord,
} from "../../control/records.js";
import type { UnixMillis } from "../../model/clock.js";
import { keyIdOf } from "../key-id.js";

/** Maximum number of keys of a principal. */
export const MAX_CREDENTIAL_KEYS = 10;
const KIND = RECORD_KINDS.credentialKey;

/** Public key with which the custom tokens of a principal are verified. */
export interface CredentialKey {
  readonly kid: string;
  readonly principal: string;
  readonly publicJwk: JWK;
  readonly expireTime: UnixMillis;
}

/** A new key before it is stored. */
export interface NewCredentialKey extends Pick<CredentialKey, "principal" | "expireTime"> {
  readonly publicKey: KeyObject;
}

type StoredKey = Pick<CredentialKey, "principal" | "publicJwk">;

/**
 * Stores a key.
 *
 * @returns `undefined` if the principal has the maximum number of keys.
 * @throws StoreUnavailableError if it is unknown whether the key was stored.
 */
export async function addCredentialKey(
  records: Pick<Records, "list" | "change">,
  { principal, expireTime, publicKey }: NewCredentialKey,
): Promise<CredentialKey | undefined> {
  if ((await keysOf(records, principal)).length >= MAX_CREDENTIAL_KEYS) return undefined;
  const { kty, n, e } = publicKey.export({ format: "jwk" });
  const publicJwk = { kty, n, e } as JWK;
  const kid = await keyIdOf(publicJwk);
  const value = { principal, publicJwk } as unknown as Json;
  await records.change([{ kind: KIND, key: `${prefixOf(principal)}${kid}`, value, expireTime }]);
  return { kid, principal, publicJwk, expireTime };
}

/** Removes a key. @returns false if there is no such key. @throws the same errors as {@link addCredentialKey}. */
export async function removeCredentialKey(
  records: Pick<Records, "list" | "change">,
  kid: string,
): Promise<boolean> {
  const found = (await allRecords(records, KIND)).find(({ key }) => kidOf(key) === kid);
  if (found === undefined) return false;
  await records.change([{ kind: KIND, key: found.key, value: undefined }]);
  return true;
}

/** Lists the keys of all principals. @throws StoreUnavailableError if the records cannot be read. */
export async function listCredentialKeys(records: Pick<Records, "list">): Promise<readonly CredentialKey[]> {
  return (await allRecords(records, KIND)).map(keyOf);
}

/** Lists the keys of one principal. @throws the same errors as {@link listCredentialKeys}. */
export async function keysOf(
  records: Pick<Records, "list">,
  principal: string,
): Promise<readonly CredentialKey[]> {
  const range = { prefix: prefixOf(principal), limit: MAX_CREDENTIAL_KEYS };
  return (await records.list(KIND, range)).map(keyOf);
}

/** Record keys contain a digest, because principal names can have any characters. */
const prefixOf = (principal: string): string =>
  `${createHash("sha256").update(principal).digest("base64url")}/`;

const kidOf = (key: string): string => key.slice(key.indexOf("/") + 1);

function keyOf({ key, value, expireTime }: StoredRecord): CredentialKey {
  const { principal, publicJwk } = value as unknown as StoredKey;
  if (expireTime === undefined) throw new Error(`the credential key ${key} does not expire`);
  return { kid: kidOf(key), principal, publicJwk, expireTime };
}
