import { generateKeyPairSync } from "node:crypto";
import { jwtVerify } from "jose";
import { describe, expect, it } from "vitest";
import { TokenSigner } from "./token-signer.js";

const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength: 2_048 });
const KEY = { kid: "k", privateKey };
const CLAIMS = { sub: "app", aud: ["a", "ü"] };

describe("TokenSigner", () => {
  it("signs a JWT that names its key", async () => {
    const token = await new TokenSigner({ areFrequent: false }).sign(KEY, CLAIMS);
    const { payload, protectedHeader } = await jwtVerify(token, publicKey);
    expect(payload).toEqual(CLAIMS);
    expect(protectedHeader).toEqual({ alg: "RS256", kid: "k", typ: "JWT" });
  });

  it.each([
    { calls: "few", areFrequent: false, most: 2, simultaneous: 5 },
    { calls: "frequent", areFrequent: true, most: 2, simultaneous: 2 },
    { calls: "frequent", areFrequent: true, most: 1, simultaneous: 1 },
  ])(
    "signs $simultaneous of 5 tokens at a time after $calls calls with a limit of $most",
    async ({ areFrequent, most, simultaneous }) => {
      const { signatures, sign } = heldSignatures();
      const signer = new TokenSigner({ areFrequent }, most, sign);
      const tokens = Array.from({ length: 5 }, () => signer.sign(KEY, CLAIMS));
      for (let signed = 0; signed < 5; signed++) {
        await settled();
        expect(signatures).toHaveLength(Math.min(simultaneous, 5 - signed));
        signatures.shift()?.(Buffer.from("s"));
      }
      expect(await Promise.all(tokens)).toHaveLength(5);
    },
  );

  it("starts no more signatures than the limit once calls are frequent", async () => {
    const { signatures, sign } = heldSignatures();
    const calls = { areFrequent: false };
    const signer = new TokenSigner(calls, 2, sign);
    const tokens = Array.from({ length: 4 }, () => signer.sign(KEY, CLAIMS));
    calls.areFrequent = true;
    tokens.push(...Array.from({ length: 2 }, () => signer.sign(KEY, CLAIMS)));
    for (const expected of [4, 3, 2, 2, 2, 1]) {
      await settled();
      expect(signatures).toHaveLength(expected);
      signatures.shift()?.(Buffer.from("s"));
    }
    expect(await Promise.all(tokens)).toHaveLength(6);
  });

  it("signs all waiting tokens once calls are not frequent, and after a failure", async () => {
    const { signatures, sign } = heldSignatures();
    const calls = { areFrequent: true };
    const signer = new TokenSigner(calls, 1, sign);
    const tokens = Array.from({ length: 5 }, () => signer.sign(KEY, CLAIMS));
    await settled();
    expect(signatures).toHaveLength(1);
    calls.areFrequent = false;
    signatures.shift()?.(Promise.reject(new Error("failed")));
    await expect(tokens[0]).rejects.toThrow("failed");
    await settled();
    expect(signatures).toHaveLength(4);
    for (const complete of signatures) complete(Buffer.from("s"));
    expect(await Promise.all(tokens.slice(1))).toHaveLength(4);
  });
});

type Complete = (signature: Buffer | Promise<Buffer>) => void;

/** Returns a function that signs, and a list of its signatures in progress. */
function heldSignatures() {
  const signatures: Complete[] = [];
  const sign = (): Promise<Buffer> => new Promise<Buffer>((resolve) => signatures.push(resolve));
  return { signatures, sign };
}

/** Waits until no promise callbacks remain. */
const settled = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));
