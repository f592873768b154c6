import { deepStrictEqual, ok } from "node:assert/strict";
import { encode, rfc8949EncodeOptions } from "cborg";
import { type CborValue, readCbor } from "../../src/integrity/attestation/cbor.js";
import { MalformedInput } from "../../src/integrity/attestation/steps.js";
import type { FuzzTarget } from "../engine/fuzz-target.js";
import { ATTESTED } from "./attested-device.js";

const bytes = (hex: string): Buffer => Buffer.from(hex, "hex");

/** Bytes are rejected as malformed, or are the only encoding of a value. */
export const cbor: FuzzTarget = {
  name: "cbor",
  boundedInputs: 5_000,
  seeds: [
    ATTESTED.assertion,
    ...["00", "3903e7", "a2616101614101", "818181810a", "a1f500", "9fff", "bf616101ff", "7f6161ff"].map(
      bytes,
    ),
    ...[
      "1b001fffffffffffff",
      "1b0020000000000000",
      "9affffffff",
      "c249010000000000000000",
      "fb3ff0000000000000",
    ].map(bytes),
    ...["63efbbbf", "63eda080", "62c3bc", "f4f5f6f7", "a301010101", "1801", "580100"].map(bytes),
  ],
  words: [
    ...["80", "a0", "ff", "9f", "bf", "5f", "1b", "5affffffff", "c2", "f6", "f9", "6161", "4161"].map((hex) =>
      Buffer.from(hex, "hex"),
    ),
  ],
  run(input) {
    let value: CborValue;
    try {
      value = readCbor(input);
    } catch (error) {
      if (!(error instanceof MalformedInput)) throw error;
      return;
    }
    ok(depthOf(value) <= 4, "deeper than the limit");
    // Map members keep their order.
    deepStrictEqual(Buffer.from(encode(value, { ...rfc8949EncodeOptions, mapSorter: () => 0 })), input);
  },
};

function depthOf(value: CborValue): number {
  if (value instanceof Map) return 1 + Math.max(0, ...[...value.values()].map(depthOf));
  return Array.isArray(value) ? 1 + Math.max(0, ...value.map(depthOf)) : 0;
}
