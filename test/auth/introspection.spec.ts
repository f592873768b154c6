import { writeFile } from "node:fs/promises";
import { Agent } from "node:http";
import { join } from "node:path";
import { withResolver } from "@waybill/client/support";
import { afterAll, describe, expect } from "vitest";
import { errorOf } from "../../src/api/testing/error-of.js";
import {
  type IntrospectionServer,
  introspectionServer,
  type Reply,
} from "../../src/auth/testing/introspection-server.js";
import { type SigningKey, signingKey } from "../../src/auth/testing/signing-key.js";
import { MAX_INTROSPECTIONS } from "../../src/limits/request-limits.js";
import { accepted, listOf } from "../support/data/delivery-data.js";
import { importInto } from "../support/data/import.js";
import { type HttpResponse, send } from "../support/http/exchange.js";
import { poll } from "../support/poll.js";
import { test as serving } from "../support/servers/fixtures.js";
import { untilLogged } from "../support/servers/log.js";
import { ANDROID_APP, BASE_CONFIG, EDITOR, IOS_APP, PROJECT, VIEWER } from "../support/servers/project.js";
import { waybill } from "../support/servers/waybill-command.js";

const PLATFORM = "https://www.googleapis.com/auth/cloud-platform";
const OPAQUE = "https://opaque.example.com";
const BOTH = "https://both.example.com";
const GET = `/v1/projects/${PROJECT.id}/apps/${IOS_APP}/appAttestConfig`;
const LIST = listOf(ANDROID_APP);
let endpoint: IntrospectionServer;
let other: IntrospectionServer;
let key: SigningKey;

const test = serving
  .extend(
    "list",
    ({ server }) =>
      (token: string): Promise<HttpResponse> =>
        send(server.messagingDataUrl, LIST, { token }),
  )
  .override("config", async ({ sharedDirectory }) => {
    [endpoint, other, key] = await Promise.all([
      introspectionServer(),
      introspectionServer(),
      signingKey("k"),
    ]);
    await writeFile(join(sharedDirectory, "secret"), "first secret\n");
    await writeFile(join(sharedDirectory, "jwks.json"), JSON.stringify({ keys: [key.publicJwk] }));
    return {
      ...BASE_CONFIG,
      auth: {
        issuers: [
          {
            issuer: OPAQUE,
            introspectionUrl: endpoint.url,
            clientId: "waybill",
            clientSecretFile: join(sharedDirectory, "secret"),
            introspectionCache: "1h",
          },
          {
            issuer: BOTH,
            jwksFile: join(sharedDirectory, "jwks.json"),
            introspectionUrl: other.url,
            clientId: "waybill",
            clientSecret: "other secret",
            audience: ["https://api.example.com"],
          },
        ],
      },
    };
  });

afterAll(() => Promise.all([endpoint?.close(), other?.close()]));
test.beforeEach(({ server: _ }) => {
  for (const one of [endpoint, other]) one.reply(() => ({ active: false }));
});

let tokens = 0;
/** A new token, which the server has not introspected yet. */
const opaque = (): string => `opaque-token-${tokens++}`;
const good = (username: string) => ({ active: true, username, scope: PLATFORM });

describe("an opaque token", () => {
  test("is accepted by both services while its issuer reports it as active", async ({ server, list }) => {
    endpoint.reply(() => good(VIEWER));
    const token = opaque();
    expect((await list(token)).status).toBe(200);
    expect((await send(server.integrityUrl, GET, { token })).status).toBe(200);
  });

  test("grants the rights and scopes that its issuer reports", async ({ server }) => {
    const imported = (token: string) =>
      send(server.messagingDataUrl, importInto(), {
        method: "POST",
        token,
        headers: { "content-type": "application/x-ndjson" },
        body: JSON.stringify(accepted(ANDROID_APP, "2026-01-02T20:00:00Z")),
      });
    endpoint.reply(() => good(VIEWER));
    expect(errorOf((await imported(opaque())).text).reason).toBe("PERMISSION_MISSING");
    endpoint.reply(() => good(EDITOR));
    expect((await imported(opaque())).status).toBe(200);
    endpoint.reply(() => ({ ...good(EDITOR), scope: "openid" }));
    expect(errorOf((await imported(opaque())).text).reason).toBe("ACCESS_TOKEN_SCOPE_INSUFFICIENT");
  });

  test("is introspected only once, with the secret in the file, and only at services that do not know the token", async ({
    list,
  }) => {
    endpoint.reply(() => good(VIEWER));
    const token = opaque();
    const before = { first: endpoint.questions.length, second: other.questions.length };
    const first = await Promise.all(Array.from({ length: 20 }, () => list(token)));
    expect(first.map(({ status }) => status)).toEqual(Array(20).fill(200));
    expect((await list(token)).status).toBe(200);
    expect(endpoint.questions.length).toBe(before.first + 1);
    expect(other.questions.length).toBe(before.second);
    const question = endpoint.questions.at(-1);
    expect(question?.headers.authorization).toBe(`Basic ${btoa("waybill:first+secret")}`);
    expect(question?.form.get("token")).toBe(token);
  });

  test("is introspected at the next issuer if the first one does not know it", async ({ list }) => {
    other.reply(() => ({ ...good(VIEWER), aud: "https://api.example.com", iss: BOTH }));
    expect((await list(opaque())).status).toBe(200);
  });

  test("is rejected if no issuer reports it as active, and this result is cached", async ({ list }) => {
    const token = opaque();
    const before = endpoint.questions.length;
    for (const _ of [1, 2, 3]) {
      const { status, headers, text } = await list(token);
      expect(status).toBe(401);
      expect(headers["www-authenticate"]).toContain('error="invalid_token"');
      expect(errorOf(text)).toMatchObject({
        reason: "ACCESS_TOKEN_INVALID",
        metadata: { problem: "INACTIVE" },
      });
    }
    expect(endpoint.questions.length).toBe(before + 1);
  });

  test.for([
    ["has expired", { exp: 1 }, "ACCESS_TOKEN_EXPIRED"],
    ["is for another audience", { aud: "https://elsewhere.example.com" }, "ACCESS_TOKEN_INVALID"],
    ["is of another issuer", { iss: BOTH }, "ACCESS_TOKEN_INVALID"],
  ] as const)("is rejected if it %s", async ([_how, claims, reason], { list }) => {
    endpoint.reply(() => ({ ...good(VIEWER), ...claims }));
    const { status, text } = await list(opaque());
    expect({ status, reason: errorOf(text).reason }).toEqual({ status: 401, reason });
  });
});

test("a JWT of an issuer with keys is verified without introspection", async ({ server, list }) => {
  const claims = { iss: BOTH, aud: "https://api.example.com", sub: VIEWER, scope: PLATFORM };
  const exp = Math.floor(Date.now() / 1000) + 600;
  const before = [endpoint.questions.length, other.questions.length];
  expect((await list(await key.sign({ ...claims, exp }))).status).toBe(200);
  expect((await list(await key.sign({ ...claims, exp: 1 }))).status).toBe(401);
  expect((await list(await server.token(VIEWER))).status).toBe(200);
  expect([endpoint.questions.length, other.questions.length]).toEqual(before);
});

describe("an introspection endpoint", () => {
  test.for([
    ["fails", () => ({ status: 500, body: "" })],
    ["does not know the client", () => ({ status: 401, body: '{"error":"invalid_client"}' })],
    ["responds with HTML", () => ({ status: 200, body: "<html></html>" })],
    ["redirects to another address", () => ({ status: 302, headers: { location: other.url }, body: "" })],
  ] as const)("that %s makes the server reject all callers", async ([_how, reply], { list }) => {
    other.reply(() => ({ active: false }));
    endpoint.reply(reply);
    const { status, headers, text } = await list(opaque());
    expect({ status, retryAfter: headers["retry-after"] }).toEqual({ status: 503, retryAfter: "5" });
    expect(errorOf(text)).toMatchObject({
      status: "UNAVAILABLE",
      reason: "INTROSPECTION_UNAVAILABLE",
      metadata: { issuer: OPAQUE },
    });
  });

  test("that does not respond in time makes the server reject its tokens, without delaying other calls", async ({
    server,
    list,
  }) => {
    const never = new Promise<never>(() => {});
    endpoint.reply(() => never);
    const waiting = list(opaque());
    expect((await list(await server.token(VIEWER))).status).toBe(200);
    expect(errorOf((await waiting).text).reason).toBe("INTROSPECTION_UNAVAILABLE");
    endpoint.reply(() => good(VIEWER));
    expect((await list(opaque())).status).toBe(200);
  });
});

test("unknown tokens from one address do not delay a new caller at another address", async ({
  server,
  list,
}) => {
  const { promise: held, resolve: release } = withResolver<Reply>();
  endpoint.reply((token) => (token === "of-a-new-caller" ? good(VIEWER) : held));
  const before = endpoint.questions.length;
  const flood = Array.from({ length: 96 }, () => list(opaque()));
  await poll(() => endpoint.questions.length - before >= MAX_INTROSPECTIONS / 2);
  const agent = new Agent({ localAddress: "127.0.0.2" });
  const served = await send(server.messagingDataUrl, LIST, { token: "of-a-new-caller", agent });
  agent.destroy();
  expect(served.status).toBe(200);
  release({ active: false });
  // Calls that were not released in time get 503.
  for (const { status } of await Promise.all(flood)) expect([401, 503]).toContain(status);
});

test("the server reads a client secret again after its file has changed", async ({
  sharedDirectory,
  list,
}) => {
  endpoint.reply(() => good(VIEWER));
  await writeFile(join(sharedDirectory, "secret"), "next");
  expect((await list(opaque())).status).toBe(200);
  expect(endpoint.questions.at(-1)?.headers.authorization).toBe(`Basic ${btoa("waybill:next")}`);
});

test("the log explains why introspection failed, without tokens or secrets", async ({ server, list }) => {
  endpoint.reply(() => ({ status: 500, body: "first secret, opaque-token" }));
  await list(opaque());
  const log = await untilLogged(server, "responded with HTTP status 500");
  expect(log).toContain(`${endpoint.url} responded with HTTP status 500`);
  expect(log).not.toMatch(/opaque-token|first secret|first\+secret|other.secret/);
  expect(log).not.toContain(btoa("waybill:first+secret"));
});

test.for([
  ["is missing", undefined, "there is no such file or directory"],
  ["is empty", "\n", "is empty"],
] as const)(
  "the server reports at startup a client secret that %s",
  async ([_how, secret, message], { directory: path }) => {
    const file = join(path, "waybill.yaml");
    if (secret !== undefined) await writeFile(join(path, "secret"), secret);
    await writeFile(
      file,
      `auth: { issuers: [{ issuer: a, introspectionUrl: 'http://127.0.0.1:1', clientId: b, clientSecretFile: secret }] }`,
    );
    const result = await waybill(["serve", "--config", file, "--data-dir", join(path, "data")]);
    expect(result).toMatchObject({ code: 1, stdout: "" });
    expect(result.stderr).toMatch(/^waybill: auth\.issuers\[0\]\.clientSecretFile: cannot be read: .*\n$/);
    expect(result.stderr).toContain(message);
  },
);
