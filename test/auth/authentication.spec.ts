import { createLocalJWKSet, exportSPKI, importJWK, type JWTPayload, SignJWT, UnsecuredJWT } from "jose";
import { describe, expect } from "vitest";
import { errorOf } from "../../src/api/testing/error-of.js";
import { signingKey } from "../../src/auth/testing/signing-key.js";
import { LOCAL_ISSUER, type LocalIssuer } from "../../src/auth/tokens/local-issuer.js";
import { listOf } from "../support/data/delivery-data.js";
import { send } from "../support/http/exchange.js";
import { localIssuerOf, localKeyOf } from "../support/servers/access-token.js";
import { test as serving } from "../support/servers/fixtures.js";
import { untilLogged } from "../support/servers/log.js";
import { ANDROID_APP, VIEWER } from "../support/servers/project.js";

const PLATFORM = "https://www.googleapis.com/auth/platform";
const LIST = listOf(ANDROID_APP);
let good: string;
let issuer: LocalIssuer;
/** Signs any claims with the server's own key. */
let forge: (claims: JWTPayload, header?: object) => Promise<string>;

const test = serving.extend(
  "list",
  ({ server }) =>
    (authorization?: string) =>
      send(server.messagingDataUrl, LIST, authorization === undefined ? {} : { headers: { authorization } }),
);

test.beforeAll(async ({ server }) => {
  good = await server.token(VIEWER);
  issuer = await localIssuerOf(server.dataDir);
  const [publicJwk] = issuer.jwks().keys;
  const jwk = await localKeyOf(server.dataDir);
  const key = await importJWK(jwk, "EdDSA");
  forge = (claims, header = {}) =>
    new SignJWT(claims).setProtectedHeader({ alg: "EdDSA", kid: publicJwk?.kid ?? "", ...header }).sign(key);
});

const now = (): number => Math.floor(Date.now() / 1000);
/** A valid token's claims, with some replaced; `undefined` removes a claim. */
const claims = (changed: object = {}): JWTPayload => ({
  iss: LOCAL_ISSUER,
  aud: "waybill",
  email: VIEWER,
  scope: PLATFORM,
  exp: now() + 600,
  ...changed,
});

describe("a request without a bearer token", () => {
  test.for([
    ["no header", undefined],
    ["an empty header", ""],
    ["a scheme without a token", "Bearer"],
    ["an empty token", "Bearer "],
    ["another scheme", "Basic dXNlcjpwYXNzd29yZA=="],
    ["a scheme with the same beginning", "BearerToken x"],
    ["a token without a scheme", "x.y.z"],
  ] as const)("is rejected: %s", async ([_case, authorization], { list }) => {
    const { status, headers, text } = await list(authorization);
    expect(status).toBe(401);
    expect(headers["www-authenticate"]).toBe('Bearer realm="waybill"');
    expect(errorOf(text)).toMatchObject({
      status: "UNAUTHENTICATED",
      reason: "CREDENTIALS_MISSING",
      domain: "messaging-data.waybill",
    });
  });
});

describe("an invalid token", () => {
  test.for<[name: string, make: () => string | Promise<string>, problem: string | undefined]>([
    ["garbage", () => "garbage", "MALFORMED"],
    ["three parts of garbage", () => "a.b.c", "MALFORMED"],
    ["bytes", () => "\xff\xfe", "MALFORMED"],
    ["two tokens", () => `${good} ${good}`, "MALFORMED"],
    ["cut short", () => good.slice(0, -10), "SIGNATURE_INVALID"],
    ["without a signature", () => good.replace(/[^.]*$/, ""), "SIGNATURE_INVALID"],
    ["expired", () => forge(claims({ exp: now() - 61 })), undefined],
    ["expired long ago", () => forge(claims({ exp: 1 })), undefined],
    ["not yet valid", () => forge(claims({ nbf: now() + 120 })), "NOT_YET_VALID"],
    ["without an expiration time", () => forge(claims({ exp: undefined })), "EXPIRATION_MISSING"],
    ["of another issuer", () => forge(claims({ iss: "https://evil.example.com" })), "ISSUER_NOT_TRUSTED"],
    ["without an issuer", () => forge(claims({ iss: undefined })), "ISSUER_NOT_TRUSTED"],
    ["for another audience", () => forge(claims({ aud: "another" })), "AUDIENCE_MISMATCH"],
    ["for no audience", () => forge(claims({ aud: undefined })), "AUDIENCE_MISMATCH"],
    ["without a principal", () => forge(claims({ email: undefined })), "PRINCIPAL_MISSING"],
    ["signed with an unknown key", () => forge(claims(), { kid: "another" }), "KEY_UNKNOWN"],
    ["unsecured", () => new UnsecuredJWT(claims()).encode(), "ALGORITHM_NOT_ALLOWED"],
    [
      "signed with another key under the same id",
      async () => (await signingKey(issuer.jwks().keys[0]?.kid ?? "", "EdDSA")).sign(claims()),
      "SIGNATURE_INVALID",
    ],
    [
      "with an algorithm that is not allowed",
      async () => (await signingKey("k", "ES384")).sign(claims()),
      "ALGORITHM_NOT_ALLOWED",
    ],
    ["signed with the public key as a secret", hmacWithPublicKey, "ALGORITHM_NOT_ALLOWED"],
    ["with an unknown critical header", () => withCritical(), "MALFORMED"],
    ["of more than 16 KiB", () => forge(claims({ padding: "x".repeat(16_384) })), "MALFORMED"],
  ])("is rejected: %s", async ([_name, make, problem], { list }) => {
    const token = await make();
    const { status, headers, text } = await list(`Bearer ${token}`);
    expect(status).toBe(401);
    expect(headers["www-authenticate"]).toMatch(
      /^Bearer realm="waybill", error="invalid_token", error_description="[^"\\]+"$/,
    );
    const reason = problem === undefined ? "ACCESS_TOKEN_EXPIRED" : "ACCESS_TOKEN_INVALID";
    expect(errorOf(text)).toMatchObject({ code: 401, status: "UNAUTHENTICATED", reason });
    expect(errorOf(text).metadata.problem).toBe(problem);
    expect(text).not.toContain(token);
  });

  async function hmacWithPublicKey(): Promise<string> {
    const [jwk] = issuer.jwks().keys;
    const publicKey = await createLocalJWKSet(issuer.jwks())({ alg: "EdDSA", kid: jwk?.kid ?? "" });
    const secret = Buffer.from(await exportSPKI(publicKey));
    return new SignJWT(claims()).setProtectedHeader({ alg: "HS256", kid: jwk?.kid ?? "" }).sign(secret);
  }

  function withCritical(): string {
    const [header = "", ...rest] = good.split(".");
    const changed = { ...JSON.parse(Buffer.from(header, "base64url").toString()), crit: ["exp"] };
    return [Buffer.from(JSON.stringify(changed)).toString("base64url"), ...rest].join(".");
  }

  test("is rejected after a change of any character", async ({ list }) => {
    expect((await list(`Bearer ${good}`)).status).toBe(200);
    for (let at = 0; at < good.length; at++) {
      const changed = good[at] === "A" ? "B" : "A";
      const { status } = await list(`Bearer ${good.slice(0, at)}${changed}${good.slice(at + 1)}`);
      expect(status, `character ${at}`).toBe(401);
    }
  });
});

describe("a valid token", () => {
  test.for<[name: string, make: () => Promise<string>, scheme: string]>([
    ["of the command", async () => good, "Bearer"],
    ["with the scheme in another case", async () => good, "bEARER"],
    ["that expired within the leeway", () => forge(claims({ exp: now() - 30 })), "Bearer"],
    ["that becomes valid within the leeway", () => forge(claims({ nbf: now() + 30 })), "Bearer"],
    ["for several audiences", () => forge(claims({ aud: ["another", "waybill"] })), "Bearer"],
    ["of a principal by sub", () => forge(claims({ email: undefined, sub: VIEWER })), "Bearer"],
    ["without a key id", () => forge(claims(), { kid: undefined }), "Bearer"],
    ["with scp", () => forge(claims({ scope: undefined, scp: ["x", PLATFORM] })), "Bearer"],
    ["with many scopes", () => forge(claims({ scope: `openid ${PLATFORM} email` })), "Bearer"],
  ])("is accepted: %s", async ([_name, make, scheme], { list }) => {
    expect((await list(`${scheme} ${await make()}`)).status).toBe(200);
  });
});

test("logs the principal, but never a token", async ({ server, list }) => {
  const bad = await forge(claims({ exp: 1 }));
  await list(`Bearer ${bad}`);
  await send(server.messagingDataUrl, `${LIST}?access_token=${bad}`);
  await send(server.messagingDataUrl, `${LIST}?pageToken=${good}&oauth_token=${good}`, { token: good });
  const rejection = '"reason":"PARAMETER_NOT_ALLOWED"';
  const log = await untilLogged(server, rejection);
  expect(log).toContain(rejection);
  expect(log).toContain(`"principal":"${VIEWER}"`);
  for (const token of [good, bad]) {
    for (const part of token.split(".").slice(1)) expect(log).not.toContain(part);
  }
});
