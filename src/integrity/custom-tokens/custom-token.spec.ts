import { generateKeyPairSync, type KeyObject } from "node:crypto";
import { SignJWT } from "jose";
import { beforeEach, describe, expect, it, test } from "vitest";
import { testDirectory } from "../../../test/support/test-directory.js";
import type { EmbeddedRecords } from "../../control/embedded/embedded-records.js";
import { testRecords } from "../../control/testing/test-records.js";
import { AdjustableClock, systemClock } from "../../model/clock.js";
import { addCredentialKey, listCredentialKeys, removeCredentialKey } from "./credential-keys.js";
import { CUSTOM_TOKEN_AUDIENCE, CustomTokenError, verifyCustomToken } from "./custom-token.js";

const PRINCIPAL = "attester@example.com";
const DAY = 86_400_000;
const KEY = generateKeyPairSync("rsa", { modulusLength: 2_048 });
const OTHER_KEY = generateKeyPairSync("rsa", { modulusLength: 2_048 });

let records: EmbeddedRecords;
let clock: AdjustableClock;
beforeEach(async () => {
  clock = new AdjustableClock(systemClock);
  clock.set({ rate: 0 });
  records = await testRecords(await testDirectory());
  await addKey(KEY.publicKey);
});

const addKey = (publicKey: KeyObject) =>
  addCredentialKey(records, { principal: PRINCIPAL, publicKey, expireTime: clock.wall() + DAY });

function sign(claims: object = {}, key = KEY.privateKey, alg = "RS256"): Promise<string> {
  const iat = Math.floor(clock.wall() / 1_000);
  const usual = {
    iss: PRINCIPAL,
    sub: PRINCIPAL,
    aud: CUSTOM_TOKEN_AUDIENCE,
    app_id: "a",
    iat,
    exp: iat + 300,
  };
  return new SignJWT({ ...usual, ...claims }).setProtectedHeader({ alg, typ: "JWT" }).sign(key);
}

const verify = (token: string) => verifyCustomToken(token, { records, clock });

describe("verifyCustomToken", () => {
  it("accepts a token that any key of its signer has signed", async () => {
    const expected = { principal: PRINCIPAL, appId: "a", ttlSeconds: undefined };
    expect(await verify(await sign())).toEqual(expected);
    await addKey(OTHER_KEY.publicKey);
    expect(await verify(await sign({}, OTHER_KEY.privateKey))).toEqual(expected);
    expect((await verify(await sign({ ttl: "1800.5s" }))).ttlSeconds).toBe(1_800);
  });

  it("rejects a token after its key was revoked", async () => {
    const [key] = await listCredentialKeys(records);
    expect(await removeCredentialKey(records, key?.kid ?? "")).toBe(true);
    expect(await removeCredentialKey(records, key?.kid ?? "")).toBe(false);
    await expect(verify(await sign())).rejects.toThrow(CustomTokenError);
  });

  test.each<[problem: string, token: () => string | Promise<string>]>([
    ["is not a JWT", () => "x"],
    ["names no issuer", () => sign({ iss: undefined })],
    ["names an issuer without keys", () => sign({ iss: "other@example.com" })],
    ["was signed by another key", () => sign({}, OTHER_KEY.privateKey)],
    ["was signed by another algorithm", () => sign({}, KEY.privateKey, "RS512")],
    ["has another subject", () => sign({ sub: "other@example.com" })],
    ["has another audience", () => sign({ aud: "waybill" })],
    ["names no app", () => sign({ app_id: undefined })],
    ["does not expire", () => sign({ exp: undefined })],
    ["has expired", () => sign({ exp: Math.floor(clock.wall() / 1_000) - 61 })],
    ["is more than an hour old", () => sign({ iat: Math.floor(clock.wall() / 1_000) - 3_661 })],
    ["requests a lifetime that is too short", () => sign({ ttl: "1799s" })],
    ["requests a lifetime that is too long", () => sign({ ttl: "604800.1s" })],
    ["requests no lifetime", () => sign({ ttl: "soon" })],
    ["requests a lifetime with further text", () => sign({ ttl: "3600s later" })],
    ["requests a lifetime without a unit", () => sign({ ttl: 3_600 })],
  ])("rejects a token that %s", async (_, token) => {
    await expect(verify(await token())).rejects.toThrow(CustomTokenError);
  });
});
