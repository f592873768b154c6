import { expect, test } from "vitest";
import { claimsOf } from "./token-claims.js";

const jwt = (claims: unknown): string =>
  `e30.${Buffer.from(JSON.stringify(claims)).toString("base64url")}.c2lnbmF0dXJl`;

test.each<[token: string, principal: string | undefined, expiry: number | undefined]>([
  [jwt({ email: "ann@example.com", sub: "1234", exp: 99 }), "ann@example.com", 99],
  [jwt({ sub: "Zoë" }), "Zoë", undefined],
  [jwt({ email: "", sub: "1234" }), "1234", undefined],
  [jwt({ sub: 7, exp: "soon" }), undefined, undefined],
  [jwt(null), undefined, undefined],
  ["opaque-token", undefined, undefined],
  ["a.b.c", undefined, undefined],
])("claimsOf reads %j", (token, principal, expiry) => {
  expect(claimsOf(token)).toEqual({ principal, expiry });
});
