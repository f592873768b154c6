import { KeyObject } from "node:crypto";
import { readAuthenticatorData } from "./authenticator-data.js";
import { readCbor } from "./cbor.js";
import { readPublicKey } from "./certificate.js";
import { importPublicKey, isSignedBy } from "./certificate-path.js";
import { type AssertionStep, MalformedInput, StepList, type Verification } from "./steps.js";
import { sha256, verifyOrigin } from "./verify-attestation.js";

/** An assertion, and the values that it must match. */
export interface AssertionInput {
  /** The assertion, as the device sent it. */
  readonly assertion: Uint8Array;
  /** SHA-256 of the client data. */
  readonly clientDataHash: Uint8Array;
  /** The device's public key on P-256: imported, or the DER of SubjectPublicKeyInfo. */
  readonly publicKey: KeyObject | Uint8Array;
  /** Team id and bundle id, joined by a dot. */
  readonly appId: string;
  /** Counter of the previous assertion; 0 after the attestation. */
  readonly counter: number;
}

export interface VerifiedAssertion {
  readonly counter: number;
}

/**
 * Verifies an assertion by the steps that Apple has published. The caller stores the counter, and rejects the assertion
 * if the stored counter has changed.
 *
 * @throws RangeError if `counter` is out of range.
 */
export async function verifyAssertion(
  input: AssertionInput,
): Promise<Verification<AssertionStep, VerifiedAssertion>> {
  const { assertion, publicKey, clientDataHash, appId, counter } = input;
  if (!Number.isSafeInteger(counter) || counter < 0) throw new RangeError(`${counter} is not a counter`);
  const steps = new StepList<AssertionStep>();
  const object = steps.read(
    "format",
    "a CBOR map of signature and authenticatorData",
    () => readAssertion(assertion),
    () => `${assertion.length} bytes of CBOR`,
  );
  if (object === undefined) return steps.result();
  const { authenticatorData, signature } = object;

  const key = steps.read(
    "public_key",
    "a public key on P-256",
    () => (publicKey instanceof KeyObject ? publicKey : importKey(publicKey)),
    () => "a public key on P-256",
  );
  if (key !== undefined) {
    const nonce = sha256(authenticatorData, clientDataHash);
    const isValid = await isSignedBy("sha256", nonce, key, signature);
    steps.add("signature", isValid, {
      expected: "a signature of the nonce by the public key",
      found: isValid ? "a valid signature" : "an invalid signature",
    });
  }

  const data = steps.read(
    "authenticator_data",
    "an RP ID hash, flags and a counter",
    () => readAuthenticatorData(authenticatorData),
    () => `${authenticatorData.length} bytes`,
  );
  if (data === undefined) return steps.result();
  verifyOrigin(steps, appId, data);
  steps.add("counter", data.counter > counter, {
    expected: `more than ${counter}`,
    found: `${data.counter}`,
  });
  return steps.result({ counter: data.counter });
}

interface Assertion {
  readonly signature: Uint8Array;
  readonly authenticatorData: Uint8Array;
}

function readAssertion(bytes: Uint8Array): Assertion {
  const object = readCbor(bytes);
  if (!(object instanceof Map)) throw new MalformedInput("CBOR that is not a map");
  const [signature, authenticatorData] = ["signature", "authenticatorData"].map((name) => object.get(name));
  if (!(signature instanceof Uint8Array)) throw new MalformedInput("no byte string signature");
  if (!(authenticatorData instanceof Uint8Array))
    throw new MalformedInput("no byte string authenticatorData");
  return { signature, authenticatorData };
}

function importKey(spki: Uint8Array): KeyObject {
  const key = readPublicKey(spki);
  if (key.curve !== "P-256") throw new MalformedInput(`a public key on ${key.curve}`);
  return importPublicKey(key);
}
