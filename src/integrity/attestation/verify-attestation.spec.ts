// The certificate library needs it.
import "reflect-metadata";

import { BasicConstraintsExtension, Extension, KeyUsageFlags, X509Certificate } from "@peculiar/x509";
import { encode } from "cborg";
import fc from "fast-check";
import { beforeAll, describe, expect, it, test } from "vitest";
import { readRootCertificate } from "./certificate-path.js";
import {
  APP_ID,
  type AttestationParts,
  attestationObject,
  createChain,
  generateKeys,
  issue,
  LEAF_NOT_AFTER,
  LEAF_NOT_BEFORE,
  type SyntheticChain,
  SyntheticDevice,
} from "./testing/synthetic-device.js";
import { type AttestationInput, sha256, verifyAttestation } from "./verify-attestation.js";

const clientDataHash = sha256(Buffer.from("challenge"));
const DEVELOPMENT = "appattestdevelop";

let chain: SyntheticChain;
let device: SyntheticDevice;
let attestation: Buffer;

beforeAll(async () => {
  chain = await createChain();
  device = await SyntheticDevice.create(chain);
  attestation = await device.attest(clientDataHash);
});

const verify = (changes: Partial<AttestationInput> = {}) =>
  verifyAttestation({
    attestation,
    clientDataHash,
    keyId: device.keyId,
    appId: APP_ID,
    environments: ["production"],
    root: chain.trusted,
    at: LEAF_NOT_BEFORE,
    ...changes,
  });

async function failures(changes: Partial<AttestationInput>): Promise<string[]> {
  const result = await verify(changes);
  expect(result.ok).toBe(result.steps.every(({ ok }) => ok));
  return result.steps.filter(({ ok }) => !ok).map(({ name }) => name);
}

const failuresOf = async (
  parts: AttestationParts,
  changes: Partial<AttestationInput> = {},
): Promise<string[]> => failures({ attestation: await device.attest(clientDataHash, parts), ...changes });

describe("D verifyAttestation", () => {
  it("accepts an attestation that passes every step", async () => {
    const result = await verify();
    expect(result.steps.map(({ name, ok }) => [name, ok])).toEqual(
      [
        ["format", "certificates", "certificate_path", "certificate_dates", "nonce", "key_id"],
        [
          "authenticator_data",
          "extensions",
          "rp_id_hash",
          "counter",
          "environment",
          "credential_id",
          "public_key",
        ],
      ]
        .flat()
        .map((name) => [name, true]),
    );
    expect(result.ok && result.verified.environment).toBe("production");
    expect(result.ok && Buffer.compare(result.verified.publicKey, device.publicKey)).toBe(0);
  });

  it("reports the first failed step with its expected value and the found value", async () => {
    const result = await verify({ appId: "TEAM123456.com.example.other" });
    expect(!result.ok && result.failed).toEqual({
      name: "rp_id_hash",
      ok: false,
      expected: expect.stringMatching(/^.{44}, the digest of TEAM123456\.com\.example\.other$/),
      found: sha256(Buffer.from(APP_ID)).toString("base64"),
    });
  });

  it("accepts certificates at both ends of their validity", async () => {
    expect(await failures({ at: LEAF_NOT_BEFORE })).toEqual([]);
    expect(await failures({ at: LEAF_NOT_AFTER })).toEqual([]);
    expect(await failures({ at: LEAF_NOT_BEFORE - 1 })).toEqual(["certificate_dates"]);
    expect(await failures({ at: LEAF_NOT_AFTER + 1 })).toEqual(["certificate_dates"]);
  });

  it.each(["root", "intermediate"] as const)(
    "rejects an attestation after its %s certificate has expired",
    async (name) => {
      const notAfter = LEAF_NOT_BEFORE - 1000;
      const expired = await createChain({ [name]: { notAfter } });
      const own = await SyntheticDevice.create(expired);
      const changes = {
        attestation: await own.attest(clientDataHash),
        keyId: own.keyId,
        root: expired.trusted,
      };
      expect(await failures(changes)).toEqual(["certificate_dates"]);
    },
  );

  it("reads certificate dates after 2049, which have another form", async () => {
    const parts = { leaf: { notAfter: Date.parse("2060-01-01T00:00:00Z") } };
    expect(await failuresOf(parts)).toEqual([]);
  });

  test.each<[string, AttestationParts, string[]]>([
    ["a counter above 0", { counter: 1 }, ["counter"]],
    ["an unknown AAGUID", { aaguid: "appattest\0\0\0\0\0\0\u0001" }, ["environment"]],
    ["the development environment", { aaguid: DEVELOPMENT }, ["environment"]],
    ["another app", { appId: "TEAM123456.com.example.other" }, ["rp_id_hash"]],
    ["another credential id", { credentialId: Buffer.alloc(32) }, ["credential_id"]],
    ["a credential id of another length", { credentialId: Buffer.alloc(16) }, ["credential_id"]],
    ["no credential data flag", { flags: 0 }, ["authenticator_data"]],
    ["extensions that are not a map", { after: Buffer.of(0x01) }, ["extensions"]],
    ["extensions that end too early", { after: Buffer.of(0xa1, 0x61) }, ["extensions"]],
    [
      "bytes after the extensions",
      { after: Buffer.concat([encode({ a: 1 }), Buffer.of(0)]) },
      ["extensions"],
    ],
    ["two maps of extensions", { after: Buffer.concat([encode({}), encode({})]) }, ["extensions"]],
    ["extensions named by numbers", { after: Buffer.from(encode(new Map([[1, 1]]))) }, ["extensions"]],
    ["the extensions flag without extensions", { flags: 0xc0 }, ["extensions"]],
    ["a nonce extension of another form", { nonceExtension: Buffer.from("30020500", "hex") }, ["nonce"]],
    ["bytes after the nonce", { nonceExtension: Buffer.from("3006a10404000000", "hex") }, ["nonce"]],
    ["a short nonce", { nonceExtension: Buffer.from("3005a1030401aa", "hex") }, ["nonce"]],
    ["a leaf without the nonce", { leaf: { extensions: [] } }, ["nonce"]],
    ["a leaf that is a CA", { leaf: { ca: true } }, ["certificate_path"]],
    [
      "a leaf that must not sign data",
      { leaf: { usages: KeyUsageFlags.keyAgreement } },
      ["certificate_path"],
    ],
  ])("rejects %s", async (_name, parts, expected) => {
    expect(await failuresOf(parts)).toEqual(expected);
  });

  it("accepts the development environment if it is allowed", async () => {
    const environments = ["production", "development"] as const;
    expect(await failuresOf({ aaguid: DEVELOPMENT }, { environments })).toEqual([]);
    expect(await failures({ environments })).toEqual([]);
    expect(await failures({ environments: ["development"] })).toEqual(["environment"]);
  });

  it.each([0x40, 0xc0])("accepts the extensions of iOS 27 with the flags %i", async (flags) => {
    const after = Buffer.from(
      encode({ apple_bundle_version_01: "1", apple_validation_category_01: Buffer.from("03000000", "hex") }),
    );
    expect(await failuresOf({ flags, after })).toEqual([]);
  });

  it.each([{}, { "": 1 }])("describes extensions without names: %j", async (extensions) => {
    const attestation = await device.attest(clientDataHash, { after: Buffer.from(encode(extensions)) });
    const { steps } = await verify({ attestation });
    expect(steps.find(({ name }) => name === "extensions")).toMatchObject({ ok: true, found: "no names" });
  });

  it("accepts COSE key coordinates without leading zeros", async () => {
    let own = device;
    while (own.point[1] !== 0) own = await SyntheticDevice.create(chain);
    const coseKey = own.coseKey().set(-2, own.point.subarray(2, 33));
    const changes = { attestation: await own.attest(clientDataHash, { coseKey }), keyId: own.keyId };
    expect(await failures(changes)).toEqual([]);
  });

  test.each<[string, (key: Map<number, unknown>) => unknown]>([
    ["of another type", (key) => key.set(1, 3)],
    ["for another algorithm", (key) => key.set(3, -35)],
    ["on another curve", (key) => key.set(-1, 2)],
    ["without a coordinate", (key) => key.delete(-2)],
    ["with a long coordinate", (key) => key.set(-2, Buffer.alloc(33))],
    ["with a coordinate's sign", (key) => key.set(-3, true)],
    ["with another member", (key) => key.set(2, Buffer.alloc(1))],
  ])("rejects a COSE key %s", async (_name, change) => {
    const coseKey = device.coseKey();
    change(coseKey);
    expect(await failuresOf({ coseKey })).toEqual(["authenticator_data"]);
  });

  it("rejects the COSE key of another device", async () => {
    const other = await SyntheticDevice.create(chain);
    expect(await failuresOf({ coseKey: other.coseKey() })).toEqual(["public_key"]);
  });

  it("rejects an attestation for another challenge or another key id", async () => {
    expect(await failures({ clientDataHash: sha256(Buffer.from("other")) })).toEqual(["nonce"]);
    expect(await failures({ keyId: Buffer.alloc(32) })).toEqual(["key_id", "credential_id"]);
    expect(await failures({ keyId: Buffer.alloc(0) })).toEqual(["key_id", "credential_id"]);
  });

  it("rejects certificates that lead to another root with the same name", async () => {
    const other = await createChain();
    expect(await failures({ root: other.trusted })).toEqual(["certificate_path"]);
  });

  it("rejects a leaf that the root issued directly", async () => {
    const own = await SyntheticDevice.create({ ...chain, intermediate: chain.root });
    const changes = { attestation: await own.attest(clientDataHash), keyId: own.keyId };
    expect(await failures(changes)).toEqual(["certificate_path"]);
  });

  test.each<[string, object]>([
    ["is not a CA", { ca: false, usages: KeyUsageFlags.keyCertSign }],
    ["must not sign certificates", { usages: KeyUsageFlags.digitalSignature }],
    ["has no extensions about CAs", { extensions: [] }],
  ])("rejects an intermediate that %s", async (_name, intermediate) => {
    const own = await createChain({ intermediate });
    const changes = await SyntheticDevice.create(own);
    const input = {
      attestation: await changes.attest(clientDataHash),
      keyId: changes.keyId,
      root: own.trusted,
    };
    expect((await failures(input))[0]).toMatch(/^certificate/);
  });

  const CA = new BasicConstraintsExtension(true, undefined, true);

  /** Returns the failed steps for a leaf and an intermediate with other extensions. The leaf also has the nonce. */
  async function failuresWith(ofLeaf: readonly Extension[], ofIntermediate: readonly Extension[]) {
    const own = await createChain({ intermediate: { extensions: ofIntermediate } });
    const other = await SyntheticDevice.create(own);
    const nonce = sha256(other.attestedData(), clientDataHash);
    const value = Buffer.concat([Buffer.from("3024a1220420", "hex"), nonce]);
    const extensions = [...ofLeaf, new Extension("1.2.840.113635.100.8.2", false, new Uint8Array(value))];
    const attestation = await other.attest(clientDataHash, { leaf: { extensions } });
    return failures({ attestation, keyId: other.keyId, root: own.trusted });
  }

  it("accepts certificates without key usages, which then are not limited", async () => {
    expect(await failuresWith([], [CA])).toEqual([]);
  });

  test.each<[string, string, string, string[]]>([
    ["accepts a leaf that names its issuer's key", "30048002aabb", "0402aabb", []],
    ["accepts a leaf that names a key if the issuer does not name its own", "30048002aabb", "", []],
    ["accepts a leaf that does not name a key", "3000", "0402aabb", []],
    ["rejects a leaf that names another key", "30048002aabc", "0402aabb", ["certificate_path"]],
    ["rejects a malformed name of the issuer's key", "04028000", "", ["certificates"]],
    ["rejects a malformed name of the own key", "3000", "0402aabb00", ["certificates"]],
  ])("%s", async (_name, ofAuthority, ofSubject, expected) => {
    const extension = (oid: string, hex: string): Extension[] =>
      hex === "" ? [] : [new Extension(oid, false, new Uint8Array(Buffer.from(hex, "hex")))];
    const intermediate = [CA, ...extension("2.5.29.14", ofSubject)];
    const failed = await failuresWith(extension("2.5.29.35", ofAuthority), intermediate);
    expect(failed.slice(0, 1)).toEqual(expected);
  });

  it("rejects certificates that others signed or issued", async () => {
    const otherKeys = await generateKeys("P-384");
    const forgedLeaf = await device.attest(clientDataHash, { leaf: { signer: otherKeys } });
    expect(await failures({ attestation: forgedLeaf })).toEqual(["certificate_path"]);

    const forged = await issue(chain.intermediate.keys, chain.root, {
      subject: "CN=Synthetic CA 1",
      signer: otherKeys,
    });
    const authData = device.attestedData();
    const leaf = await device.leaf(authData, clientDataHash);
    const object = attestationObject(authData, [leaf, Buffer.from(forged.rawData)]);
    expect(await failures({ attestation: object })).toEqual(["certificate_path"]);

    const renamed = await issue(chain.intermediate.keys, chain.root, { subject: "CN=Another CA" });
    const unlinked = attestationObject(authData, [leaf, Buffer.from(renamed.rawData)]);
    expect(await failures({ attestation: unlinked })).toEqual(["certificate_path"]);
  });

  it("rejects a leaf with a key on another curve", async () => {
    const own = await SyntheticDevice.create(chain, "P-384");
    const coseKey = device.coseKey();
    const input = { attestation: await own.attest(clientDataHash, { coseKey }), keyId: own.keyId };
    expect(await failures(input)).toEqual(["certificate_path", "public_key"]);
  });

  it("rejects a leaf with a point that is not on its curve", async () => {
    const authData = device.attestedData();
    const leaf = await device.leaf(authData, clientDataHash);
    const last = leaf.indexOf(device.point) + device.point.length - 1;
    leaf[last] = Number(leaf[last]) ^ 1;
    const intermediate = Buffer.from(chain.intermediate.certificate.rawData);
    const result = await verify({ attestation: attestationObject(authData, [leaf, intermediate]) });
    expect(!result.ok && result.failed).toMatchObject({
      name: "certificates",
      found: "a public key that is not on its curve",
    });
  });

  it("rejects a certificate with an RSA key before OpenSSL reads it", async () => {
    const rsa = await crypto.subtle.generateKey(
      { name: "RSASSA-PKCS1-v1_5", modulusLength: 2048, publicExponent: Buffer.of(1, 0, 1), hash: "SHA-256" },
      true,
      ["sign", "verify"],
    );
    const certificate = await issue(rsa, chain.intermediate);
    const input = await objectWith([Buffer.from(certificate.rawData)]);
    const result = await verify({ attestation: input });
    expect(!result.ok && result.failed).toMatchObject({
      name: "certificates",
      found: "a public key of type 1.2.840.113549.1.1.1",
    });
  });

  it("rejects unknown critical extensions, and repeated ones", async () => {
    const unknown = new Extension("1.2.3.4", true, Buffer.from("0500", "hex"));
    const optional = new Extension("1.2.3.4", false, Buffer.from("0500", "hex"));
    for (const extensions of [[unknown], [optional, optional]]) {
      const certificate = await issue(device.keys, chain.intermediate, { extensions });
      const input = await objectWith([Buffer.from(certificate.rawData)]);
      const result = await verify({ attestation: input });
      expect(!result.ok && result.failed).toMatchObject({
        name: "certificates",
        found: expect.stringContaining("1.2.3.4"),
      });
    }
  });

  /** The attestation with other certificates before the intermediate. */
  async function objectWith(leaves: readonly Uint8Array[]): Promise<Buffer> {
    const intermediate = Buffer.from(chain.intermediate.certificate.rawData);
    return attestationObject(device.attestedData(), [...leaves, intermediate]);
  }

  it("rejects a wrong number of certificates, and certificates that are not DER", async () => {
    const authData = device.attestedData();
    const leaf = await device.leaf(authData, clientDataHash);
    const pem = Buffer.from(new X509Certificate(new Uint8Array(leaf)).toString("pem"));
    for (const leaves of [[], [leaf, leaf], [pem], [Buffer.concat([leaf, Buffer.of(0)])], [leaf.subarray(1)]])
      expect(await failures({ attestation: await objectWith(leaves) })).toEqual(["certificates"]);
  });

  test.each<[string, unknown]>([
    ["text", "apple-appattest"],
    [
      "another format",
      { fmt: "packed", attStmt: { x5c: [], receipt: Buffer.alloc(1) }, authData: Buffer.alloc(1) },
    ],
    ["no statement", { fmt: "apple-appattest", authData: Buffer.alloc(1) }],
    ["no authenticator data", { fmt: "apple-appattest", attStmt: { x5c: [], receipt: Buffer.alloc(1) } }],
    [
      "certificates that are not bytes",
      {
        fmt: "apple-appattest",
        attStmt: { x5c: ["a"], receipt: Buffer.alloc(1) },
        authData: Buffer.alloc(1),
      },
    ],
    ["no receipt", { fmt: "apple-appattest", attStmt: { x5c: [] }, authData: Buffer.alloc(1) }],
  ])("rejects an object of %s", async (_name, object) => {
    expect(await failures({ attestation: Buffer.from(encode(object)) })).toEqual(["format"]);
  });

  it("rejects bytes after the attestation object", async () => {
    expect(await failures({ attestation: Buffer.concat([attestation, Buffer.of(0)]) })).toEqual(["format"]);
  });

  it("rejects an attestation with any changed bit in its signed part, and never throws", async () => {
    const receipt = attestation.indexOf("receipt");
    await fc.assert(
      fc.asyncProperty(fc.nat(attestation.length * 8 - 1), async (bit) => {
        const changed = Buffer.from(attestation);
        changed[bit >> 3] = (changed[bit >> 3] as number) ^ (1 << (bit & 7));
        // Bits of the receipt's value may change, because it is not signed. In this test, the value is the word
        // `receipt`.
        fc.pre(bit >> 3 < receipt + 8 || bit >> 3 >= receipt + 15);
        expect(await failures({ attestation: changed })).not.toEqual([]);
      }),
      { numRuns: 150 },
    );
  });
});

describe("the reader of root certificates", () => {
  it("rejects text without a certificate", () => {
    expect(() => readRootCertificate("no certificate")).toThrow("unreadable certificate");
  });
});
