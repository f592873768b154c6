import { createPublicKey } from "node:crypto";
import { once } from "node:events";
import { connect } from "node:net";
import {
  createRemoteJWKSet,
  decodeJwt,
  importJWK,
  type JWTPayload,
  jwtVerify,
  SignJWT,
  UnsecuredJWT,
} from "jose";
import * as oauth from "oauth4webapi";
import { describe, expect } from "vitest";
import { errorOf } from "../../src/api/testing/error-of.js";
import { signingKey } from "../../src/auth/testing/signing-key.js";
import type { LocalIssuer } from "../../src/auth/tokens/local-issuer.js";
import { listOf } from "../support/data/delivery-data.js";
import { importInto, parsedLines } from "../support/data/import.js";
import { type HttpResponse, send } from "../support/http/exchange.js";
import { poll } from "../support/poll.js";
import { localIssuerOf, localKeyOf } from "../support/servers/access-token.js";
import { type CredentialsFile, createCredentials } from "../support/servers/credentials.js";
import { test as serving } from "../support/servers/fixtures.js";
import { ANDROID_APP, BASE_CONFIG, EDITOR, IOS_APP, PROJECT, VIEWER } from "../support/servers/project.js";
import type { Server } from "../support/servers/server.js";

const GRANT = "urn:ietf:params:oauth:grant-type:token-exchange";
const ACCESS_TOKEN = "urn:ietf:params:oauth:token-type:access_token";
const JWT = "urn:ietf:params:oauth:token-type:jwt";
const SCOPES = "https://www.googleapis.com/auth";
const GET = `/v1/projects/${PROJECT.id}/apps/${IOS_APP}/appAttestConfig`;
const LIST = listOf(ANDROID_APP);
const EXCHANGE = "urn:waybill:token-exchange";
const ADDRESS = "https://waybill.example.com/api";
/** The fixed name of the local issuer, and its address. */
const ISSUERS = ["urn:waybill:local", ADDRESS];
let credentials: CredentialsFile;
let issuer: LocalIssuer;
/** Signs any claims with the server's own key. */
let forge: (claims: JWTPayload, header?: object) => Promise<string>;

const test = serving
  .extend(
    "post",
    ({ server }) =>
      (
        body: URLSearchParams | string | Buffer,
        headers: Record<string, string> = {},
      ): Promise<HttpResponse> =>
        send(server.integrityUrl, "/oauth2/token", {
          method: "POST",
          headers: { "content-type": "application/x-www-form-urlencoded", ...headers },
          body: body instanceof URLSearchParams ? body.toString() : body,
        }),
  )
  .extend("exchange", ({ post }) => async (changes: Changes = {}) => {
    const { status, text } = await post(form(changes));
    return { status, ...(JSON.parse(text) as Readonly<Record<string, unknown>>) } as TokenResult;
  })
  .extend(
    "get",
    ({ server }) =>
      (target: string) =>
        send(server.integrityUrl, target),
  )
  /** A server with a configured address, and a viewer by each name of its issuer. */
  .extend("addressed", { scope: "file" }, ({ openSharedServer }) => {
    const access = ISSUERS.map((issuer) => {
      return { principal: `viewer of ${issuer}`, issuer, projects: "*", role: "viewer" };
    });
    return openSharedServer({
      ...BASE_CONFIG,
      access: [...BASE_CONFIG.access, ...access],
      integrityUrl: `${ADDRESS}/`,
    });
  });

test.beforeAll(async ({ server }) => {
  credentials = await createCredentials(server, VIEWER);
  issuer = await localIssuerOf(server.dataDir);
  const jwk = await localKeyOf(server.dataDir);
  const key = await importJWK(jwk, "EdDSA");
  const kid = issuer.jwks().keys[0]?.kid ?? "";
  forge = (claims, header = {}) =>
    new SignJWT(claims).setProtectedHeader({ alg: "EdDSA", kid, ...header }).sign(key);
});

type Changes = Readonly<Record<string, string | undefined>>;
/** A valid request's parameters, some of them replaced; `undefined` removes a parameter. */
function form(changes: Changes = {}): URLSearchParams {
  const all = {
    grant_type: GRANT,
    subject_token: credentials.subject_token,
    subject_token_type: JWT,
    ...changes,
  };
  const given = Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return new URLSearchParams(given);
}
/** The sources of tokens that the server issued. */
interface Issued {
  readonly server: Server;
  readonly exchange: () => Promise<TokenResult>;
}
interface TokenResult {
  readonly status: number;
  readonly access_token: string;
  readonly expires_in: number;
  readonly scope: string;
  readonly error?: string;
  readonly error_description?: string;
}
const now = (): number => Math.floor(Date.now() / 1000);

describe("the token exchange", () => {
  test("returns an access token for the principal, with the fields of RFC 8693", async ({ server, post }) => {
    const { status, headers, text } = await post(
      form({ audience: "waybill", requested_token_type: ACCESS_TOKEN }),
    );
    expect(status).toBe(200);
    expect(headers).toMatchObject({
      "content-type": "application/json; charset=utf-8",
      "cache-control": "no-store",
      pragma: "no-cache",
    });
    const response = JSON.parse(text);
    expect(response).toEqual({
      access_token: expect.any(String),
      issued_token_type: ACCESS_TOKEN,
      token_type: "Bearer",
      expires_in: 3600,
      scope: `${SCOPES}/platform`,
    });
    const { iss, aud, sub, iat = 0, exp = 0 } = decodeJwt(response.access_token);
    expect({ iss, aud, sub, seconds: exp - iat }).toEqual({
      iss: server.integrityUrl,
      aud: "waybill",
      sub: VIEWER,
      seconds: 3600,
    });
  });

  test("returns a new access token each time", async ({ exchange }) => {
    const responses = await Promise.all([exchange(), exchange(), exchange()]);
    expect(new Set(responses.map((response) => response.access_token)).size).toBe(3);
  });

  test("returns an access token for both services, with the principal's rights", async ({
    server,
    exchange,
  }) => {
    const { access_token: token } = await exchange();
    expect((await send(server.integrityUrl, GET, { token })).status).toBe(200);
    expect((await send(server.messagingDataUrl, LIST, { token })).status).toBe(200);
    const { text } = await send(server.messagingDataUrl, importInto(), {
      method: "POST",
      token,
      headers: { "content-type": "application/x-ndjson" },
    });
    expect(errorOf(text)).toMatchObject({ reason: "PERMISSION_MISSING", metadata: { role: "editor" } });
  });

  test("returns an access token that ends no later than the credential", async ({ server, exchange }) => {
    const short = await createCredentials(server, VIEWER, "--ttl", "20m");
    const response = await exchange({ subject_token: short.subject_token });
    expect(response.expires_in).toBeLessThanOrEqual(1200);
    expect(response.expires_in).toBeGreaterThan(600);
    expect(decodeJwt(response.access_token).exp).toBeLessThanOrEqual(decodeJwt(short.subject_token).exp ?? 0);
  });

  test("accepts a charset parameter and unknown parameters", async ({ post }) => {
    const body = form({ client_id: "me", options: "{}", x: "y", scope: "", actor_token: "" }).toString();
    const type = 'Application/X-WWW-Form-Urlencoded; charset="UTF-8"';
    const { status } = await post(body, { "content-type": type });
    expect(status).toBe(200);
  });
});

describe("the token exchange", () => {
  const [PLATFORM, CLOUD, APP, FIREBASE] = ["platform", "cloud-platform", "app-platform", "firebase"].map(
    (name) => `${SCOPES}/${name}`,
  ) as [string, string, string, string];
  let narrow: CredentialsFile;
  test.beforeAll(async ({ server }) => {
    narrow = await createCredentials(server, VIEWER, "--scope", "app-platform");
  });

  test.for<[what: string, asked: string | undefined, granted: string]>([
    ["platform if no scope is requested", undefined, PLATFORM],
    ["platform if an empty scope is requested", "", PLATFORM],
    ["platform", PLATFORM, PLATFORM],
    ["cloud-platform under its own name", CLOUD, CLOUD],
    ["several scopes in their order", `${FIREBASE} ${CLOUD}`, `${FIREBASE} ${CLOUD}`],
    ["a repeated scope once", `${APP} ${APP}  ${APP}`, APP],
    ["the known ones of several scopes", `openid email ${SCOPES}/drive ${CLOUD}`, CLOUD],
  ])("grants %s", async ([_, scope, granted], { exchange }) => {
    const response = await exchange({ scope });
    expect(response.scope).toBe(granted);
    expect(decodeJwt(response.access_token).scope).toBe(granted);
  });

  test.for<[what: string, asked: string | undefined, granted: string]>([
    ["app-platform if no scope is requested", undefined, APP],
    ["only firebase of both services' scopes", `${CLOUD} ${FIREBASE}`, FIREBASE],
  ])("grants a credential for app-platform %s", async ([_, scope, granted], { server, exchange }) => {
    const response = await exchange({ subject_token: narrow.subject_token, scope });
    expect(response.scope).toBe(granted);
    const { text } = await send(server.messagingDataUrl, LIST, { token: response.access_token });
    expect(errorOf(text).reason).toBe("ACCESS_TOKEN_SCOPE_INSUFFICIENT");
  });

  test.for([
    ["only unknown scopes", `${SCOPES}/drive`],
    ["a short name of a scope", "platform"],
    ["a scope in another case", CLOUD.toUpperCase()],
    ["a line break", `${CLOUD}\r\nset-cookie: a=b`],
    ["a quote", `${CLOUD}"`],
    ["spaces only", "  "],
    ["a long one", "a".repeat(50_000)],
  ] as const)("rejects the scope: %s", async ([_case, scope], { exchange }) => {
    const response = await exchange({ scope });
    expect(response).toMatchObject({ status: 400, error: "invalid_scope" });
    expect(response.error_description?.length).toBeLessThan(400);
  });

  test("rejects a scope that the credential does not have", async ({ exchange }) => {
    const response = await exchange({ subject_token: narrow.subject_token, scope: CLOUD });
    expect(response).toMatchObject({ status: 400, error: "invalid_scope" });
    expect(response.error_description).toContain(APP);
  });
});

describe("the token exchange rejects a request", () => {
  const rejected = async (response: HttpResponse, status: number, error: string): Promise<string> => {
    expect(response.status).toBe(status);
    expect(response.headers).toMatchObject({
      "content-type": "application/json; charset=utf-8",
      "cache-control": "no-store",
      pragma: "no-cache",
    });
    const { error: code, error_description: description, ...rest } = JSON.parse(response.text);
    expect({ code, rest }).toEqual({ code: error, rest: {} });
    // RFC 6749 §5.2
    expect(description).toMatch(/^[\x20-\x21\x23-\x5b\x5d-\x7e]{1,400}$/);
    return description;
  };

  test.for<[string, Changes, string, string]>([
    ["no grant type", { grant_type: undefined }, "invalid_request", "grant_type is missing"],
    ["an empty grant type", { grant_type: "" }, "invalid_request", "grant_type is missing"],
    ["another grant type", { grant_type: "client_credentials" }, "unsupported_grant_type", GRANT],
    ["no subject token", { subject_token: undefined }, "invalid_request", "subject_token is missing"],
    ["no type", { subject_token_type: undefined }, "invalid_request", "subject_token_type is missing"],
    ["another type", { subject_token_type: ACCESS_TOKEN }, "invalid_request", JWT],
    ["another requested token type", { requested_token_type: JWT }, "invalid_request", ACCESS_TOKEN],
    ["an actor", { actor_token: "x", actor_token_type: JWT }, "invalid_request", "actor_token"],
    ["an actor's type", { actor_token_type: JWT }, "invalid_request", "actor_token"],
    ["another audience", { audience: "elsewhere" }, "invalid_target", "waybill"],
    ["a resource", { resource: "https://api.example.com" }, "invalid_target", "resource"],
  ])("with %s", async ([_case, changes, error, message], { post }) => {
    expect(await rejected(await post(form(changes)), 400, error)).toContain(message);
  });

  test.for(["grant_type", "subject_token", "subject_token_type", "scope", "x"])(
    "with %s twice",
    async (name, { post }) => {
      const body = form({ scope: `${SCOPES}/platform`, x: "y" });
      body.append(name, body.get(name) ?? "");
      expect(await rejected(await post(body), 400, "invalid_request")).toContain(`${name} occurs twice`);
    },
  );

  test("with a valid and an invalid audience", async ({ post }) => {
    const body = form({ audience: "waybill" });
    body.append("audience", "waybill");
    expect((await post(body)).status).toBe(200);
    body.append("audience", "elsewhere");
    await rejected(await post(body), 400, "invalid_target");
  });

  test.for<[string, Changes, Record<string, string>]>([
    ["a secret", { client_id: "me", client_secret: "secret" }, {}],
    ["an assertion", { client_assertion: "x", client_assertion_type: "y" }, {}],
    ["a header", {}, { authorization: `Basic ${btoa("me:secret")}` }],
    ["a bearer token", {}, { authorization: "Bearer x" }],
  ])("with client authentication by %s", async ([_case, changes, headers], { post }) => {
    const response = await post(form(changes), headers);
    await rejected(response, 401, "invalid_client");
    expect(response.headers["www-authenticate"]).toBe('Basic realm="waybill"');
  });

  test.for<[string, Record<string, string>, () => string | Buffer, string]>([
    ["JSON", { "content-type": "application/json" }, () => "{}", "Content-Type"],
    ["no type", { "content-type": "" }, () => form().toString(), "Content-Type"],
    [
      "another charset",
      { "content-type": "application/x-www-form-urlencoded; charset=latin1" },
      () => form().toString(),
      "Content-Type",
    ],
    ["bytes that are not UTF-8", {}, () => Buffer.from([0x61, 0x3d, 0xff]), "UTF-8"],
    ["nothing", {}, () => "", "grant_type is missing"],
    [
      "more than the maximum",
      {},
      () => form({ x: "y".repeat(65_536) }).toString(),
      "larger than 65536 bytes",
    ],
    [
      "more than the maximum, in chunks",
      { "transfer-encoding": "chunked" },
      () => form({ x: "y".repeat(2_000_000) }).toString(),
      "larger than 65536 bytes",
    ],
  ])("with a body of %s", async ([_case, headers, body, message], { post }) => {
    expect(await rejected(await post(body(), headers), 400, "invalid_request")).toContain(message);
  });

  test("with its parameters in the URL", async ({ server }) => {
    const target = `/oauth2/token?${form()}`;
    const headers = { "content-type": "application/x-www-form-urlencoded" };
    const response = await send(server.integrityUrl, target, { method: "POST", headers, body: "" });
    expect(await rejected(response, 400, "invalid_request")).toContain("not in the URL");
  });

  test("with another HTTP method, as on any other path", async ({ server }) => {
    const { status, headers, text } = await send(server.integrityUrl, "/oauth2/token");
    expect({ status, allow: headers.allow }).toEqual({ status: 405, allow: "POST" });
    expect(errorOf(text).reason).toBe("METHOD_NOT_ALLOWED");
  });

  test("and serves other clients even if some disconnect within a request", async ({ server, exchange }) => {
    const { hostname, port } = new URL(server.integrityUrl);
    const sockets = await Promise.all(
      Array.from({ length: 20 }, async () => {
        const socket = connect(Number(port), hostname);
        socket.on("error", () => {});
        await once(socket, "connect");
        socket.write(
          "POST /oauth2/token HTTP/1.1\r\nhost: a\r\ncontent-type: application/x-www-form-urlencoded\r\ncontent-length: 60000\r\n\r\ngrant_type=",
        );
        return socket;
      }),
    );
    expect((await exchange()).status).toBe(200);
    for (const socket of sockets) socket.destroy();
    expect((await exchange()).status).toBe(200);
  });
});

describe("a subject token", () => {
  const claims = (changes: object = {}): JWTPayload => ({
    iss: "urn:waybill:local",
    aud: EXCHANGE,
    sub: VIEWER,
    scope: `${SCOPES}/platform`,
    exp: now() + 600,
    jti: "1",
    ...changes,
  });
  test("with valid claims is exchanged", async ({ exchange }) => {
    expect((await exchange({ subject_token: await forge(claims()) })).status).toBe(200);
  });

  const altered = (token: string, changes: object): string => {
    const [header, , signature] = token.split(".");
    const payload = Buffer.from(JSON.stringify({ ...decodeJwt(token), ...changes })).toString("base64url");
    return [header, payload, signature].join(".");
  };
  const NOT_FOR_THIS = "it was not made for the token exchange";
  const OTHER_KEY = "not signed with the key";

  test.for<[string, (by: Issued) => string | Promise<string>, string]>([
    ["garbage", () => "garbage", "not a JWT"],
    ["bytes", () => "\u00ff.\u00ff.\u00ff", "not a JWT"],
    ["a long text", () => "a".repeat(20_000), "too long"],
    ["an access token of `waybill token`", ({ server }) => server.token(EDITOR), NOT_FOR_THIS],
    [
      "an access token of the exchange",
      async ({ exchange }) => (await exchange()).access_token,
      "not made by the local issuer",
    ],
    ["several audiences", () => forge(claims({ aud: [EXCHANGE, "waybill"] })), NOT_FOR_THIS],
    ["the audience in a list", () => forge(claims({ aud: [EXCHANGE] })), NOT_FOR_THIS],
    ["no audience", () => forge(claims({ aud: undefined })), NOT_FOR_THIS],
    [
      "another issuer",
      ({ server }) => forge(claims({ iss: server.integrityUrl })),
      "not made by the local issuer",
    ],
    ["no issuer", () => forge(claims({ iss: undefined })), "not made by the local issuer"],
    ["an expiration time in the past", () => forge(claims({ exp: now() - 1 })), "expired"],
    ["no expiration time", () => forge(claims({ exp: undefined })), "missing or wrong"],
    ["a start time in the future", () => forge(claims({ nbf: now() + 600 })), "missing or wrong"],
    ["nobody", () => forge(claims({ sub: undefined })), "missing or wrong"],
    ["an empty name", () => forge(claims({ sub: "" })), "does not contain a principal"],
    ["no signature", () => new UnsecuredJWT(claims()).encode(), "not a JWT"],
    [
      "no signature, with another spelling of `none`",
      async () => {
        const [, payload] = (await forge(claims())).split(".");
        return `${Buffer.from('{"alg":"NONE"}').toString("base64url")}.${payload}.`;
      },
      "not a JWT",
    ],
    [
      "the public key as a secret",
      () => {
        const jwk = issuer.jwks().keys[0] as Record<string, string>;
        const pem = createPublicKey({ key: jwk, format: "jwk" }).export({ type: "spki", format: "pem" });
        return new SignJWT(claims())
          .setProtectedHeader({ alg: "HS256", kid: String(jwk.kid) })
          .sign(Buffer.from(String(pem)));
      },
      "not a JWT",
    ],
    ["another principal's name", () => altered(credentials.subject_token, { sub: EDITOR }), OTHER_KEY],
    [
      "a later expiration time",
      () => altered(credentials.subject_token, { exp: now() + 10 ** 9 }),
      OTHER_KEY,
    ],
    ["another key", async () => (await signingKey("other", "EdDSA")).sign(claims()), OTHER_KEY],
    [
      "another key with the same id",
      async () => (await signingKey(issuer.jwks().keys[0]?.kid ?? "", "EdDSA")).sign(claims()),
      OTHER_KEY,
    ],
    [
      "a key in its own header",
      async () => {
        const key = await signingKey("mine", "EdDSA");
        return key.sign(claims(), { jwk: key.publicJwk });
      },
      OTHER_KEY,
    ],
  ])("is rejected: %s", async ([_case, make, message], { server, exchange }) => {
    const response = await exchange({ subject_token: await make({ server, exchange }) });
    // RFC 8693 §2.2.2 requires this code for every invalid token.
    expect(response).toMatchObject({ status: 400, error: "invalid_request" });
    expect(response.error_description).toContain(message);
  });
});

describe("a subject token is rejected as an access token at", () => {
  test.for([
    ["integrityUrl", GET],
    ["messagingDataUrl", LIST],
  ] as const)("%s", async ([service, target], { server }) => {
    const response = await send(server[service], target, { token: credentials.subject_token });
    expect(response.status).toBe(401);
    expect(errorOf(response.text)).toMatchObject({
      reason: "ACCESS_TOKEN_INVALID",
      metadata: { problem: "AUDIENCE_MISMATCH" },
    });
  });
});

describe("the local issuer publishes", () => {
  test("its metadata", async ({ server, get }) => {
    const { status, headers, text } = await get("/.well-known/oauth-authorization-server");
    expect({ status, type: headers["content-type"] }).toEqual({
      status: 200,
      type: "application/json; charset=utf-8",
    });
    expect(JSON.parse(text)).toEqual({
      issuer: server.integrityUrl,
      token_endpoint: `${server.integrityUrl}/oauth2/token`,
      jwks_uri: `${server.integrityUrl}/oauth2/jwks.json`,
      scopes_supported: ["platform", "cloud-platform", "app-platform", "firebase"].map(
        (name) => `${SCOPES}/${name}`,
      ),
      response_types_supported: [],
      grant_types_supported: [GRANT],
      token_endpoint_auth_methods_supported: ["none"],
    });
  });

  test("only the public half of its key", async ({ server, get }) => {
    const { status, headers, text } = await get("/oauth2/jwks.json");
    expect({ status, type: headers["content-type"] }).toEqual({
      status: 200,
      type: "application/jwk-set+json",
    });
    const { keys } = JSON.parse(text);
    expect(keys.map((key: object) => Object.keys(key).sort())).toEqual([
      ["alg", "crv", "kid", "kty", "use", "x"],
    ]);
    const file = await localKeyOf(server.dataDir);
    expect(text).not.toContain(file.d);
    expect(keys[0].x).toBe(file.x);
  });

  test("keys that let a gateway verify its tokens", async ({ get, exchange }) => {
    const metadata = JSON.parse((await get("/.well-known/oauth-authorization-server")).text);
    const keys = createRemoteJWKSet(new URL(metadata.jwks_uri));
    const { access_token: token } = await exchange();
    const { payload } = await jwtVerify(token, keys, { issuer: metadata.issuer, audience: "waybill" });
    expect(payload.email).toBe(VIEWER);
  });

  test("nothing on the messaging-data service's port", async ({ server }) => {
    for (const target of ["/.well-known/oauth-authorization-server", "/oauth2/jwks.json"]) {
      expect((await send(server.messagingDataUrl, target)).status).toBe(404);
    }
    const { status } = await send(server.messagingDataUrl, "/oauth2/token", { method: "POST" });
    expect(status).toBe(404);
  });
});

test("a public OAuth client can discover the token exchange from the server's address", async ({
  server,
}) => {
  const insecure = { [oauth.allowInsecureRequests]: true };
  const address = new URL(server.integrityUrl);
  const discovered = await oauth.discoveryRequest(address, { algorithm: "oauth2", ...insecure });
  const as = await oauth.processDiscoveryResponse(address, discovered);
  const client: oauth.Client = { client_id: "reports" };
  const ask = (parameters: Record<string, string>) =>
    oauth.genericTokenEndpointRequest(as, client, oauth.None(), GRANT, parameters, insecure);
  const subject = { subject_token: credentials.subject_token, subject_token_type: JWT };

  const response = await oauth.processGenericTokenEndpointResponse(
    as,
    client,
    await ask({ ...subject, scope: `${SCOPES}/cloud-platform` }),
  );
  expect(response).toMatchObject({
    token_type: "bearer",
    expires_in: 3600,
    scope: `${SCOPES}/cloud-platform`,
  });
  const listed = await send(server.messagingDataUrl, LIST, { token: response.access_token });
  expect(listed.status).toBe(200);

  const rejection = ask({ ...subject, subject_token: "x" }).then((response) =>
    oauth.processGenericTokenEndpointResponse(as, client, response),
  );
  await expect(rejection).rejects.toMatchObject({ error: "invalid_request", status: 400 });
});

test("the log contains the principal and credential of each issued token, but no token", async ({
  server,
  exchange,
  post,
}) => {
  const response = await exchange({ scope: `${SCOPES}/firebase` });
  const rejected = await post(form({ subject_token: `${credentials.subject_token}A` }));
  expect(rejected.status).toBe(400);
  const id = rejected.headers["x-request-id"];
  const log = await poll(
    () => server.log(),
    (text) => text.split("\n").some((line) => line.includes(`"${id}"`) && line.includes('"msg":"request"')),
  );
  const lines = parsedLines(log);
  expect(lines).toContainEqual(
    expect.objectContaining({
      msg: "issued an access token",
      principal: VIEWER,
      credential: decodeJwt(credentials.subject_token).jti,
      scope: `${SCOPES}/firebase`,
      expiresInSeconds: 3600,
    }),
  );
  expect(lines).toContainEqual(
    expect.objectContaining({
      msg: "rejected a token request",
      requestId: id,
      error: "invalid_request",
      problem: expect.stringContaining("not signed with the key"),
    }),
  );
  for (const token of [credentials.subject_token, response.access_token]) {
    const [, payload = "", signature = ""] = token.split(".");
    expect(log).not.toContain(payload);
    expect(log).not.toContain(signature);
  }
});

test("a server without a local issuer has no token exchange", async ({ openServer }) => {
  const off = await openServer({ ...BASE_CONFIG, auth: { localIssuer: false } });
  for (const [method, target] of [
    ["POST", "/oauth2/token"],
    ["GET", "/oauth2/jwks.json"],
    ["GET", "/.well-known/oauth-authorization-server"],
  ] as const) {
    const { status, text } = await send(off.integrityUrl, target, { method });
    expect(status).toBe(404);
    expect(errorOf(text).reason).toBe("ROUTE_NOT_FOUND");
  }
});

describe("the configured address", () => {
  test("is the issuer's name, whatever address the listener has", async ({ addressed: one }) => {
    const { text } = await send(one.integrityUrl, "/.well-known/oauth-authorization-server");
    expect(JSON.parse(text)).toMatchObject({
      issuer: ADDRESS,
      token_endpoint: `${ADDRESS}/oauth2/token`,
      jwks_uri: `${ADDRESS}/oauth2/jwks.json`,
    });
    const byPath = await send(one.integrityUrl, "/.well-known/oauth-authorization-server/api");
    expect(byPath.text).toBe(text);
    const { subject_token: subjectToken } = await createCredentials(one, VIEWER);
    const response = await send(one.integrityUrl, "/oauth2/token", {
      method: "POST",
      headers: { "content-type": "application/x-www-form-urlencoded" },
      body: form({ subject_token: subjectToken }).toString(),
    });
    const { access_token: token } = JSON.parse(response.text);
    expect(decodeJwt(token).iss).toBe(ADDRESS);
    expect((await send(one.integrityUrl, GET, { token })).status).toBe(200);
    expect((await send(one.messagingDataUrl, LIST, { token })).status).toBe(200);
  });

  test.for(ISSUERS)(
    "and the fixed issuer name are equivalent in an access rule for %s",
    async (issuer, { addressed: one }) => {
      const local = await localIssuerOf(one.dataDir);
      for (const name of ISSUERS) {
        const claims = {
          principal: `viewer of ${issuer}`,
          scopes: [`${SCOPES}/platform`],
          ttlSeconds: 60,
          issuer: name,
        };
        const { status } = await send(one.integrityUrl, GET, { token: await local.sign(claims) });
        expect([name, status]).toEqual([name, 200]);
      }
    },
  );

  test("is also known to a messaging-data service in a separate process", async ({ openServer }) => {
    const config = { ...BASE_CONFIG, integrityUrl: ADDRESS };
    const one = await openServer(config, ["--only", "messaging-data"]);
    const local = await localIssuerOf(one.dataDir);
    const statusOf = async (name: string): Promise<number> => {
      const claims = { principal: VIEWER, scopes: [`${SCOPES}/platform`], ttlSeconds: 60, issuer: name };
      return (await send(one.messagingDataUrl, LIST, { token: await local.sign(claims) })).status;
    };
    expect(await statusOf(ADDRESS)).toBe(200);
    expect(await statusOf("urn:waybill:local")).toBe(200);
    expect(await statusOf("https://elsewhere.example.com")).toBe(401);
  });
});
