import { describe, expect, it, test } from "vitest";
import { readSecrets, signatureOf } from "./signature.js";

/** Test vector of the Standard Webhooks project. */
const VECTOR = {
  secret: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
  content: { id: "msg_p5jXN8AQM9LWM0D4loKWxJek", seconds: 1_614_265_330, body: '{"test": 2432232314}' },
  signature: "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
};
const secretOf = (bytes: number): string => `whsec_${Buffer.alloc(bytes, 251).toString("base64")}`;

describe("the signature of a message", () => {
  it("is that of the test vector", () => {
    expect(signatureOf(VECTOR.content, readSecrets(VECTOR.secret))).toBe(VECTOR.signature);
  });

  it("is one for each secret, so that they can be exchanged", () => {
    const other = secretOf(32);
    const [first, second, ...more] = signatureOf(
      VECTOR.content,
      readSecrets(`${other}\r\n${VECTOR.secret}\n`),
    ).split(" ");
    expect([first, more]).toEqual([signatureOf(VECTOR.content, readSecrets(other)), []]);
    expect(second).toBe(VECTOR.signature);
  });
});

test.each([
  ["", "it has no secret"],
  [" \n", "it has no secret"],
  [secretOf(24).slice(6), "secret 1 is not whsec_ and the base64 of 24 to 64 bytes"],
  [secretOf(23), "secret 1 is not"],
  [secretOf(65), "secret 1 is not"],
  [`${secretOf(24)} ${secretOf(32)}!`, "secret 2 is not"],
])("%j is no list of secrets, and the error quotes nothing of it", (text, problem) => {
  const reading = () => readSecrets(text);
  expect(reading).toThrow(problem);
  if (text.trim() !== "") expect(reading).not.toThrow(text.replace("whsec_", "").slice(0, 8));
});

test.each([24, 64])("a secret may have %i bytes, padded or not", (bytes) => {
  const [padded, bare] = readSecrets(`${secretOf(bytes)} ${secretOf(bytes).replace(/=+$/, "")}`);
  expect(padded).toEqual(Buffer.alloc(bytes, 251));
  expect(bare).toEqual(padded);
});
