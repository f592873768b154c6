import { randomUUID } from "node:crypto";
import { createRemoteJWKSet, decodeJwt, jwtVerify } from "jose";
import { describe, expect } from "vitest";
import { errorOf } from "../../src/api/testing/error-of.js";
import { send } from "../support/http/exchange.js";
import { it as base } from "../support/servers/process-fixtures.js";
import { BASE_CONFIG, EDITOR, IOS_APP, PROJECT } from "../support/servers/project.js";
import { run } from "../support/servers/run.js";
import type { ServerProcess } from "../support/servers/server-process.js";

const APP = `projects/${PROJECT.id}/apps/${IOS_APP}`;
const APP_WITH_TTL = `projects/${PROJECT.number}/apps/app-7d`;
const JSON_TYPE = { "content-type": "application/json" };

const post = ({ integrityUrl }: ServerProcess, path: string, body: object, token?: string) =>
  send(integrityUrl, path, { method: "POST", token, headers: JSON_TYPE, body: JSON.stringify(body) });

const it = base
  /** Creates a debug token of an app, and returns its secret. */
  .extend("secretOf", ({ server, editor }) => async (app: string): Promise<string> => {
    const token = randomUUID();
    const created = await post(server, `/v1/${app}/debugTokens`, { displayName: "CI", token }, editor);
    expect(created.status).toBe(200);
    return token;
  })
  /** Exchanges a debug token of an app for an app token. */
  .extend("tokenOf", ({ server, secretOf }) => async (app: string, limitedUse = false): Promise<string> => {
    const body = { debugToken: await secretOf(app), limitedUse };
    const { status, text } = await post(server, `/v1beta/${app}:exchangeDebugToken`, body);
    expect(status).toBe(200);
    return JSON.parse(text).token;
  });

describe("ExchangeDebugToken", () => {
  it("issues a token that jose verifies with the key set", async ({ server, secretOf }) => {
    const debugToken = (await secretOf(APP)).toUpperCase();
    const { status, text } = await post(server, `/v1/${APP}:exchangeDebugToken?key=x`, { debugToken });
    expect(status).toBe(200);
    const { token, ttl } = JSON.parse(text);
    expect(ttl).toBe("3600s");
    const keys = createRemoteJWKSet(new URL("/v1/jwks", server.integrityUrl));
    const { payload, protectedHeader } = await jwtVerify(token, keys, {
      issuer: `${server.integrityUrl}/${PROJECT.number}`,
      audience: `projects/${PROJECT.id}`,
    });
    expect(protectedHeader).toEqual({ alg: "RS256", kid: expect.any(String), typ: "JWT" });
    expect(payload).toEqual({
      iss: `${server.integrityUrl}/${PROJECT.number}`,
      sub: IOS_APP,
      aud: [`projects/${PROJECT.number}`, `projects/${PROJECT.id}`],
      iat: expect.any(Number),
      exp: (payload.iat ?? 0) + 3_600,
      jti: expect.stringMatching(/^[0-9a-f-]{36}$/),
      provider: "debug",
    });
  });

  it("issues a token that PyJWT verifies with the key set", async ({ server, tokenOf }) => {
    const program = `
import sys, jwt
token, url, audience, issuer = sys.argv[1:]
key = jwt.PyJWKClient(url).get_signing_key_from_jwt(token)
print(jwt.decode(token, key.key, algorithms=["RS256"], audience=audience, issuer=issuer)["sub"])
`;
    const verified = await run("/usr/bin/python3", [
      ...["-c", program, await tokenOf(APP), `${server.integrityUrl}/v1/jwks`],
      ...[`projects/${PROJECT.id}`, `${server.integrityUrl}/${PROJECT.number}`],
    ]);
    expect(verified).toEqual({ code: 0, stdout: `${IOS_APP}\n`, stderr: "" });
  });

  it("uses the configured lifetime, and five minutes for limited use", async ({ tokenOf }) => {
    const lifetimeOf = (token: string): number => {
      const { exp = 0, iat = 0 } = decodeJwt(token);
      return exp - iat;
    };
    expect(lifetimeOf(await tokenOf(APP_WITH_TTL))).toBe(604_800);
    expect(lifetimeOf(await tokenOf(APP_WITH_TTL, true))).toBe(300);
  });

  it("returns the same message for every other secret", async ({ server, secretOf }) => {
    const ofOtherApp = await secretOf(APP_WITH_TTL);
    for (const debugToken of [ofOtherApp, randomUUID(), "x", ""]) {
      const { status, text } = await post(server, `/v1/${APP}:exchangeDebugToken`, { debugToken });
      expect([status, errorOf(text)]).toMatchObject([
        403,
        { status: "PERMISSION_DENIED", message: "App attestation failed.", reason: "APP_ATTESTATION_FAILED" },
      ]);
    }
  });

  it("rejects unknown apps, and bodies above 64 KiB", async ({ server }) => {
    const unknown = await post(server, `/v1/projects/${PROJECT.id}/apps/x:exchangeDebugToken`, {});
    expect([unknown.status, errorOf(unknown.text).reason]).toEqual([404, "RESOURCE_NOT_FOUND"]);
    const large = await post(server, `/v1/${APP}:exchangeDebugToken`, { debugToken: "x".repeat(65_536) });
    expect(large.status).toBe(413);
  });
});

describe("VerifyAppCheckToken", () => {
  it("consumes a token only once, even in concurrent calls", async ({ server, viewer, tokenOf }) => {
    const body = { app_check_token: await tokenOf(APP, true) };
    const verify = () => post(server, `/v1beta/projects/${PROJECT.id}:verifyAppCheckToken`, body, viewer);
    const responses = await Promise.all(Array.from({ length: 8 }, verify));
    expect(responses.map(({ status }) => status)).toEqual(Array(8).fill(200));
    const texts = responses.map(({ text }) => text).sort();
    expect(texts).toEqual([...Array(7).fill('{"alreadyConsumed":true}'), "{}"]);
    expect((await verify()).text).toBe('{"alreadyConsumed":true}');
  });

  it("rejects tokens that are malformed, forged or not app tokens", async ({ server, viewer, tokenOf }) => {
    const path = `/v1/projects/${PROJECT.id}:verifyAppCheckToken`;
    const rejectionOf = async (appCheckToken: string) => {
      const { status, text } = await post(server, path, { appCheckToken }, viewer);
      return [status, errorOf(text).reason];
    };
    const token = await tokenOf(APP);
    expect(await rejectionOf("x")).toEqual([400, "MALFORMED_APP_TOKEN"]);
    expect(await rejectionOf(token.replace(/\.[^.]+$/, ".AAAA"))).toEqual([403, "APP_TOKEN_INVALID"]);
    expect(await rejectionOf(viewer)).toEqual([403, "APP_TOKEN_INVALID"]);
  });

  it("remembers in all processes that a token was consumed, even after kill -9", async ({ startServer }) => {
    const killed = await startServer();
    const editor = await killed.token(EDITOR);
    const debugToken = randomUUID();
    await post(killed, `/v1/${APP}/debugTokens`, { displayName: "CI", token: debugToken }, editor);
    const exchanged = await post(killed, `/v1/${APP}:exchangeDebugToken`, { debugToken });
    const body = { appCheckToken: JSON.parse(exchanged.text).token };
    const path = `/v1/projects/${PROJECT.id}:verifyAppCheckToken`;
    expect((await post(killed, path, body, editor)).text).toBe("{}");
    await killed.stop("SIGKILL");
    const other = await startServer({
      ...BASE_CONFIG,
      integrity: { tokens: { issuer: killed.integrityUrl } },
    });
    expect((await post(other, path, body, editor)).text).toBe('{"alreadyConsumed":true}');
  });
});
