import { expect, test } from "vitest";
import { tokenProblem } from "./token-problem.js";

const NOW = Date.UTC(2026, 0, 1);
const jwt = (claims: object): string =>
  `e30.${Buffer.from(JSON.stringify(claims)).toString("base64url")}.c2lnbmF0dXJl`;

test.each<[token: string, problem: RegExp | undefined]>([
  ["", /^Paste/],
  ["a b", /characters/],
  ["\u00e9", /characters/],
  ["curl -H", /characters/],
  ["opaque-token_1~2+3/4==", undefined],
  [jwt({ exp: NOW / 1000 + 1 }), undefined],
  [jwt({ exp: NOW / 1000 }), /expired/],
  [jwt({ exp: "soon" }), undefined],
  [jwt({}), undefined],
  // Similar to a JWT, so only the services can decide.
  ["a.b.c", undefined],
  ["..", undefined],
])("tokenProblem reports the right error for %j", (token, problem) => {
  const found = tokenProblem(token, NOW);
  if (problem === undefined) expect(found).toBeUndefined();
  else expect(found).toMatch(problem);
});
