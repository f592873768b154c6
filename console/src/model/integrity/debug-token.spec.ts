import { expect, it } from "vitest";
import { byDisplayName, debugTokenOf, newDebugSecret } from "./debug-token.js";

it("makes random UUIDs of version 4", () => {
  const secrets = Array.from({ length: 500 }, newDebugSecret);
  for (const secret of secrets)
    expect(secret).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(new Set(secrets).size).toBe(secrets.length);
});

it("sorts debug tokens by display name", () => {
  const tokens = [
    { name: "c", displayName: "phone" },
    { name: "b", displayName: "CI" },
    { name: "a", displayName: "phone" },
  ].map((token) => debugTokenOf({ ...token, updateTime: "1970-01-01T00:00:00Z" }));
  expect(tokens.sort(byDisplayName).map(({ name }) => name)).toEqual(["b", "a", "c"]);
});
