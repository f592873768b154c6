import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "vitest";
import { errorOf } from "../../src/api/testing/error-of.js";
import { jwksServer } from "../../src/auth/testing/jwks-server.js";
import { type SigningKey, signingKey } from "../../src/auth/testing/signing-key.js";
import { closedAtEnd } from "../support/closing.js";
import { listOf } from "../support/data/delivery-data.js";
import { type HttpResponse, send } from "../support/http/exchange.js";
import { poll } from "../support/poll.js";
import { test as serving } from "../support/servers/fixtures.js";
import { ANDROID_APP, BASE_CONFIG, PROJECT, VIEWER } from "../support/servers/project.js";

const AUDITOR = "auditor@example.com";
const REMOTE = "https://accounts.example.com";
const FILE = "https://file.example.com";
const DOWN = "https://down.example.com";
const AUDIENCE = "https://waybill.example.com";
const ALGORITHMS = ["RS256", "PS256", "ES256", "EdDSA"];

const test = serving
  .extend("keys", { scope: "file" }, () =>
    Promise.all(ALGORITHMS.map((alg) => signingKey(`key-${alg}`, alg))),
  )
  .extend("published", { scope: "file" }, async ({ keys }, { onCleanup }) =>
    closedAtEnd(await jwksServer(...keys), onCleanup),
  )
  .extend(
    "publishInFile",
    { scope: "file" },
    ({ sharedDirectory }) =>
      (...all: SigningKey[]) =>
        writeFile(
          join(sharedDirectory, "jwks.json"),
          JSON.stringify({ keys: all.map(({ publicJwk }) => publicJwk) }),
        ),
  )
  .extend(
    "list",
    ({ server }) =>
      (token: string): Promise<HttpResponse> =>
        send(server.messagingDataUrl, listOf(ANDROID_APP), { token }),
  )
  .override("config", async ({ keys, published, publishInFile, sharedDirectory }) => {
    const down = await jwksServer();
    await down.close();
    await publishInFile(...keys.slice(0, 1));
    return {
      ...BASE_CONFIG,
      access: [
        ...BASE_CONFIG.access,
        { principal: AUDITOR, issuer: REMOTE, projects: [PROJECT.id], role: "viewer" },
      ],
      auth: {
        localIssuer: false,
        issuers: [
          { issuer: REMOTE, jwksUri: published.uri, audience: [AUDIENCE, "second"] },
          { issuer: FILE, jwksFile: join(sharedDirectory, "jwks.json") },
          { issuer: DOWN, jwksUri: down.uri },
        ],
      },
    };
  });

let tokens = 0;
/** A unique token, which the server has not verified before. */
const tokenOf = (key: SigningKey | undefined, changed: object = {}, header = {}): Promise<string> =>
  (key as SigningKey).sign(
    {
      iss: REMOTE,
      aud: AUDIENCE,
      sub: "id-1",
      email: VIEWER,
      scope: "https://www.googleapis.com/auth/cloud-platform",
      exp: Math.floor(Date.now() / 1000) + 600,
      jti: `token-${tokens++}`,
      ...changed,
    },
    header,
  );
const problemOf = ({ text }: HttpResponse): string | undefined => errorOf(text).metadata.problem;

test.for(ALGORITHMS.map((alg, index) => [alg, index] as const))(
  "a token signed with %s is verified",
  async ([_alg, index], { list, keys }) => {
    expect((await list(await tokenOf(keys[index]))).status).toBe(200);
  },
);

test("the server fetches an issuer's keys once, and not for every token", async ({
  published,
  list,
  keys,
}) => {
  const fetches = published.fetches;
  for (let count = 0; count < 20; count++) {
    expect((await list(await tokenOf(keys[count % keys.length]))).status).toBe(200);
  }
  expect(published.fetches).toBe(fetches);
});

test.for([
  ["the key of one issuer for another", { iss: FILE, aud: "waybill" }, 1, "KEY_UNKNOWN"],
  ["the default audience where another is configured", { aud: "waybill" }, 0, "AUDIENCE_MISMATCH"],
  ["the local issuer, which is off", { iss: "urn:waybill:local", aud: "waybill" }, 0, "ISSUER_NOT_TRUSTED"],
  ["a token that is bound to a key", { cnf: { jkt: "x" } }, 0, "KEY_BOUND"],
  [
    "an email that its issuer marks as unverified",
    { email_verified: false, sub: undefined },
    0,
    "PRINCIPAL_MISSING",
  ],
] as const)("the server rejects a token for %s", async ([_case, changed, key, problem], { list, keys }) => {
  const response = await list(await tokenOf(keys[key], changed));
  expect(response.status).toBe(401);
  expect(problemOf(response)).toBe(problem);
});

test("the server ignores an unverified email and uses sub", async ({ list, keys }) => {
  const response = await list(await tokenOf(keys[0], { email_verified: false }));
  expect(errorOf(response.text).reason).toBe("PERMISSION_MISSING");
});

test.for(["dpop+jwt", "logout+jwt", "secevent+jwt"])(
  "the server rejects a token of type %s",
  async (typ, { list, keys }) => {
    const response = await list(await tokenOf(keys[0], {}, { typ }));
    expect(response.status).toBe(401);
    expect(problemOf(response)).toBe("TYPE_NOT_ACCEPTED");
  },
);

test("an access rule for one issuer does not apply to a principal with the same name from another issuer", async ({
  list,
  keys,
}) => {
  const ofRemote = await list(await tokenOf(keys[0], { email: AUDITOR }));
  expect(ofRemote.status).toBe(200);
  const ofFile = await list(await tokenOf(keys[0], { email: AUDITOR, iss: FILE, aud: "waybill" }));
  expect(ofFile.status).toBe(403);
  expect(errorOf(ofFile.text).reason).toBe("PERMISSION_MISSING");
});

test("the server accepts a token with any of the configured audiences", async ({ list, keys }) => {
  expect((await list(await tokenOf(keys[0], { aud: "second" }))).status).toBe(200);
});

test("tokens with invented key ids do not cause a flood of requests to the issuer", async ({
  published,
  list,
}) => {
  const fetches = published.fetches;
  const unknownKey = await signingKey("made-up");
  const responses = await Promise.all(
    Array.from({ length: 50 }, async () => list(await tokenOf(unknownKey))),
  );
  expect(new Set(responses.map(problemOf))).toEqual(new Set(["KEY_UNKNOWN"]));
  // At most one a second.
  expect(published.fetches - fetches).toBeLessThan(50 / 2);
});

test("the server immediately accepts a new key and rejects a removed key", async ({
  keys,
  list,
  published,
}) => {
  const old = await tokenOf(keys[2]);
  expect((await list(old)).status).toBe(200);
  const next = await signingKey("next");
  published.publish(next);
  const token = await tokenOf(next);
  // A key set that was just loaded is not fetched again immediately.
  await poll(async () => (await list(token)).status, 200);
  const rejected = await list(old);
  expect(rejected.status).toBe(401);
  expect(problemOf(rejected)).toBe("KEY_UNKNOWN");
});

test("the server continues to verify tokens with known keys during an outage of their issuer", async ({
  published,
  list,
}) => {
  const next = await signingKey("before-the-outage");
  published.publish(next);
  const token = await tokenOf(next);
  await poll(async () => (await list(token)).status, 200);
  published.respond(500, "broken");
  expect((await list(await tokenOf(next))).status).toBe(200);
});

test("the server reads a key file again after it has changed", async ({ list, keys, publishInFile }) => {
  const changed = { iss: FILE, aud: "waybill" };
  expect((await list(await tokenOf(keys[0], changed))).status).toBe(200);
  await publishInFile(...keys.slice(1, 2));
  const token = await tokenOf(keys[1], changed);
  await poll(async () => (await list(token)).status, 200);
  const rejected = await poll(
    async () => list(await tokenOf(keys[0], changed)),
    ({ status }) => status === 401,
  );
  expect(problemOf(rejected)).toBe("KEY_UNKNOWN");
});

test("the server returns UNAVAILABLE while an issuer's keys cannot be loaded", async ({ list, keys }) => {
  const { status, headers, text } = await list(await tokenOf(keys[0], { iss: DOWN, aud: "waybill" }));
  expect(status).toBe(503);
  expect(Number(headers["retry-after"])).toBeGreaterThan(0);
  expect(errorOf(text)).toMatchObject({
    status: "UNAVAILABLE",
    reason: "ISSUER_KEYS_UNAVAILABLE",
    metadata: { issuer: DOWN },
  });
});
