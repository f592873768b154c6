import { join } from "node:path";
import { createLocalJWKSet, jwtVerify, SignJWT } from "jose";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { testDirectory } from "../../../test/support/test-directory.js";
import { KeyError } from "../../control/keys.js";
import { RECORD_KINDS } from "../../control/records.js";
import { testRecords } from "../../control/testing/test-records.js";
import { AdjustableClock, systemClock } from "../../model/clock.js";
import { withNextKey, withoutKey } from "./key-schedule.js";
import { changeTokenKeys, readTokenKeys, TokenKeyRing } from "./token-keys.js";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

let directory: string;
let rings: TokenKeyRing[];
let clock: AdjustableClock;
beforeEach(async () => {
  directory = await testDirectory();
  rings = [];
  clock = new AdjustableClock(systemClock);
  clock.set({ time: Date.UTC(2026, 0, 1), rate: 0 });
});
afterEach(async () => {
  for (const ring of rings) await ring.close();
});

const openRecords = () => testRecords(directory);

/** Opens the key ring as another process. */
async function openRing(): Promise<TokenKeyRing> {
  const onRotationError = (error: unknown): void => {
    throw error;
  };
  const records = await openRecords();
  const options = { records, clock, rotation: 30 * DAY, onRotationError, maxStaleness: 0 };
  const ring = await TokenKeyRing.open(options);
  rings.push(ring);
  return ring;
}

const kidsOf = async (ring: TokenKeyRing) => (await ring.publicKeys()).keys.map(({ kid }) => kid);
const advance = (duration: number) => clock.set({ time: clock.wall() + duration });

describe("TokenKeyRing", () => {
  it.each([
    ["token", (ring: TokenKeyRing) => ring.signingKey()],
    ["key set", (ring: TokenKeyRing) => ring.publicKeys()],
  ])("creates the first key for the first %s", async (_, use) => {
    const ring = await openRing();
    expect(await readTokenKeys(await openRecords())).toEqual([]);
    expect(ring.signingSince).toBeUndefined();
    await use(ring);
    expect(await readTokenKeys(await openRecords())).toHaveLength(1);
    expect(ring.signingSince).toBe(clock.wall());
  });

  it("shares one first key among processes that first use it together", async () => {
    const together = await Promise.all([openRing(), openRing(), openRing()]);
    const kids = await Promise.all(together.map(kidsOf));
    expect(kids[0]).toHaveLength(1);
    expect(new Set(kids.flat()).size).toBe(1);
    for (const ring of together) expect((await ring.signingKey()).kid).toBe(kids[0]?.[0]);
  });

  it("publishes the keys that verify its signatures, without their private parts", async () => {
    const ring = await openRing();
    const { kid, privateKey } = await ring.signingKey();
    const token = await new SignJWT({}).setProtectedHeader({ alg: "RS256", kid }).sign(privateKey);
    const set = await ring.publicKeys();
    await jwtVerify(token, createLocalJWKSet(set));
    expect(set.keys).toEqual([
      { kty: "RSA", use: "sig", alg: "RS256", kid, n: expect.stringMatching(/^[\w-]{342}$/), e: "AQAB" },
    ]);
    expect(await ring.publicKeys()).toBe(set);
  });

  it("publishes the same next key in all processes, and signs with it after six hours", async () => {
    const [first = ""] = await kidsOf(await openRing());
    await openRing();
    advance(30 * DAY - 6 * HOUR);
    await Promise.all(rings.map((ring) => ring.signingKey()));
    await expect.poll(async () => (await readTokenKeys(await openRecords())).length).toBe(2);
    const [kids = [], others] = await Promise.all(rings.map(kidsOf));
    expect(others).toEqual(kids);
    expect(kids).toEqual([first, expect.any(String)]);
    advance(6 * HOUR - 1);
    for (const ring of rings) expect((await ring.signingKey()).kid).toBe(first);
    advance(1);
    for (const ring of rings) expect((await ring.signingKey()).kid).toBe(kids[1]);
    advance(7 * DAY + 300_000);
    for (const ring of rings) expect(await kidsOf(ring)).toEqual([kids[1]]);
  });

  it("reports a failed rotation once, however many tokens are signed in the meantime", async () => {
    const records = await openRecords();
    const diskFull = new Error("the disk is full");
    let isFull = false;
    const errors: unknown[] = [];
    const ring = await TokenKeyRing.open({
      records: {
        place: records.place,
        get: (kind, key) => records.get(kind, key),
        change: (changes) => (isFull ? Promise.reject(diskFull) : records.change(changes)),
      },
      clock,
      rotation: 30 * DAY,
      onRotationError: (error) => errors.push(error),
    });
    rings.push(ring);
    await ring.signingKey();
    isFull = true;
    advance(30 * DAY);
    await Promise.all([ring.signingKey(), ring.signingKey(), ring.publicKeys()]);
    await ring.close();
    expect(errors).toEqual([diskFull]);
  });

  it("creates only one key, however often it cannot be stored", async () => {
    const records = await openRecords();
    const kids: unknown[] = [];
    const ring = await TokenKeyRing.open({
      records: {
        place: records.place,
        get: (kind, key) => records.get(kind, key),
        change: ([change]) => {
          kids.push((change?.value as { keys?: { kid: string }[] } | undefined)?.keys?.[0]?.kid);
          return Promise.reject(new Error("the disk is full"));
        },
      },
      clock,
      rotation: 30 * DAY,
      onRotationError: () => {},
    });
    rings.push(ring);
    for (const _ of Array(3)) await expect(ring.publicKeys()).rejects.toThrow("the disk is full");
    expect(kids).toEqual([expect.any(String), kids[0], kids[0]]);
  });

  it("keeps its keys across restarts", async () => {
    const { kid } = await (await openRing()).signingKey();
    expect((await (await openRing()).signingKey()).kid).toBe(kid);
  });

  it("uses keys that another process has added or revoked", async () => {
    const ring = await openRing();
    const { kid } = await ring.signingKey();
    const records = await openRecords();
    await changeTokenKeys(records, (keys, next) => withNextKey(keys, next, clock.wall()));
    expect(await kidsOf(ring)).toHaveLength(2);
    await changeTokenKeys(records, (keys, spare) => withoutKey(keys, kid, spare, clock.wall()));
    const [other] = await kidsOf(ring);
    expect(other).not.toBe(kid);
    expect((await ring.signingKey()).kid).toBe(other);
  });

  it("reports where a damaged key is stored", async () => {
    await (await openRing()).signingKey();
    const records = await openRecords();
    const [key] = await readTokenKeys(records);
    const value = { keys: [{ ...key, privateJwk: { kty: "RSA", n: "AQAB" } }] };
    await records.change([{ kind: RECORD_KINDS.key, key: "token-keys", value }]);
    const error: unknown = await openRing().catch((error: unknown) => error);
    expect(error).toBeInstanceOf(KeyError);
    expect((error as KeyError).message).toContain(
      `token-keys in ${join(directory, "records.db")} is damaged`,
    );
  });
});
