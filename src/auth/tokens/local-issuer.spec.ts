import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { decodeJwt } from "jose";
import { afterEach, beforeEach, describe, expect, it, test } from "vitest";
import { FileKeyStore } from "../../control/file/file-key-store.js";
import { Scope } from "../../gen/waybill/auth/v1/authorization_pb.js";
import { systemClock } from "../../model/clock.js";
import { Authenticator } from "./authenticator.js";
import { fixedKeys } from "./key-source.js";
import { LOCAL_ISSUER, openLocalIssuer } from "./local-issuer.js";

let dataDir: string;
let keyFile: string;

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "waybill-local-issuer-"));
  keyFile = join(dataDir, "keys", "local-issuer.jwk");
});

afterEach(() => rm(dataDir, { recursive: true }));

const CLAIMS = {
  principal: "someone@example.com",
  scopes: ["https://www.googleapis.com/auth/platform", "https://www.googleapis.com/auth/app-platform"],
  ttlSeconds: 3_600,
};

describe("openLocalIssuer", () => {
  it("signs tokens that the authenticator accepts", async () => {
    const issuer = await openLocalIssuer(new FileKeyStore(dataDir), systemClock);
    const authenticator = new Authenticator([{ issuer: LOCAL_ISSUER, keys: fixedKeys(issuer.jwks()) }]);
    const principal = await authenticator.authenticate(`Bearer ${await issuer.sign(CLAIMS)}`);
    expect(principal).toMatchObject({ name: "someone@example.com", issuer: LOCAL_ISSUER });
    expect(principal.scopes).toEqual(new Set([Scope.PLATFORM, Scope.APP_PLATFORM]));
  });

  it("sets every claim", async () => {
    const issuer = await openLocalIssuer(new FileKeyStore(dataDir), systemClock);
    const claims = decodeJwt(await issuer.sign(CLAIMS));
    expect(claims).toMatchObject({
      iss: "urn:waybill:local",
      aud: "waybill",
      sub: "someone@example.com",
      email: "someone@example.com",
      scope: CLAIMS.scopes.join(" "),
    });
    expect((claims.exp ?? 0) - (claims.iat ?? 0)).toBe(3_600);
    expect(decodeJwt(await issuer.sign(CLAIMS)).jti).not.toBe(claims.jti);
  });

  it("makes its key readable for the owner only, and publishes only the public half", async () => {
    const issuer = await openLocalIssuer(new FileKeyStore(dataDir), systemClock);
    expect((await stat(keyFile)).mode & 0o777).toBe(0o600);
    expect((await stat(join(dataDir, "keys"))).mode & 0o777).toBe(0o700);
    const { d } = JSON.parse(await readFile(keyFile, "utf8"));
    expect(JSON.stringify(issuer.jwks())).not.toContain(d);
  });

  it("ends with one key after concurrent first uses", async () => {
    const issuers = await Promise.all(
      Array.from({ length: 20 }, () => openLocalIssuer(new FileKeyStore(dataDir), systemClock)),
    );
    const again = await openLocalIssuer(new FileKeyStore(dataDir), systemClock);
    for (const issuer of issuers) expect(issuer.jwks()).toEqual(again.jwks());
    expect(await readdir(join(dataDir, "keys"))).toEqual(["local-issuer.jwk"]);
  });

  const P256 = '{"kty":"EC","crv":"P-256","x":"f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU",';
  test.each([
    ["cut off", (text: string) => text.slice(0, 40)],
    ["not a key", () => '{"hello":"world"}'],
    ["not an object", () => "null"],
    ["a key of another kind", () => `${P256}"y":"x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0"}`],
    ["without its private half", (text: string) => JSON.stringify({ ...JSON.parse(text), d: undefined })],
    [
      "two halves that do not match",
      (text: string) => text.replace(/"x":"(.)/, (_, first) => `"x":"${first === "_" ? "A" : "_"}`),
    ],
  ])("rejects a key file that is %s, and names it", async (_what, damage) => {
    await openLocalIssuer(new FileKeyStore(dataDir), systemClock);
    await writeFile(keyFile, damage(await readFile(keyFile, "utf8")));
    await expect(openLocalIssuer(new FileKeyStore(dataDir), systemClock)).rejects.toThrow(
      `${keyFile} is damaged`,
    );
  });

  it("rejects an empty key file, and names it", async () => {
    await openLocalIssuer(new FileKeyStore(dataDir), systemClock);
    await writeFile(keyFile, "");
    await expect(openLocalIssuer(new FileKeyStore(dataDir), systemClock)).rejects.toThrow(
      `${keyFile} is empty`,
    );
  });

  it("names the key file if the data directory is not a directory", async () => {
    await openLocalIssuer(new FileKeyStore(dataDir), systemClock);
    await rm(keyFile);
    await writeFile(join(dataDir, "file"), "");
    await expect(openLocalIssuer(new FileKeyStore(join(dataDir, "file")), systemClock)).rejects.toThrow(
      "local-issuer.jwk",
    );
  });

  it("names a key file that can be opened but not read", async () => {
    await mkdir(keyFile, { recursive: true });
    await expect(openLocalIssuer(new FileKeyStore(dataDir), systemClock)).rejects.toThrow(
      `cannot read the key file ${keyFile}`,
    );
  });
});
