import { strictEqual } from "node:assert/strict";
import { X509Certificate } from "node:crypto";
import { type Certificate, readCertificate } from "../../src/integrity/attestation/certificate.js";
import { MalformedInput } from "../../src/integrity/attestation/steps.js";
import type { FuzzTarget } from "../engine/fuzz-target.js";
import { ATTESTED } from "./attested-device.js";

/** Bytes are rejected as malformed, or read as OpenSSL reads them. */
export const certificate: FuzzTarget = {
  name: "certificate",
  boundedInputs: 5_000,
  seeds: [ATTESTED.root],
  words: [
    ...["3080", "3082", "0201", "0603551d13", "0603551d0f", "0101ff", "170d", "180f", "030205", "1f"].map(
      (hex) => Buffer.from(hex, "hex"),
    ),
  ],
  run(input) {
    let read: Certificate;
    try {
      read = readCertificate(input);
    } catch (error) {
      if (!(error instanceof MalformedInput)) throw error;
      return;
    }
    const other = openSslReading(input);
    if (other === undefined) return;
    strictEqual(Date.parse(other.validFrom), read.notBefore);
    strictEqual(Date.parse(other.validTo), read.notAfter);
    if (other.ca) strictEqual(read.ca, true);
  },
};

function openSslReading(input: Buffer): X509Certificate | undefined {
  try {
    return new X509Certificate(input);
  } catch {
    return undefined;
  }
}
