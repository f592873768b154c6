import { expect, it } from "vitest";
import { attestedKeyOf, keyIdOf } from "./attested-key.js";

it("reads a key from JSON, which omits a counter of zero", () => {
  const name = "projects/7/apps/a/attestedKeys/k-_";
  const createTime = "1970-01-01T00:00:01Z";
  expect(attestedKeyOf({ name, environment: "DEVELOPMENT", createTime })).toEqual({
    name,
    id: "k-_",
    isDevelopment: true,
    counter: 0,
    createTime: 1_000,
  });
  expect(attestedKeyOf({ name, environment: "PRODUCTION", createTime, counter: "7" })).toMatchObject({
    isDevelopment: false,
    counter: 7,
  });
});

it.each([" a+b/c== ", "a-b_c"])("converts the key id %j to base64url", (text) => {
  expect(keyIdOf(text)).toBe("a-b_c");
});
