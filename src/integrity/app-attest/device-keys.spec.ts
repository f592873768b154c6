import { createPublicKey, generateKeyPairSync } from "node:crypto";
import { describe, expect, it } from "vitest";
import { compressedPoint, readPublicKey } from "../attestation/certificate.js";
import { DeviceKeys } from "./device-keys.js";

const spkis = [1, 2].map(() =>
  generateKeyPairSync("ec", { namedCurve: "P-256" }).publicKey.export({ type: "spki", format: "der" }),
);

describe("DeviceKeys", () => {
  it("returns the key of each point, also when it is requested again", () => {
    const keys = new DeviceKeys();
    for (const spki of [...spkis, ...spkis]) {
      const point = compressedPoint(readPublicKey(spki)).toString("base64url");
      expect(keys.keyOf(point).equals(createPublicKey({ key: spki, type: "spki", format: "der" }))).toBe(
        true,
      );
    }
  });

  it("throws for a point that is not on the curve", () => {
    const keys = new DeviceKeys();
    const point = Buffer.alloc(33, 0xff).toString("base64url");
    for (const _attempt of [1, 2]) expect(() => keys.keyOf(point)).toThrow();
  });
});
