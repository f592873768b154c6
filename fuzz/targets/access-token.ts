import { ok, strictEqual } from "node:assert/strict";
import { Authenticator } from "../../src/auth/tokens/authenticator.js";
import { fixedKeys } from "../../src/auth/tokens/key-source.js";
import { LOCAL_ISSUER } from "../../src/auth/tokens/local-issuer.js";
import type { FuzzTarget } from "../engine/fuzz-target.js";
import { checkRejection } from "../oracles/rejection.js";
import { fuzzIssuer, signedToken, TOKEN_HEADER } from "./fuzz-issuer.js";

/** Seconds since the Unix epoch. */
const NOW = 1_772_964_000;
const LEEWAY = 60;

const authenticator = new Authenticator([{ issuer: LOCAL_ISSUER, keys: fixedKeys(fuzzIssuer.jwks()) }], {
  clock: { wall: () => NOW * 1_000, monotonic: () => NOW * 1_000 },
});

const CLAIMS = {
  iss: LOCAL_ISSUER,
  aud: "waybill",
  sub: "user",
  email: "user@example.com",
  email_verified: true,
  scope: "https://www.googleapis.com/auth/platform",
  exp: NOW + 3_600,
  nbf: NOW,
};
const claims = (more: object): string => `${TOKEN_HEADER}\n${JSON.stringify({ ...CLAIMS, ...more })}`;
const VALID = signedToken(TOKEN_HEADER, JSON.stringify(CLAIMS));

/**
 * Only tokens that are valid in every respect are accepted. An input of two lines is the header and claims of
 * a token, which gets a valid signature; any other input is an `Authorization` header.
 */
export const accessToken: FuzzTarget = {
  name: "access-token",
  boundedInputs: 2_000,
  seeds: [
    `Bearer ${VALID}`,
    `Bearer ${VALID.slice(0, VALID.lastIndexOf(".") + 1)}`,
    `bearer  ${signedToken('{"alg":"none"}', JSON.stringify(CLAIMS))}`,
    claims({}),
    `\u{feff}${claims({})}`,
    claims({ aud: ["other", "waybill"], email: undefined, scp: ["a", 1], nbf: undefined }),
    claims({ exp: NOW - 61, email_verified: false, sub: "" }),
    claims({ iss: "https://other.example", cnf: { jkt: "x" } }),
    `{"alg":"HS256","kid":"fuzz"}\n${JSON.stringify(CLAIMS)}`,
    `{"alg":"EdDSA","kid":"fuzz","crit":["b64"],"b64":false}\n${JSON.stringify(CLAIMS)}`,
    `{"alg":"EdDSA","typ":"at+jwt"}\n${JSON.stringify(CLAIMS)}`,
    `{"alg":"EdDSA","typ":"dpop+jwt","jwk":{}}\n[]`,
  ],
  words: [
    ...Object.keys(CLAIMS).map((name) => `"${name}":`),
    ...['"alg":', '"typ":', '"kid":', '"crit":', '"jwk":', '"jku":', '"cnf":', '"scp":', '"EdDSA"'],
    ...['"none"', '"RS256"', '"HS256"'],
    ...[
      '"JWT"',
      '"at+jwt"',
      '"fuzz"',
      `"${LOCAL_ISSUER}"`,
      '"waybill"',
      `${NOW}`,
      `${NOW + 60}`,
      `${NOW - 60}`,
      "1e99",
      "-1",
      "null",
    ],
    ...["true", "false", '"true"', "{}", "[]", "[", "]", "{", "}", ",", ":", '"', ".", "\n", "Bearer "],
    ...["eyJ", "="],
  ],
  async run(input) {
    const end = input.indexOf("\n");
    const [header, payload] = [input.subarray(0, Math.max(end, 0)), input.subarray(end + 1)];
    const authorization = end < 0 ? input.toString("latin1") : `Bearer ${signedToken(header, payload)}`;
    try {
      const principal = await authenticator.authenticate(authorization);
      strictEqual(principal.issuer, LOCAL_ISSUER);
      ok(principal.name !== "");
    } catch (error) {
      strictEqual(checkRejection(error).httpStatus, 401);
      return;
    }
    if (end < 0) strictEqual(authorization.replace(/^bearer +/i, ""), VALID, "let in by another token");
    else checkToken(jsonOf(header), jsonOf(payload));
  },
};

/** Reads JSON. A reader may ignore a byte order mark (RFC 8259 §8.1), as the JWT library and `TextDecoder` do. */
const jsonOf = (bytes: Buffer): Record<string, unknown> => JSON.parse(new TextDecoder().decode(bytes));

function checkToken(header: Record<string, unknown>, claims: Record<string, unknown>): void {
  const { alg, typ, crit, kid } = header;
  const { iss, aud, exp, nbf, cnf, email, email_verified: verified, sub } = claims;
  strictEqual(alg, "EdDSA");
  ok(typ === undefined || /^(?:application\/)?(?:at\+)?jwt$/i.test(String(typ)), `typ ${typ}`);
  // RFC 7797; a JWT may name it if its claims are encoded anyway.
  const isKnown = JSON.stringify(crit) === '["b64"]' && header.b64 === true;
  ok(crit === undefined || isKnown, "unknown critical parameters");
  ok(kid === undefined || kid === "fuzz", `kid ${kid}`);
  strictEqual(iss, LOCAL_ISSUER);
  ok(aud === "waybill" || (Array.isArray(aud) && aud.includes("waybill")), `aud ${aud}`);
  ok(typeof exp === "number" && exp > NOW - LEEWAY, `exp ${exp}`);
  ok(nbf === undefined || (typeof nbf === "number" && nbf <= NOW + LEEWAY), `nbf ${nbf}`);
  strictEqual(cnf, undefined, "bound to a key");
  const trusted = verified === undefined || verified === true || verified === "true" ? email : undefined;
  ok(
    [trusted, sub].some((name) => typeof name === "string" && name !== ""),
    "names nobody",
  );
}
