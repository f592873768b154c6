import { randomUUID } from "node:crypto";
import { decodeJwt, decodeProtectedHeader } from "jose";
import { describe, expect } from "vitest";
import { rejectionOf } from "../../src/api/testing/error-of.js";
import { runInProcess } from "../../src/cli/testing/run-in-process.js";
import { send } from "../support/http/exchange.js";
import { it as serving } from "../support/servers/fixtures.js";
import { BASE_CONFIG, IOS_APP, PROJECT } from "../support/servers/project.js";
import type { Server } from "../support/servers/server.js";
import { setClock } from "../support/servers/set-clock.js";

const APP = `projects/${PROJECT.id}/apps/${IOS_APP}`;

const it = serving
  .override("config", { ...BASE_CONFIG, clock: { adjustable: true } })
  .extend("post", ({ server, editor }) => async (path: string, body: object, token = editor) => {
    const headers = { "content-type": "application/json" };
    return send(server.integrityUrl, path, { method: "POST", token, headers, body: JSON.stringify(body) });
  })
  /** Exchanges a new debug token for an app token. */
  .extend("issue", ({ post }) => async (): Promise<string> => {
    const debugToken = randomUUID();
    const created = await post(`/v1/${APP}/debugTokens`, { displayName: "CI", token: debugToken });
    expect(created.status).toBe(200);
    const { status, text } = await post(`/v1/${APP}:exchangeDebugToken`, { debugToken });
    expect(status).toBe(200);
    return JSON.parse(text).token;
  });

async function kidsOf({ integrityUrl }: Server): Promise<readonly string[]> {
  return JSON.parse((await send(integrityUrl, "/v1/jwks")).text).keys.map(({ kid }: { kid: string }) => kid);
}

describe("app tokens from a server with an adjustable clock", () => {
  it("expire by the adjustable clock", async ({ server, post, issue }) => {
    const appCheckToken = await issue();
    const verify = () => post(`/v1beta/projects/${PROJECT.id}:verifyAppCheckToken`, { appCheckToken });
    expect((await verify()).text).toBe("{}");
    expect(JSON.parse((await verify()).text)).toEqual({ alreadyConsumed: true });
    await setClock(server, { advance: "2h" });
    expect(rejectionOf(await verify())).toEqual([403, "APP_TOKEN_EXPIRED"]);
    const { iat = 0, exp = 0 } = decodeJwt(await issue());
    expect(iat).toBeGreaterThan(decodeJwt(appCheckToken).exp ?? 0);
    expect(exp - iat).toBe(3_600);
  });

  it("are signed with the next key six hours after the key was published, and the previous key stays published for 7 days", async ({
    server,
    issue,
  }) => {
    const [first] = await kidsOf(server);
    const kidOf = async () => decodeProtectedHeader(await issue()).kid;
    expect(await kidOf()).toBe(first);
    await setClock(server, { advance: "30d" });
    const published = () => kidsOf(server);
    await expect.poll(published).toHaveLength(2);
    const second = (await published()).find((kid) => kid !== first);
    expect(await kidOf()).toBe(first);
    await setClock(server, { advance: "6h" });
    expect(await kidOf()).toBe(second);
    await setClock(server, { advance: "7d" });
    expect(await published()).toEqual([first, second]);
    await setClock(server, { advance: "5m" });
    expect(await published()).toEqual([second]);
  });

  it("are signed with the keys that `waybill keys --admin` publishes and revokes by the adjustable clock", async ({
    server,
    issue,
  }) => {
    const keys = (...args: string[]) =>
      runInProcess(["keys", ...args, "--data-dir", server.dataDir, "--admin", server.adminUrl]);
    const kidOf = async () => decodeProtectedHeader(await issue()).kid;
    await setClock(server, { time: "2030-01-01T00:00:00Z", rate: 0 });
    const published = async (count: number): Promise<string> => {
      await expect.poll(() => kidsOf(server)).toHaveLength(count);
      return (await kidsOf(server)).at(-1) ?? "";
    };
    // The key from before the clock was set is due for rotation.
    await kidsOf(server);
    const second = await published(2);
    await setClock(server, { advance: "6h" });
    expect(await kidOf()).toBe(second);
    expect((await keys("rotate")).stdout).toMatch(/ signs tokens from 2030-01-01T12:00:00\.000Z\.\n$/);
    const third = await published(3);
    const { stdout } = await keys("list", "--json");
    const states = stdout
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line).state);
    expect(states).toEqual(["retired", "signing", "published"]);
    expect((await keys("revoke", second)).stdout).toBe(`${second} is revoked. ${third} signs tokens.\n`);
    await expect.poll(() => kidsOf(server)).not.toContain(second);
    expect(await kidOf()).toBe(third);
  });

  it("need a challenge that has not expired by the adjustable clock", async ({ server, post, viewer }) => {
    const { text } = await post(`/v1/${APP}:generateAppAttestChallenge`, {});
    const { challenge } = JSON.parse(text);
    await setClock(server, { advance: "5m" });
    const body = { attestationStatement: "AAAA", challenge, keyId: "AAAA" };
    expect((await post(`/v1/${APP}:exchangeAppAttestAttestation`, body)).status).toBe(403);
    const { text: failures } = await send(server.integrityUrl, `/v1/${APP}/attestationFailures`, {
      token: viewer,
    });
    expect(JSON.parse(failures).attestationFailures[0]).toMatchObject({ step: "challenge" });
  });
});
