import { encode } from "cborg";
import fc from "fast-check";
import { beforeAll, describe, expect, it, test } from "vitest";
import { APP_ID, createChain, SyntheticDevice } from "./testing/synthetic-device.js";
import { type AssertionInput, verifyAssertion } from "./verify-assertion.js";
import { sha256 } from "./verify-attestation.js";

const clientDataHash = sha256(Buffer.from("client data"));
let device: SyntheticDevice;
let assertion: Buffer;

beforeAll(async () => {
  device = await SyntheticDevice.create(await createChain());
  assertion = await device.assert(clientDataHash, 7);
});

const verify = (changes: Partial<AssertionInput> = {}) =>
  verifyAssertion({
    assertion,
    clientDataHash,
    publicKey: device.publicKey,
    appId: APP_ID,
    counter: 6,
    ...changes,
  });

async function failures(changes: Partial<AssertionInput>): Promise<string[]> {
  const { steps } = await verify(changes);
  return steps.filter(({ ok }) => !ok).map(({ name }) => name);
}

describe("D verifyAssertion", () => {
  it("accepts an assertion that passes every step, and returns its counter", async () => {
    const result = await verify();
    expect(result.steps.map(({ name }) => name)).toEqual([
      "format",
      "public_key",
      "signature",
      "authenticator_data",
      "extensions",
      "rp_id_hash",
      "counter",
    ]);
    expect(result.ok && result.verified).toEqual({ counter: 7 });
  });

  it("rejects an assertion with a counter that does not rise", async () => {
    expect(await failures({ counter: 7 })).toEqual(["counter"]);
    expect(await failures({ counter: 8 })).toEqual(["counter"]);
    expect(await failures({ counter: 0xffff_ffff })).toEqual(["counter"]);
  });

  it("reads a counter as 32 bits without a sign", async () => {
    const last = await device.assert(clientDataHash, 0xffff_ffff);
    const result = await verify({ assertion: last, counter: 0x7fff_ffff });
    expect(result.ok && result.verified).toEqual({ counter: 0xffff_ffff });
  });

  it("throws if the previous counter is missing", async () => {
    for (const counter of [undefined as unknown as number, Number.NaN, -1, 0.5])
      await expect(verify({ counter })).rejects.toThrow("is not a counter");
  });

  it("rejects an assertion for other client data, another key or another app", async () => {
    const other = await SyntheticDevice.create(device.chain);
    expect(await failures({ clientDataHash: sha256(Buffer.from("other")) })).toEqual(["signature"]);
    expect(await failures({ publicKey: other.publicKey })).toEqual(["signature"]);
    expect(await failures({ appId: "TEAM123456.com.example.other" })).toEqual(["rp_id_hash"]);
  });

  it.each([0x40, 0xc0])("accepts the extensions of iOS 27 with the flags %i", async (flags) => {
    const after = Buffer.from(encode({ apple_bundle_version_01: "1" }));
    expect(await failures({ assertion: await device.assert(clientDataHash, 7, { flags, after }) })).toEqual(
      [],
    );
  });

  test.each([
    ["extensions that are not a map", { after: Buffer.of(1) }],
    ["bytes after the extensions", { after: Buffer.of(0xa0, 0) }],
    ["the extensions flag without extensions", { flags: 0x80 }],
  ])("rejects %s", async (_name, parts) => {
    expect(await failures({ assertion: await device.assert(clientDataHash, 7, parts) })).toEqual([
      "extensions",
    ]);
  });

  test.each<[string, unknown]>([
    ["text", "assertion"],
    ["no signature", { authenticatorData: Buffer.alloc(37) }],
    ["no authenticator data", { signature: Buffer.alloc(70) }],
    ["authenticator data as text", { signature: Buffer.alloc(70), authenticatorData: "x".repeat(37) }],
  ])("rejects an object of %s", async (_name, object) => {
    expect(await failures({ assertion: Buffer.from(encode(object)) })).toEqual(["format"]);
  });

  it("rejects short authenticator data and malformed signatures", async () => {
    const object = { signature: Buffer.alloc(70, 0x30), authenticatorData: Buffer.alloc(36) };
    expect(await failures({ assertion: Buffer.from(encode(object)) })).toEqual([
      "signature",
      "authenticator_data",
    ]);
    const empty = { signature: Buffer.alloc(0), authenticatorData: Buffer.alloc(37) };
    expect((await failures({ assertion: Buffer.from(encode(empty)) }))[0]).toBe("signature");
  });

  it("rejects a public key that is not a point on P-256", async () => {
    const offCurve = Buffer.from(device.publicKey);
    offCurve.fill(1, offCurve.length - 32);
    const onAnother = (await SyntheticDevice.create(device.chain, "P-384")).publicKey;
    for (const publicKey of [offCurve, onAnother, Buffer.alloc(0), device.publicKey.subarray(1)])
      expect(await failures({ publicKey })).toEqual(["public_key"]);
  });

  it("rejects an assertion with any changed bit, and never throws", async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(assertion.length * 8 - 1), async (bit) => {
        const changed = Buffer.from(assertion);
        changed[bit >> 3] = (changed[bit >> 3] as number) ^ (1 << (bit & 7));
        expect(await failures({ assertion: changed })).not.toEqual([]);
      }),
      { numRuns: 200 },
    );
  });
});
