import { createPublicKey } from "node:crypto";
import {
  verifyAssertion as checkerAssertion,
  verifyAttestation as checkerAttestation,
  setAppAttestRootCertificate,
} from "appattest-checker-node";
import { verifyAssertion as nodeAssertion } from "node-app-attest";
import { beforeAll, describe, expect, test } from "vitest";
import {
  APP_ID,
  type AttestationParts,
  CA_NOT_AFTER,
  CA_NOT_BEFORE,
  createChain,
  LEAF_NOT_BEFORE,
  type SyntheticChain,
  SyntheticDevice,
} from "./testing/synthetic-device.js";
import { verifyAssertion } from "./verify-assertion.js";
import { sha256, verifyAttestation } from "./verify-attestation.js";

const [teamIdentifier = "", bundleIdentifier = ""] = [APP_ID.slice(0, 10), APP_ID.slice(11)];
let chain: SyntheticChain;
let device: SyntheticDevice;

beforeAll(async () => {
  chain = await createChain();
  device = await SyntheticDevice.create(chain);
  setAppAttestRootCertificate(chain.root.certificate.toString("pem"));
  return () => setAppAttestRootCertificate(null);
});

/**
 * Returns a challenge for which the nonce begins with an impossible ASN.1 length. `appattest-checker-node` compares a
 * printed form of the nonce, which differs if the nonce happens to be valid ASN.1: about one in 500.
 */
function challengeFor(parts: AttestationParts): Buffer {
  const data = device.attestedData(parts);
  for (let number = 0; ; number++) {
    const challenge = Buffer.from(`challenge ${number}`);
    const [tag = 0, length] = sha256(data, sha256(challenge));
    if ((tag & 0x1f) !== 0x1f && length === 0xff) return challenge;
  }
}

// Not compared: the environment, because `appattest-checker-node` accepts development keys in production.
describe("D the verification result equals the result of other verifiers for", () => {
  test.each<[string, AttestationParts]>([
    ["a valid attestation", {}],
    ["a counter above 0", { counter: 1 }],
    ["another app", { appId: "TEAM123456.com.example.other" }],
    ["another credential id", { credentialId: Buffer.alloc(32) }],
    ["another nonce", { nonceExtension: Buffer.from("3005a1030401aa", "hex") }],
  ])("%s", async (_name, parts) => {
    const challenge = challengeFor(parts);
    // The peer uses the system's clock.
    const attestation = await device.attest(sha256(challenge), {
      ...parts,
      leaf: { notBefore: CA_NOT_BEFORE, notAfter: CA_NOT_AFTER },
    });
    const ours = await verifyAttestation({
      attestation,
      clientDataHash: sha256(challenge),
      keyId: device.keyId,
      appId: APP_ID,
      environments: ["production"],
      root: chain.trusted,
      at: LEAF_NOT_BEFORE,
    });
    const app = { appId: APP_ID, developmentEnv: false };
    const theirs = await checkerAttestation(app, device.keyId.toString("base64"), challenge, attestation);
    expect(ours.ok).toBe(!("verifyError" in theirs));
  });

  test.each([
    ["a valid assertion", {}, "client data"],
    ["another app's assertion", { appId: "TEAM123456.com.example.other" }, "client data"],
    ["other client data", {}, "other"],
  ])("%s", async (_name, parts, signed) => {
    const clientData = Buffer.from("client data");
    const assertion = await device.assert(sha256(Buffer.from(signed)), 1, parts);
    const { publicKey } = device;
    const ours = await verifyAssertion({
      assertion,
      clientDataHash: sha256(clientData),
      publicKey,
      appId: APP_ID,
      counter: 0,
    });
    const pem = createPublicKey({ key: publicKey, format: "der", type: "spki" })
      .export({ format: "pem", type: "spki" })
      .toString();
    const checker = await checkerAssertion(sha256(clientData), pem, APP_ID, assertion);
    const nodeAppAttest = (): unknown =>
      nodeAssertion({
        assertion,
        payload: clientData,
        publicKey: pem,
        bundleIdentifier,
        teamIdentifier,
        signCount: 0,
      });
    expect(ours.ok).toBe("signCount" in checker);
    if (ours.ok) expect(nodeAppAttest()).toEqual({ signCount: 1 });
    else expect(nodeAppAttest).toThrow();
  });
});
