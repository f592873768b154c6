import { deepStrictEqual } from "node:assert/strict";
import { type CborMap, readCbor } from "../../src/integrity/attestation/cbor.js";
import { verifyAssertion } from "../../src/integrity/attestation/verify-assertion.js";
import { sha256 } from "../../src/integrity/attestation/verify-attestation.js";
import type { FuzzTarget } from "../engine/fuzz-target.js";
import { checkSteps } from "../oracles/attestation-steps.js";
import { ATTESTED } from "./attested-device.js";

const signedData = (bytes: Buffer): unknown => (readCbor(bytes) as CborMap).get("authenticatorData");

/** An assertion passes only with the data that the device signed. Any other has a failed step. */
export const assertion: FuzzTarget = {
  name: "assertion",
  boundedInputs: 3_000,
  seeds: [ATTESTED.assertion],
  words: [
    ...["signature", "authenticatorData"],
    ...["5825", "5846", "30440220", "022100", "a0"].map((hex) => Buffer.from(hex, "hex")),
  ],
  async run(input) {
    const result = await verifyAssertion({
      assertion: input,
      clientDataHash: sha256(Buffer.from("challenge")),
      publicKey: ATTESTED.publicKey,
      appId: "TEAM123456.com.example.app",
      counter: 6,
    });
    checkSteps(result);
    if (result.ok) deepStrictEqual(signedData(input), signedData(ATTESTED.assertion));
  },
};
