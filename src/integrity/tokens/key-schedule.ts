import type { JWK } from "jose";
import { DAY_MS, HOUR_MS, MINUTE_MS, type UnixMillis } from "../../model/clock.js";

/** A key that signs tokens from its first use until the first use of the next key. */
export interface TokenKey {
  /** Key id in the header of tokens. */
  readonly kid: string;
  readonly privateJwk: JWK;
  /** Time from which the published key set contains the key. */
  readonly publishTime: UnixMillis;
  readonly firstUseTime: UnixMillis;
}

/** Keys, ordered by first use. */
export type TokenKeys = readonly TokenKey[];

/** A new key before it has a schedule. */
export type KeyMaterial = Pick<TokenKey, "kid" | "privateJwk">;

/** Time from publishing a key to its first use. Verifiers can cache the key set for this long. */
export const PUBLISHED_AHEAD_MS = 6 * HOUR_MS;
/** Time from the last use of a key to its removal: the maximum lifetime of a token, and an allowance for clock skew. */
export const KEPT_MS = 7 * DAY_MS + 5 * MINUTE_MS;

/** Returns the key that signs at a time. If the clock was set back before all keys, this is the oldest key. */
export const signingKeyAt = (keys: TokenKeys, now: UnixMillis): TokenKey | undefined =>
  keys.findLast(({ firstUseTime }) => firstUseTime <= now) ?? keys[0];

/** Returns the time at which all tokens signed by a key have expired; `undefined` while no other key follows. */
export function removeTimeOf(keys: TokenKeys, key: TokenKey): UnixMillis | undefined {
  const next = keys[keys.indexOf(key) + 1];
  return next && next.firstUseTime + KEPT_MS;
}

/** Returns the keys that still have valid tokens, and the next key. */
export function publishedAt(keys: TokenKeys, now: UnixMillis): TokenKeys {
  return keys.filter((key) => {
    const removeTime = removeTimeOf(keys, key);
    return removeTime === undefined || removeTime > now;
  });
}

/** Returns true if it is time to publish the next key. @param rotation time for which a key signs. */
export function isRotationDue(keys: TokenKeys, rotation: number, now: UnixMillis): boolean {
  const last = keys.at(-1);
  return last === undefined || last.firstUseTime + rotation - PUBLISHED_AHEAD_MS <= now;
}

/** Adds the next key. The first key signs immediately, and each later one after {@link PUBLISHED_AHEAD_MS}. */
export function withNextKey(keys: TokenKeys, next: KeyMaterial, now: UnixMillis): TokenKeys {
  const firstUseTime = keys.length === 0 ? now : now + PUBLISHED_AHEAD_MS;
  return inOrder([...publishedAt(keys, now), { ...next, publishTime: now, firstUseTime }]);
}

/**
 * Removes a key. If it signs at the time or no key remains, the next key signs immediately.
 *
 * @param spare used if there is no next key.
 * @returns `undefined` if there is no such key.
 */
export function withoutKey(
  keys: TokenKeys,
  kid: string,
  spare: KeyMaterial,
  now: UnixMillis,
): TokenKeys | undefined {
  const rest = keys.filter((key) => key.kid !== kid);
  if (rest.length === keys.length) return undefined;
  if (signingKeyAt(keys, now)?.kid !== kid) return rest;
  const next = rest.find(({ firstUseTime }) => firstUseTime > now) ?? { ...spare, publishTime: now };
  return inOrder([...rest.filter((key) => key !== next), { ...next, firstUseTime: now }]);
}

const inOrder = (keys: TokenKeys): TokenKeys => keys.toSorted((a, b) => a.firstUseTime - b.firstUseTime);
