import { createPublicKey } from "node:crypto";
import fc from "fast-check";
import { type JWTPayload, SignJWT } from "jose";
import { beforeAll, beforeEach, describe, expect, it, test } from "vitest";
import { Scope } from "../../gen/waybill/auth/v1/authorization_pb.js";
import { type JwksServer, jwksServer } from "../testing/jwks-server.js";
import { ManualClock } from "../testing/manual-clock.js";
import { rejectionOf } from "../testing/rejection-of.js";
import { type SigningKey, signingKey } from "../testing/signing-key.js";
import { Authenticator, type TrustedIssuer } from "./authenticator.js";
import { fixedKeys, remoteKeys } from "./key-source.js";

const ISSUER = "https://issuer.example";
const OTHER_ISSUER = "https://other.example";
const BASE = "https://www.googleapis.com/auth";

let key: SigningKey;
let otherKey: SigningKey;
let server: JwksServer;
let clock: ManualClock;
let authenticator: Authenticator;

beforeAll(async () => {
  [key, otherKey] = await Promise.all([signingKey("key"), signingKey("other")]);
});

beforeEach(async () => {
  server = await jwksServer(key);
  clock = new ManualClock();
  authenticator = new Authenticator(
    [
      { issuer: ISSUER, keys: remoteKeys(server.uri) },
      {
        issuer: OTHER_ISSUER,
        keys: fixedKeys({ keys: [otherKey.publicJwk] }),
        audience: ["https://api.example", "api"],
      },
    ],
    { clock },
  );
  return () => server.close();
});

type Replaced = Readonly<Record<string, unknown>>;

/** Valid claims with some replaced; `undefined` omits a claim. */
function claims(replaced: Replaced = {}): JWTPayload {
  return { iss: ISSUER, aud: "waybill", sub: "someone", exp: now() + 600, ...replaced };
}

const now = () => Math.floor(clock.wall() / 1_000);
const authenticate = (token: string) => authenticator.authenticate(`Bearer ${token}`);
const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");

describe("Authorization headers", () => {
  test.each([undefined, "", "Bearer", "Bearer ", "Basic dXNlcjpwYXNz", "BearerX", "Token Bearer x"])(
    "with the value %j are treated as absent",
    async (header) => {
      const rejection = await rejectionOf(() => authenticator.authenticate(header));
      expect(rejection).toMatchObject({ reason: "CREDENTIALS_MISSING", httpStatus: 401 });
      expect(rejection.headers).toEqual({ "www-authenticate": 'Bearer realm="waybill"' });
    },
  );

  test.each(["Bearer ", "bearer ", "BEARER  "])("may start with %j", async (scheme) => {
    const principal = await authenticator.authenticate(scheme + (await key.sign(claims())));
    expect(principal.name).toBe("someone");
  });
});

describe("Authenticator accepts tokens", () => {
  test.each(["RS256", "PS256", "ES256", "EdDSA"])("that are signed with %s", async (alg) => {
    const signer = await signingKey("k", alg);
    const keys = fixedKeys({ keys: [signer.publicJwk] });
    const one = new Authenticator([{ issuer: ISSUER, keys }], { clock });
    expect((await one.authenticate(`Bearer ${await signer.sign(claims())}`)).issuer).toBe(ISSUER);
  });

  test.each<[string, () => Replaced]>([
    ["several audiences", () => ({ aud: ["elsewhere", "waybill"] })],
    ["an age just within the leeway", () => ({ exp: now() - 59 })],
    ["a start time just within the leeway", () => ({ nbf: now() + 60 })],
  ])("with the property: %s", async (_what, replaced) => {
    expect((await authenticate(await key.sign(claims(replaced())))).name).toBe("someone");
  });

  test.each([
    undefined,
    "JWT",
    "jwt",
    "at+jwt",
    "AT+JWT",
    "application/jwt",
    "application/at+jwt",
    "Application/AT+JWT",
  ])("of type %s", async (typ) => {
    expect((await authenticate(await key.sign(claims(), { typ }))).name).toBe("someone");
  });

  test.each(["https://api.example", "api"])("with the configured audience %s", async (aud) => {
    const token = await otherKey.sign(claims({ iss: OTHER_ISSUER, aud }));
    expect((await authenticate(token)).issuer).toBe(OTHER_ISSUER);
  });

  test.each<[Replaced, string]>([
    [{ email: "a@example.com" }, "a@example.com"],
    [{ email: "a@example.com", email_verified: true }, "a@example.com"],
    [{ email: "a@example.com", sub: undefined }, "a@example.com"],
    [{ email: "a@example.com", email_verified: "true" }, "a@example.com"],
    ...[false, "false", "False", "True", "", "yes", 0, 1, null, [], {}, [true]].map(
      (verified): [Replaced, string] => [{ email: "a@example.com", email_verified: verified }, "someone"],
    ),
    [{ email: "" }, "someone"],
    [{ email: 7 }, "someone"],
  ])("with %j, for principal %s", async (replaced, name) => {
    expect((await authenticate(await key.sign(claims(replaced)))).name).toBe(name);
  });

  test.each<[Replaced, Scope[]]>([
    [{}, []],
    [{ scope: "" }, []],
    [{ scope: `openid ${BASE}/platform` }, [Scope.PLATFORM]],
    [{ scope: `${BASE}/cloud-platform  ${BASE}/firebase` }, [Scope.PLATFORM, Scope.APP_PLATFORM]],
    [{ scp: [`${BASE}/app-platform`, 7] }, [Scope.APP_PLATFORM]],
    [{ scp: `${BASE}/app-platform` }, [Scope.APP_PLATFORM]],
    [{ scope: { [`${BASE}/platform`]: true } }, []],
  ])("with %j, and reads the scopes %j", async (replaced, scopes) => {
    const principal = await authenticate(await key.sign(claims(replaced)));
    expect(principal.scopes).toEqual(new Set(scopes));
  });
});

describe("Authenticator rejects tokens", () => {
  const hs256 = (secret: string | Uint8Array) =>
    new SignJWT(claims())
      .setProtectedHeader({ alg: "HS256", kid: "key" })
      .sign(typeof secret === "string" ? Buffer.from(secret) : secret);
  const unsigned = (header: object, signature = "") => `${encode(header)}.${encode(claims())}.${signature}`;

  test.each<[string, string, () => string | Promise<string>]>([
    ["garbage", "MALFORMED", () => "garbage"],
    ["bytes beyond ASCII", "MALFORMED", () => "\u00ff.\u00ff.\u00ff"],
    ["two parts", "MALFORMED", () => "e30.e30"],
    ["only dots", "MALFORMED", () => ".."],
    ["five parts, as of an encrypted one", "MALFORMED", () => "e30.e30.e30.e30.e30"],
    ["claims that are not JSON", "MALFORMED", () => "e30.bm9wZQ.e30"],
    ["a megabyte", "MALFORMED", () => "a".repeat(2 ** 20)],
    ["a payload beyond the limit", "MALFORMED", () => key.sign(claims({ pad: "x".repeat(16_384) }))],
    ["no algorithm", "ALGORITHM_NOT_ALLOWED", () => unsigned({ alg: "none" })],
    ["no algorithm, in capitals", "ALGORITHM_NOT_ALLOWED", () => unsigned({ alg: "NONE" })],
    [
      "a signature but no algorithm",
      "ALGORITHM_NOT_ALLOWED",
      () => unsigned({ alg: "none", kid: "key" }, "AAAA"),
    ],
    [
      "HS256 with the public key as secret",
      "ALGORITHM_NOT_ALLOWED",
      () => {
        const publicKey = createPublicKey({ key: { ...key.publicJwk }, format: "jwk" });
        return hs256(publicKey.export({ type: "spki", format: "pem" }).toString());
      },
    ],
    ["HS256 with the JWK as secret", "ALGORITHM_NOT_ALLOWED", () => hs256(JSON.stringify(key.publicJwk))],
    [
      "an algorithm that is not allowed",
      "ALGORITHM_NOT_ALLOWED",
      async () => (await signingKey("key", "ES384")).sign(claims()),
    ],
    ["an unknown key id", "KEY_UNKNOWN", () => key.sign(claims(), { kid: "unknown" })],
    ["the key of another issuer", "KEY_UNKNOWN", () => otherKey.sign(claims())],
    ["its own key in the header", "KEY_UNKNOWN", () => otherKey.sign(claims(), { jwk: otherKey.publicJwk })],
    [
      "another key under a known id",
      "SIGNATURE_INVALID",
      async () => (await signingKey("key")).sign(claims()),
    ],
    ["no issuer", "ISSUER_NOT_TRUSTED", () => key.sign(claims({ iss: undefined }))],
    ["an unknown issuer", "ISSUER_NOT_TRUSTED", () => key.sign(claims({ iss: "https://evil.example" }))],
    ["an issuer with an extra slash", "ISSUER_NOT_TRUSTED", () => key.sign(claims({ iss: `${ISSUER}/` }))],
    ["no audience", "AUDIENCE_MISMATCH", () => key.sign(claims({ aud: undefined }))],
    ["another audience", "AUDIENCE_MISMATCH", () => key.sign(claims({ aud: "elsewhere" }))],
    ["the audience of another issuer", "AUDIENCE_MISMATCH", () => key.sign(claims({ aud: "api" }))],
    ["a start time in the future", "NOT_YET_VALID", () => key.sign(claims({ nbf: now() + 62 }))],
    ["no expiration", "EXPIRATION_MISSING", () => key.sign(claims({ exp: undefined }))],
    ["no principal", "PRINCIPAL_MISSING", () => key.sign(claims({ sub: undefined }))],
    [
      "a principal of 1,025 characters",
      "PRINCIPAL_MISSING",
      () => key.sign(claims({ sub: "x".repeat(1_025) })),
    ],
    ["an empty principal", "PRINCIPAL_MISSING", () => key.sign(claims({ sub: "" }))],
    ...[
      "dpop+jwt",
      "logout+jwt",
      "secevent+jwt",
      "application/dpop+jwt",
      "id_token+jwt",
      "at+jwt+x",
      "text/jwt",
      "application/application/jwt",
      "JOSE",
      " JWT",
      "",
      7,
      null,
      ["JWT"],
    ].map((typ): [string, string, () => Promise<string>] => [
      `the type ${JSON.stringify(typ)}`,
      "TYPE_NOT_ACCEPTED",
      () => key.sign(claims(), { typ }),
    ]),
    ...[{ jkt: "0ZcOCORZNYy-DWpqq30jZyJGHTN0d2HglBV3uiguA4I" }, { "x5t#S256": "x" }, {}, null, "x"].map(
      (cnf): [string, string, () => Promise<string>] => [
        `the confirmation ${JSON.stringify(cnf)}`,
        "KEY_BOUND",
        () => key.sign(claims({ cnf })),
      ],
    ),
    [
      "other than the signed claims",
      "SIGNATURE_INVALID",
      async () => {
        const [header, , signature] = (await key.sign(claims())).split(".");
        return [header, encode(claims({ sub: "somebody else" })), signature].join(".");
      },
    ],
  ])("with %s: %s", async (_what, problem, make) => {
    const token = await make();
    const rejection = await rejectionOf(() => authenticate(token));
    expect(rejection).toMatchObject({
      reason: "ACCESS_TOKEN_INVALID",
      httpStatus: 401,
      metadata: { problem },
    });
    expect(rejection.headers["www-authenticate"]).toMatch(
      /^Bearer realm="waybill", error="invalid_token", error_description="[ !#-[\]-~]+"$/,
    );
    expect(rejection.message).not.toContain(token);
  });

  it("that have expired by more than the leeway", async () => {
    const token = await key.sign(claims({ exp: now() - 61 }));
    const rejection = await rejectionOf(() => authenticate(token));
    expect(rejection).toMatchObject({ reason: "ACCESS_TOKEN_EXPIRED", httpStatus: 401 });
    expect(rejection.headers["www-authenticate"]).toContain('error="invalid_token"');
  });

  it("with the error UNAVAILABLE while the issuer's keys cannot be loaded", async () => {
    server.respond(503, "");
    const token = await key.sign(claims());
    expect(await rejectionOf(() => authenticate(token))).toMatchObject({
      reason: "ISSUER_KEYS_UNAVAILABLE",
      httpStatus: 503,
    });
  });

  it("that differ from a valid token in any character", async () => {
    const token = await key.sign(claims());
    await authenticate(token);
    const character = fc.constantFrom(
      ..."ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_=+/. ",
    );
    const position = fc.oneof(fc.nat(token.length - 1), fc.constant(token.length - 1));
    await fc.assert(
      fc.asyncProperty(position, character, fc.boolean(), async (at, inserted, replace) => {
        const mutated = token.slice(0, at) + inserted + token.slice(replace ? at + 1 : at);
        fc.pre(mutated !== token && mutated.trimStart() !== token);
        const { reason } = await rejectionOf(() => authenticate(mutated));
        expect(reason).toBe("ACCESS_TOKEN_INVALID");
      }),
      { numRuns: 500 },
    );
  });

  it("that spell a valid signature differently", async () => {
    const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    const token = await key.sign(claims());
    const accepted: string[] = [];
    for (const last of [...alphabet].flatMap((character) => [character, `${character}=`, `${character}==`])) {
      const spelling = token.slice(0, -1) + last;
      if (
        await Promise.resolve(authenticate(spelling)).then(
          () => true,
          () => false,
        )
      )
        accepted.push(spelling);
    }
    expect(accepted).toEqual([token]);
  });
});

describe("Authenticator with an additional issuer name", () => {
  const NAME = "http://127.0.0.1:8080";

  it("accepts the additional name once it was added", async () => {
    const token = await key.sign(claims({ iss: NAME }));
    expect((await rejectionOf(() => authenticate(token))).metadata).toEqual({
      problem: "ISSUER_NOT_TRUSTED",
    });
    authenticator.addIssuerName(ISSUER, NAME);
    const principal = await authenticate(token);
    expect(principal).toEqual(await authenticate(await key.sign(claims())));
    expect(principal.issuer).toBe(ISSUER);
  });

  it("accepts the additional name only with the keys and audiences of its issuer", async () => {
    authenticator.addIssuerName(ISSUER, NAME);
    const rejections = await Promise.all([
      rejectionOf(async () => authenticate(await otherKey.sign(claims({ iss: NAME })))),
      rejectionOf(async () => authenticate(await key.sign(claims({ iss: NAME, aud: "api" })))),
    ]);
    expect(rejections.map(({ metadata }) => metadata.problem)).toEqual(["KEY_UNKNOWN", "AUDIENCE_MISMATCH"]);
  });

  it("accepts adding the same name again, but rejects a name of another issuer", () => {
    authenticator.addIssuerName(ISSUER, NAME);
    authenticator.addIssuerName(ISSUER, NAME);
    expect(() => authenticator.addIssuerName(OTHER_ISSUER, NAME)).toThrow(NAME);
    expect(() => authenticator.addIssuerName(ISSUER, OTHER_ISSUER)).toThrow(OTHER_ISSUER);
    expect(() => authenticator.addIssuerName("nobody", NAME)).toThrow("nobody");
  });
});

describe("a cached token", () => {
  it("is accepted synchronously", async () => {
    const token = await key.sign(claims());
    const principal = await authenticate(token);
    expect(authenticate(token)).toBe(principal);
    expect(server.fetches).toBe(1);
  });

  it.each(["bearer ", "BEARER   "])("is accepted synchronously after %j", async (scheme) => {
    const token = await key.sign(claims());
    const principal = await authenticate(token);
    expect(authenticator.authenticate(scheme + token)).toBe(principal);
  });

  it.each([
    ["a character more", (token: string) => `x${token}`, "MALFORMED"],
    ["another token before it", (token: string) => `${token}, Bearer ${token}`, "MALFORMED"],
    [
      "another payload",
      (token: string) => token.replace(/\..*\./, `.${encode({ iss: ISSUER })}.`),
      "SIGNATURE_INVALID",
    ],
  ])("does not accept %s with the same end", async (_name, change, problem) => {
    const token = await key.sign(claims());
    const principal = await authenticate(token);
    expect((await rejectionOf(() => authenticate(change(token)))).metadata).toEqual({ problem });
    expect(await authenticate(token)).toEqual(principal);
  });

  it("is rejected after it has expired", async () => {
    const token = await key.sign(claims({ exp: now() + 10 }));
    await authenticate(token);
    clock.advance(69_000 - (clock.wall() % 1_000));
    expect(authenticate(token)).not.toBeInstanceOf(Promise);
    clock.advance(1_000);
    expect((await rejectionOf(() => authenticate(token))).reason).toBe("ACCESS_TOKEN_EXPIRED");
  });

  it("stays cached when its issuer adds another key", async () => {
    const token = await key.sign(claims());
    const principal = await authenticate(token);
    server.publish(key, otherKey);
    clock.advance(5 * 60_000);
    expect(await authenticate(token)).toBe(principal);
    expect(server.fetches).toBe(2);
    expect(authenticate(token)).toBe(principal);
  });

  it("is rejected once its key is no longer published", async () => {
    const token = await key.sign(claims());
    await authenticate(token);
    server.publish(otherKey);
    clock.advance(5 * 60_000);
    expect((await rejectionOf(() => authenticate(token))).metadata).toEqual({ problem: "KEY_UNKNOWN" });
    expect((await rejectionOf(() => authenticate(token))).metadata).toEqual({ problem: "KEY_UNKNOWN" });
  });

  it("stays accepted while its issuer is unreachable", async () => {
    const token = await key.sign(claims());
    const principal = await authenticate(token);
    server.respond(500, "");
    clock.advance(5 * 60_000);
    expect(await authenticate(token)).toBe(principal);
    expect(authenticate(token)).toBe(principal);
  });
});

describe("Authenticator with other issuers", () => {
  const first = (): TrustedIssuer => ({ issuer: ISSUER, keys: remoteKeys(server.uri) });
  const second = (): TrustedIssuer => ({
    issuer: OTHER_ISSUER,
    keys: fixedKeys({ keys: [otherKey.publicJwk] }),
  });
  const problemOf = async (token: string) => (await rejectionOf(() => authenticate(token))).metadata.problem;

  it("immediately rejects cached tokens of a removed issuer", async () => {
    const token = await key.sign(claims());
    await authenticate(token);
    authenticator.setIssuers([second()]);
    expect(await problemOf(token)).toBe("ISSUER_NOT_TRUSTED");
    authenticator.setIssuers([first()]);
    expect((await authenticate(token)).name).toBe("someone");
  });

  it("rejects a token that is being verified while its issuer is removed", async () => {
    const token = await key.sign(claims());
    const verifying = rejectionOf(() => authenticate(token));
    authenticator.setIssuers([second()]);
    expect((await verifying).metadata.problem).toBe("ISSUER_NOT_TRUSTED");
    expect(await problemOf(token)).toBe("ISSUER_NOT_TRUSTED");
  });

  it("accepts tokens of an added issuer", async () => {
    authenticator.setIssuers([first()]);
    const token = await otherKey.sign(claims({ iss: OTHER_ISSUER }));
    expect(await problemOf(token)).toBe("ISSUER_NOT_TRUSTED");
    authenticator.setIssuers([first(), second()]);
    expect((await authenticate(token)).issuer).toBe(OTHER_ISSUER);
  });

  it("keeps the keys and verified tokens of an unchanged issuer", async () => {
    const issuer = first();
    authenticator.setIssuers([issuer]);
    const token = await key.sign(claims());
    const principal = await authenticate(token);
    const { fetches } = server;
    authenticator.setIssuers([second(), issuer]);
    expect(authenticate(token)).toBe(principal);
    expect(server.fetches).toBe(fetches);
  });

  it("verifies tokens again after an issuer's audience has changed", async () => {
    const token = await key.sign(claims());
    await authenticate(token);
    authenticator.setIssuers([{ ...first(), audience: ["api"] }]);
    expect(await problemOf(token)).toBe("AUDIENCE_MISMATCH");
  });

  it("keeps the additional names of an issuer, and changes nothing if another issuer has such a name", async () => {
    const name = "http://127.0.0.1:8080";
    authenticator.addIssuerName(ISSUER, name);
    authenticator.setIssuers([first()]);
    const token = await key.sign(claims({ iss: name }));
    expect((await authenticate(token)).issuer).toBe(ISSUER);
    expect(() => authenticator.setIssuers([first(), { ...second(), issuer: name }])).toThrow(name);
    expect((await authenticate(token)).issuer).toBe(ISSUER);
  });
});
