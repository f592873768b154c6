import { calculateJwkThumbprint } from "jose";
import { expect, it } from "vitest";
import { keyIdOf } from "./key-id.js";

it("is a thumbprint that never begins with a hyphen", async () => {
  let withHyphen = 0;
  for (let n = 0; n < 300; n++) {
    const jwk = { kty: "oct", k: Buffer.from([n >> 8, n]).toString("base64url") };
    const [id, thumbprint] = await Promise.all([keyIdOf(jwk), calculateJwkThumbprint(jwk)]);
    if (thumbprint.startsWith("-")) withHyphen++;
    expect(id).toMatch(/^\w[\w-]{38,}$/);
    expect(thumbprint.replace(/^-*/, "")).toBe(id);
  }
  expect(withHyphen).toBeGreaterThan(0);
});
