import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import {
  isRotationDue,
  KEPT_MS,
  type KeyMaterial,
  PUBLISHED_AHEAD_MS,
  publishedAt,
  removeTimeOf,
  signingKeyAt,
  type TokenKeys,
  withNextKey,
  withoutKey,
} from "./key-schedule.js";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const ROTATION = 30 * DAY;

const material = (kid: string): KeyMaterial => ({ kid, privateJwk: { kty: "RSA" } });
const FIRST = withNextKey([], material("first"), 0);
const kids = (keys: TokenKeys) => keys.map(({ kid }) => kid);

describe("withNextKey", () => {
  it("makes the first key usable immediately", () => {
    expect(FIRST).toEqual([{ ...material("first"), publishTime: 0, firstUseTime: 0 }]);
    expect(signingKeyAt(FIRST, 0)?.kid).toBe("first");
  });

  it("publishes the next key six hours before its first use", () => {
    const now = ROTATION - PUBLISHED_AHEAD_MS;
    const keys = withNextKey(FIRST, material("second"), now);
    expect(kids(publishedAt(keys, now))).toEqual(["first", "second"]);
    expect(signingKeyAt(keys, now + 6 * HOUR - 1)?.kid).toBe("first");
    expect(signingKeyAt(keys, now + 6 * HOUR)?.kid).toBe("second");
  });
});

test("publishedAt keeps a key for seven days and five minutes after its last use", () => {
  const keys = withNextKey(FIRST, material("second"), 0);
  const removeTime = 6 * HOUR + 7 * DAY + 300_000;
  expect(keys.map((key) => removeTimeOf(keys, key))).toEqual([removeTime, undefined]);
  expect(kids(publishedAt(keys, removeTime - 1))).toEqual(["first", "second"]);
  expect(kids(publishedAt(keys, removeTime))).toEqual(["second"]);
});

test.each([
  [0, false],
  [ROTATION - PUBLISHED_AHEAD_MS - 1, false],
  [ROTATION - PUBLISHED_AHEAD_MS, true],
  [10 * ROTATION, true],
])("isRotationDue returns for the time %d: %j", (now, isDue) => {
  expect(isRotationDue(FIRST, ROTATION, now)).toBe(isDue);
});

test("signingKeyAt returns the oldest key after the clock was set back", () => {
  expect(signingKeyAt(withNextKey([], material("a"), 5_000), 1_000)?.kid).toBe("a");
});

describe("withoutKey", () => {
  const two = withNextKey(FIRST, material("second"), 0);

  it("lets the waiting key sign immediately if the signing key is removed", () => {
    const keys = withoutKey(two, "first", material("spare"), 1_000) ?? [];
    expect(keys).toEqual([{ ...material("second"), publishTime: 0, firstUseTime: 1_000 }]);
  });

  it("adds a key that signs immediately if no key is waiting", () => {
    const keys = withoutKey(two, "second", material("spare"), DAY) ?? [];
    expect(kids(keys)).toEqual(["first", "spare"]);
    expect(signingKeyAt(keys, DAY)?.kid).toBe("spare");
  });

  it("changes nothing else if the removed key does not sign", () => {
    expect(kids(withoutKey(two, "second", material("spare"), 0) ?? [])).toEqual(["first"]);
    expect(kids(withoutKey(two, "first", material("spare"), DAY) ?? [])).toEqual(["second"]);
  });

  it("returns `undefined` for an unknown key", () => {
    expect(withoutKey(two, "third", material("spare"), 0)).toBeUndefined();
  });
});

test("key schedules keep each token verifiable until it expires, with keys that verifiers can have cached", () => {
  const steps = fc.array(fc.integer({ min: 1, max: 10 * DAY }), { maxLength: 60 });
  fc.assert(
    fc.property(steps, fc.integer({ min: DAY, max: 40 * DAY }), (pauses, rotation) => {
      let now = 0;
      let keys = FIRST;
      const signed: { readonly kid: string; readonly until: number }[] = [];
      for (const [index, pause] of pauses.entries()) {
        now += pause;
        if (isRotationDue(keys, rotation, now)) keys = withNextKey(keys, material(`${index}`), now);
        const key = signingKeyAt(keys, now);
        const published = kids(publishedAt(keys, now));
        expect(published).toContain(key?.kid);
        if (key?.publishTime !== 0) expect(now - (key?.publishTime ?? now)).toBeGreaterThanOrEqual(6 * HOUR);
        signed.push({ kid: key?.kid ?? "", until: now + 7 * DAY });
        for (const { kid, until } of signed) if (until >= now) expect(published).toContain(kid);
      }
    }),
  );
  expect(KEPT_MS).toBeGreaterThan(7 * DAY);
});
