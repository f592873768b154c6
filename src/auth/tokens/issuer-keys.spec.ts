import { rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { calculateJwkThumbprint, errors } from "jose";
import { afterEach, beforeAll, beforeEach, describe, expect, it, test } from "vitest";
import { testDirectory } from "../../../test/support/test-directory.js";
import { MAX_KEY_SET_BYTES } from "../../limits/data-limits.js";
import { type JwksServer, jwksServer } from "../testing/jwks-server.js";
import { ManualClock } from "../testing/manual-clock.js";
import { rejectionOf } from "../testing/rejection-of.js";
import { type SigningKey, signingKey } from "../testing/signing-key.js";
import { IssuerKeys } from "./issuer-keys.js";
import { fileKeys, remoteKeys } from "./key-source.js";

const MINUTE = 60_000;

let first: SigningKey;
let second: SigningKey;
let server: JwksServer;
let clock: ManualClock;
let keys: IssuerKeys;

beforeAll(async () => {
  [first, second] = await Promise.all([signingKey("first"), signingKey("second")]);
});

beforeEach(async () => {
  server = await jwksServer(first);
  clock = new ManualClock();
  keys = new IssuerKeys("https://issuer.example", remoteKeys(server.uri), { clock });
});

afterEach(() => server.close());

const resolve = ({ publicJwk }: SigningKey) => keys.resolve({ alg: "ES256", kid: publicJwk.kid });
const has = async ({ publicJwk }: SigningKey) => keys.has(await calculateJwkThumbprint(publicJwk));

describe("IssuerKeys from a URL", () => {
  it("loads the keys once for many concurrent tokens, and not again soon afterwards", async () => {
    await Promise.all(Array.from({ length: 50 }, () => resolve(first)));
    clock.advance(2 * MINUTE);
    await resolve(first);
    expect(server.fetches).toBe(1);
  });

  it("finds a rotated key immediately", async () => {
    await resolve(first);
    server.publish(first, second);
    clock.advance(1_000);
    await resolve(second);
    expect(await has(first)).toBe(true);
    expect(server.fetches).toBe(2);
  });

  it("loads the keys at most once a second for unknown key ids", async () => {
    await resolve(first);
    for (let ms = 0; ms < 10_000; ms += 100) {
      await expect(resolve(second)).rejects.toBeInstanceOf(errors.JWKSNoMatchingKey);
      clock.advance(100);
    }
    expect(server.fetches).toBeLessThanOrEqual(11);
  });

  it("reloads keys in the background from half of the maximum age on", async () => {
    await resolve(first);
    server.publish(second);
    clock.advance(2.5 * MINUTE);
    expect(keys.freshen()).toBeUndefined();
    await expect.poll(() => has(first)).toBe(false);
    expect(await has(second)).toBe(true);
  });

  it("reloads keys past their maximum age before it uses them", async () => {
    await resolve(first);
    server.publish(second);
    clock.advance(5 * MINUTE);
    await expect(resolve(first)).rejects.toBeInstanceOf(errors.JWKSNoMatchingKey);
    expect(await has(first)).toBe(false);
  });

  it("keeps using its keys while the issuer is unreachable, and reloads them afterwards", async () => {
    await resolve(first);
    server.respond(500, "");
    clock.advance(6 * MINUTE);
    await resolve(first);
    expect(await has(first)).toBe(true);
    server.publish(second);
    clock.advance(5 * MINUTE);
    await resolve(second);
    expect(await has(first)).toBe(false);
  });

  it("reports UNAVAILABLE for an unknown key while the issuer is unreachable", async () => {
    await resolve(first);
    server.respond(500, "");
    clock.advance(1_000);
    const rejection = await rejectionOf(() => resolve(second));
    expect(rejection.reason).toBe("ISSUER_KEYS_UNAVAILABLE");
  });

  test.each([
    [500, ""],
    [404, '{"keys":[]}'],
    [302, ""],
    [200, ""],
    [200, "<html>"],
    [200, "null"],
    [200, "[]"],
    [200, '{"keys":{}}'],
    [200, '{"keys":["key"]}'],
  ])(
    "treats status %i with the body %j as a failure, and loads keys at most once a second",
    async (status, body) => {
      const reports: unknown[] = [];
      const onLoadError = (issuer: string) => reports.push(issuer);
      keys = new IssuerKeys("https://issuer.example", remoteKeys(server.uri), { clock, onLoadError });
      server.respond(status, body);
      for (let attempt = 0; attempt < 3; attempt++) {
        const rejection = await rejectionOf(() => resolve(first));
        expect(rejection).toMatchObject({
          reason: "ISSUER_KEYS_UNAVAILABLE",
          httpStatus: 503,
          headers: { "retry-after": "5" },
        });
      }
      expect(server.fetches).toBe(1);
      expect(reports).toEqual(["https://issuer.example"]);

      server.publish(first);
      clock.advance(1_000);
      await resolve(first);
    },
  );

  it("treats a key set above the size limit as a failure", async () => {
    const set = JSON.stringify({ keys: [first.publicJwk] });
    server.respond(200, set.padEnd(MAX_KEY_SET_BYTES + 1));
    expect((await rejectionOf(() => resolve(first))).reason).toBe("ISSUER_KEYS_UNAVAILABLE");
    server.respond(200, set.padEnd(MAX_KEY_SET_BYTES));
    clock.advance(1_000);
    await resolve(first);
  });

  it("ignores keys of unknown types", async () => {
    server.respond(200, JSON.stringify({ keys: [{ kty: "future", kid: "first" }, first.publicJwk] }));
    await resolve(first);
    expect(await has(first)).toBe(true);
  });

  it("reports UNAVAILABLE if nothing listens at the URL", async () => {
    const uri = server.uri;
    await server.close();
    keys = new IssuerKeys("https://issuer.example", remoteKeys(uri), { clock });
    expect((await rejectionOf(() => resolve(first))).httpStatus).toBe(503);
    server = await jwksServer();
  });
});

describe("IssuerKeys from a file", () => {
  let directory: string;
  let path: string;

  const write = async (...published: SigningKey[]) => {
    await writeFile(`${path}.new`, JSON.stringify({ keys: published.map((key) => key.publicJwk) }));
    await rename(`${path}.new`, path);
  };

  beforeEach(async () => {
    directory = await testDirectory();
    path = join(directory, "jwks.json");
    keys = new IssuerKeys("https://issuer.example", fileKeys(path), { clock });
  });

  it("reloads a changed file", async () => {
    await write(first);
    await resolve(first);
    await write(second);
    clock.advance(2_000);
    await resolve(second);
    await expect(resolve(first)).rejects.toBeInstanceOf(errors.JWKSNoMatchingKey);
  });

  it("keeps using its keys while the file is malformed or missing", async () => {
    await write(first);
    await resolve(first);
    await writeFile(path, '{"keys":[');
    clock.advance(10_000);
    await resolve(first);
    await rm(path);
    clock.advance(10_000);
    await resolve(first);
  });

  it("reports UNAVAILABLE if the file has never existed", async () => {
    expect((await rejectionOf(() => resolve(first))).reason).toBe("ISSUER_KEYS_UNAVAILABLE");
  });
});
