import { join } from "node:path";
import { decodeJwt } from "jose";
import { beforeEach, describe, expect, it, test } from "vitest";
import { testDirectory } from "../../../test/support/test-directory.js";
import type { EmbeddedRecords } from "../../control/embedded/embedded-records.js";
import { type Json, RECORD_KINDS } from "../../control/records.js";
import { testRecords } from "../../control/testing/test-records.js";
import { Scope } from "../../gen/waybill/auth/v1/authorization_pb.js";
import { systemClock } from "../../model/clock.js";
import { Authenticator } from "./authenticator.js";
import { fixedKeys } from "./key-source.js";
import { LOCAL_ISSUER, LOCAL_ISSUER_KEY, openLocalIssuer } from "./local-issuer.js";

let directory: string;
let records: EmbeddedRecords;

beforeEach(async () => {
  directory = await testDirectory();
  records = await testRecords(directory);
});

const CLAIMS = {
  principal: "someone@example.com",
  scopes: ["https://www.googleapis.com/auth/platform", "https://www.googleapis.com/auth/app-platform"],
  ttlSeconds: 3_600,
};

const KIND = RECORD_KINDS.key;
const storedKey = async () => (await records.get(KIND, LOCAL_ISSUER_KEY))?.value;

describe("openLocalIssuer", () => {
  it("signs tokens that the authenticator accepts", async () => {
    const issuer = await openLocalIssuer(records, systemClock);
    const authenticator = new Authenticator([{ issuer: LOCAL_ISSUER, keys: fixedKeys(issuer.jwks()) }]);
    const principal = await authenticator.authenticate(`Bearer ${await issuer.sign(CLAIMS)}`);
    expect(principal).toMatchObject({ name: "someone@example.com", issuer: LOCAL_ISSUER });
    expect(principal.scopes).toEqual(new Set([Scope.PLATFORM, Scope.APP_PLATFORM]));
  });

  it("sets every claim that it was passed", async () => {
    const issuer = await openLocalIssuer(records, systemClock);
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

  it("publishes only the public part of its key", async () => {
    const issuer = await openLocalIssuer(records, systemClock);
    const { d } = (await storedKey()) as { readonly d: string };
    expect(d).toMatch(/^[\w-]{43}$/);
    expect(JSON.stringify(issuer.jwks())).not.toContain(d);
  });

  it("keeps its key when it is opened again", async () => {
    const issuer = await openLocalIssuer(records, systemClock);
    expect((await openLocalIssuer(records, systemClock)).jwks()).toEqual(issuer.jwks());
  });

  const P256 = {
    kty: "EC",
    crv: "P-256",
    x: "f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU",
    y: "x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0",
  };
  test.each<[string, (key: object) => Json]>([
    ["not a key", () => ({ hello: "world" })],
    ["not an object", () => "text"],
    ["null", () => null],
    ["a key of another kind", () => P256],
    ["without its private half", (key) => ({ ...key, d: undefined })],
    ["two halves that do not match", (key) => ({ ...key, x: "A".repeat(43) })],
  ])("rejects a stored key that is %s, and names the key", async (_case, damage) => {
    await openLocalIssuer(records, systemClock);
    await records.change([{ kind: KIND, key: LOCAL_ISSUER_KEY, value: damage(Object(await storedKey())) }]);
    const place = `local-issuer.jwk in ${join(directory, "records.db")}`;
    await expect(openLocalIssuer(records, systemClock)).rejects.toThrow(`${place} is damaged`);
  });
});
