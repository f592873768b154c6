import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runInProcess } from "../../src/cli/testing/run-in-process.js";
import { parsedLines } from "../support/data/import.js";
import { send } from "../support/http/exchange.js";
import { BASE_CONFIG } from "../support/servers/project.js";
import { type ServerProcess, startProcess } from "../support/servers/server-process.js";
import { fileDirectory } from "../support/test-directory.js";

const directory = fileDirectory();
let servers: readonly [ServerProcess, ServerProcess];
beforeAll(async () => {
  const first = await startProcess(directory, BASE_CONFIG, ["--only", "integrity"]);
  servers = [first, await startProcess(directory, BASE_CONFIG, ["--only", "integrity"])];
});
afterAll(async () => {
  for (const server of servers) await server.stop();
});

const keys = (command: string, ...args: string[]) =>
  runInProcess(["keys", command, "--data-dir", servers[0].dataDir, ...args]);
const listed = async () => parsedLines((await keys("list", "--json")).stdout);

async function kidsOf({ integrityUrl }: ServerProcess, path = "/v1/jwks"): Promise<readonly string[]> {
  const { status, text } = await send(integrityUrl, path);
  expect(status).toBe(200);
  return JSON.parse(text).keys.map(({ kid }: { kid: string }) => kid);
}

describe("GET /v1/jwks", () => {
  it("publishes the same keys in all processes and versions, cacheable for six hours", async () => {
    const { headers, text } = await send(servers[0].integrityUrl, "/v1/jwks");
    expect(headers).toMatchObject({
      "cache-control": "public, max-age=21600",
      "content-type": "application/json; charset=utf-8",
      etag: expect.stringMatching(/^".+"$/),
    });
    expect(JSON.parse(text).keys).toEqual([
      { kty: "RSA", use: "sig", alg: "RS256", kid: expect.any(String), n: expect.any(String), e: "AQAB" },
    ]);
    for (const server of servers) {
      expect((await send(server.integrityUrl, "/v1/jwks")).text).toBe(text);
      expect((await send(server.integrityUrl, "/v1beta/jwks")).text).toBe(text);
    }
  });

  it("returns 304 if the key set has not changed", async () => {
    const { headers } = await send(servers[0].integrityUrl, "/v1/jwks");
    const again = await send(servers[0].integrityUrl, "/v1/jwks", {
      headers: { "if-none-match": String(headers.etag) },
    });
    expect([again.status, again.text]).toEqual([304, ""]);
  });
});

describe("waybill keys", () => {
  it("publishes the next key in all processes, and revokes the signing key", async () => {
    const [first] = await listed();
    expect(first).toEqual({
      kid: expect.any(String),
      state: "signing",
      publishTime: expect.any(String),
      firstUseTime: first.publishTime,
    });
    const rotated = await keys("rotate");
    expect(rotated.stdout).toMatch(/^\S+ signs tokens from \S+Z\.\n$/);
    expect((await keys("rotate")).stdout).toBe(rotated.stdout);
    const [, next] = await listed();
    expect(next.state).toBe("published");
    expect(Date.parse(next.firstUseTime) - Date.parse(next.publishTime)).toBe(6 * 3_600_000);
    for (const server of servers) await expect.poll(() => kidsOf(server)).toEqual([first.kid, next.kid]);

    expect((await keys("revoke", first.kid)).stdout).toBe(
      `${first.kid} is revoked. ${next.kid} signs tokens.\n`,
    );
    expect((await listed()).map(({ kid, state }) => [kid, state])).toEqual([[next.kid, "signing"]]);
    for (const server of servers) await expect.poll(() => kidsOf(server)).toEqual([next.kid]);
    expect(await keys("revoke", first.kid)).toEqual({
      code: 1,
      stdout: "",
      stderr: `waybill: there is no key ${first.kid}; list the keys with waybill keys list\n`,
    });
    expect((await keys("revoke", "--", "-old")).stderr).toMatch(/^waybill: there is no key -old;/);
    expect((await keys("list")).stdout).toMatch(/^key +state +published +first use +removed\n\S+ +signing /);
  });
});
