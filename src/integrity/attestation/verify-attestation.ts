import { createHash } from "node:crypto";
import type { UnixMillis } from "../../model/clock.js";
import {
  type AttestedData,
  type AuthenticatorData,
  readAttestedData,
  readExtensions,
} from "./authenticator-data.js";
import { readCbor } from "./cbor.js";
import type { Certificate } from "./certificate.js";
import {
  type CertificatePath,
  pathProblem,
  type RootCertificate,
  readCertificatePath,
  validityOf,
} from "./certificate-path.js";
import { readDer, Tag } from "./der.js";
import { type AttestationStep, base64, MalformedInput, StepList, type Verification } from "./steps.js";

/** The environments of App Attest, each with its AAGUID. */
const AAGUIDS = {
  production: Buffer.from("appattest\0\0\0\0\0\0\0"),
  development: Buffer.from("appattestdevelop"),
} as const;

export type AttestationEnvironment = keyof typeof AAGUIDS;
export const ATTESTATION_ENVIRONMENTS = Object.keys(AAGUIDS) as readonly AttestationEnvironment[];

/** An attestation, and the values that it must match. */
export interface AttestationInput {
  /** The attestation object, as the device sent it. */
  readonly attestation: Uint8Array;
  /** SHA-256 of the challenge. */
  readonly clientDataHash: Uint8Array;
  readonly keyId: Uint8Array;
  /** Team id and bundle id, joined by a dot. */
  readonly appId: string;
  /** Accepted environments. */
  readonly environments: readonly AttestationEnvironment[];
  readonly root: RootCertificate;
  /** Time at which the certificates must be valid. */
  readonly at: UnixMillis;
}

export interface VerifiedAttestation {
  /** The device's public key on P-256, as the DER of SubjectPublicKeyInfo. */
  readonly publicKey: Uint8Array;
  readonly environment: AttestationEnvironment;
}

type Steps = StepList<AttestationStep>;

/**
 * Verifies an attestation by the steps that Apple has published ("Validating apps that connect to your server"). Does
 * not use the machine clock.
 */
export async function verifyAttestation(
  input: AttestationInput,
): Promise<Verification<AttestationStep, VerifiedAttestation>> {
  const steps: Steps = new StepList();
  const object = steps.read(
    "format",
    "a CBOR map of fmt apple-appattest, attStmt and authData",
    () => readAttestationObject(input.attestation),
    () => `${input.attestation.length} bytes of CBOR`,
  );
  if (object === undefined) return steps.result();

  const path = steps.read(
    "certificates",
    "the leaf and the intermediate certificate",
    () => readCertificatePath(object.x5c, input.root),
    ({ leaf }) => `a leaf of ${leaf.bytes.length} bytes, and an intermediate`,
  );
  if (path !== undefined) await verifyCertificates(steps, path, object.authData, input);

  const data = steps.read(
    "authenticator_data",
    "an attested credential with a key for ES256",
    () => readAttestedData(object.authData),
    () => `${object.authData.length} bytes`,
  );
  if (data === undefined) return steps.result();
  const environment = verifyData(steps, data, input);
  if (path === undefined || environment === undefined) return steps.result();
  const { point, spki: publicKey } = path.leaf.publicKey;
  steps.equal("public_key", point, data.point);
  return steps.result({ publicKey, environment });
}

interface AttestationObject {
  readonly x5c: readonly Uint8Array[];
  readonly authData: Uint8Array;
}

function readAttestationObject(bytes: Uint8Array): AttestationObject {
  const object = readCbor(bytes);
  if (!(object instanceof Map)) throw new MalformedInput("CBOR that is not a map");
  const [format, statement, authData] = ["fmt", "attStmt", "authData"].map((name) => object.get(name));
  if (format !== "apple-appattest")
    throw new MalformedInput(`fmt ${typeof format === "string" ? format : "absent"}`);
  if (!(statement instanceof Map)) throw new MalformedInput("no map attStmt");
  if (!(authData instanceof Uint8Array)) throw new MalformedInput("no byte string authData");
  const x5c: unknown = statement.get("x5c");
  if (!Array.isArray(x5c) || !x5c.every((item) => item instanceof Uint8Array))
    throw new MalformedInput("no array of certificates x5c in attStmt");
  if (!(statement.get("receipt") instanceof Uint8Array))
    throw new MalformedInput("no byte string receipt in attStmt");
  return { x5c, authData };
}

async function verifyCertificates(
  steps: Steps,
  path: CertificatePath,
  authData: Uint8Array,
  { at, clientDataHash, keyId }: AttestationInput,
): Promise<void> {
  const problem = await pathProblem(path);
  const expected = `a path to ${path.root.name}`;
  steps.add("certificate_path", problem === undefined, { expected, found: problem ?? expected });
  const { notBefore, notAfter } = validityOf(path);
  steps.add("certificate_dates", notBefore <= at && at <= notAfter, {
    expected: `valid at ${new Date(at).toISOString()}`,
    found: `valid from ${new Date(notBefore).toISOString()} to ${new Date(notAfter).toISOString()}`,
  });
  const nonce = sha256(authData, clientDataHash);
  try {
    steps.equal("nonce", nonce, nonceOf(path.leaf));
  } catch (error) {
    if (!(error instanceof MalformedInput)) throw error;
    steps.add("nonce", false, { expected: base64(nonce), found: error.message });
  }
  steps.equal("key_id", sha256(path.leaf.publicKey.point), keyId);
}

/** The certificate extension with the nonce. */
const NONCE = "1.2.840.113635.100.8.2";

/** Reads `SEQUENCE { [1] { OCTET STRING } }`. */
function nonceOf({ extensions }: Certificate): Uint8Array {
  const extension = extensions.get(NONCE);
  if (extension === undefined) throw new MalformedInput(`a leaf certificate without the extension ${NONCE}`);
  const sequence = readDer(extension, Tag.SEQUENCE);
  const tagged = sequence.enter(Tag.context(1));
  sequence.end();
  const { content } = tagged.read(Tag.OCTET_STRING);
  tagged.end();
  return content;
}

/** @returns the environment; `undefined` if it is unknown. */
function verifyData(
  steps: Steps,
  data: AttestedData,
  { appId, keyId, environments }: AttestationInput,
): AttestationEnvironment | undefined {
  verifyOrigin(steps, appId, data);
  steps.add("counter", data.counter === 0, { expected: "0", found: `${data.counter}` });
  const environment = ATTESTATION_ENVIRONMENTS.find(
    (name) => Buffer.compare(AAGUIDS[name], data.aaguid) === 0,
  );
  steps.add("environment", environment !== undefined && environments.includes(environment), {
    expected: environments.join(" or "),
    found: environment ?? `the AAGUID ${Buffer.from(data.aaguid).toString("hex")}`,
  });
  steps.equal("credential_id", keyId, data.credentialId);
  return environment;
}

type OriginSteps = Pick<StepList<"extensions" | "rp_id_hash">, "add" | "read">;

/** Adds the steps that both verifications have: extensions, and the RP ID hash, which is a hash of the app id. */
export function verifyOrigin(steps: OriginSteps, appId: string, data: AuthenticatorData): void {
  steps.read(
    "extensions",
    "one map of extensions, or none",
    () => readExtensions(data),
    (extensions) => (extensions === undefined ? "none" : [...extensions.keys()].join(", ") || "no names"),
  );
  const expected = sha256(Buffer.from(appId));
  steps.add("rp_id_hash", Buffer.compare(expected, data.rpIdHash) === 0, {
    expected: `${base64(expected)}, the digest of ${appId}`,
    found: base64(data.rpIdHash),
  });
}

/** SHA-256 of concatenated bytes. */
export function sha256(...parts: readonly Uint8Array[]): Buffer {
  const hash = createHash("sha256");
  for (const part of parts) hash.update(part);
  return hash.digest();
}
