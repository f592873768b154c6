import { deepStrictEqual } from "node:assert/strict";
import { type CborMap, readCbor } from "../../src/integrity/attestation/cbor.js";
import { readPublicKey } from "../../src/integrity/attestation/certificate.js";
import { readRootCertificate } from "../../src/integrity/attestation/certificate-path.js";
import { sha256, verifyAttestation } from "../../src/integrity/attestation/verify-attestation.js";
import type { FuzzTarget } from "../engine/fuzz-target.js";
import { checkSteps } from "../oracles/attestation-steps.js";
import { ATTESTED } from "./attested-device.js";

const root = readRootCertificate(ATTESTED.root);
const SIGNED = signedParts(ATTESTED.attestation);

/** An attestation passes only with everything that the device and its issuer signed. Any other has a failed step. */
export const attestation: FuzzTarget = {
  name: "attestation",
  boundedInputs: 1_000,
  seeds: [ATTESTED.attestation],
  words: [
    ...["fmt", "attStmt", "x5c", "receipt", "authData", "apple-appattest", "appattestdevelop"],
    ...["3082", "5901", "a501020326"].map((hex) => Buffer.from(hex, "hex")),
  ],
  async run(input) {
    const result = await verifyAttestation({
      attestation: input,
      clientDataHash: sha256(Buffer.from("challenge")),
      keyId: sha256(readPublicKey(ATTESTED.publicKey).point),
      appId: "TEAM123456.com.example.app",
      environments: ["production"],
      root,
      at: Date.parse("2026-03-02T00:00:00Z"),
    });
    checkSteps(result);
    if (result.ok) deepStrictEqual(signedParts(input), SIGNED);
  },
};

/** Everything except the receipt. */
function signedParts(bytes: Buffer): unknown[] {
  const object = readCbor(bytes) as CborMap;
  return [object.get("fmt"), (object.get("attStmt") as CborMap).get("x5c"), object.get("authData")];
}
