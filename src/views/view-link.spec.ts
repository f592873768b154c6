import fc from "fast-check";
import { expect, it } from "vitest";
import { LinkTokens, newLinkId } from "./view-link.js";

const tokens = new LinkTokens(Buffer.alloc(32, 1));
const CLAIMS = { project: "1", view: "v", link: newLinkId(), expireTime: 1_700_000_000_000 };

it("LinkTokens reads the tokens that it signs, and they can be part of a URL", () => {
  const token = tokens.sign(CLAIMS);
  expect(tokens.read(token)).toEqual(CLAIMS);
  expect(token).toMatch(/^[\w-]+\.[\w-]+$/);
});

it("LinkTokens rejects every changed token, and tokens of another key", () => {
  const token = tokens.sign(CLAIMS);
  expect(new LinkTokens(Buffer.alloc(32, 2)).read(token)).toBeUndefined();
  const change = fc.tuple(fc.nat(token.length), fc.nat(2), fc.string({ maxLength: 3 }));
  fc.assert(
    fc.property(change, ([at, removed, added]) => {
      const changed = token.slice(0, at) + added + token.slice(at + removed);
      expect(tokens.read(changed)).toEqual(changed === token ? CLAIMS : undefined);
    }),
  );
});

it("LinkTokens rejects claims of another link with the same signature", () => {
  const [, signature] = tokens.sign(CLAIMS).split(".");
  const [claims] = tokens.sign({ ...CLAIMS, expireTime: CLAIMS.expireTime + 1 }).split(".");
  expect(tokens.read(`${claims}.${signature}`)).toBeUndefined();
});
