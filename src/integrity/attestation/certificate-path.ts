import { createPublicKey, type KeyObject, verify, X509Certificate } from "node:crypto";
import { promisify } from "node:util";
import type { UnixMillis } from "../../model/clock.js";
import {
  type Certificate,
  checkPoint,
  type EcPublicKey,
  notOnCurve,
  readCertificate,
} from "./certificate.js";
import { MalformedInput } from "./steps.js";

/** Verifies in the thread pool, because a signature on P-384 would block the event loop for too long. */
const verifySignature = promisify(verify);

export interface IssuerCertificate extends Certificate {
  readonly key: KeyObject;
}

/** A pinned root certificate. */
export interface RootCertificate extends IssuerCertificate {
  /** Human-readable name. */
  readonly name: string;
}

/** Certificates of an attestation, with the pinned root. */
export interface CertificatePath {
  readonly leaf: Certificate;
  readonly intermediate: IssuerCertificate;
  readonly root: RootCertificate;
}

/**
 * The intermediate certificate that was last verified for each root. Apple has only one, so most paths need one
 * signature check less.
 */
const knownIntermediates = new WeakMap<RootCertificate, IssuerCertificate>();

/** Reads a root certificate in PEM or DER. @throws MalformedInput */
export function readRootCertificate(pemOrDer: string | Uint8Array): RootCertificate {
  const { raw, subject } = x509Of(pemOrDer);
  return { ...readIssuer(raw), name: subject.replaceAll("\n", ", ") };
}

function x509Of(pemOrDer: string | Uint8Array): X509Certificate {
  try {
    return new X509Certificate(pemOrDer);
  } catch {
    throw new MalformedInput("unreadable certificate");
  }
}

/** Reads an attestation's certificates: the leaf, then the intermediate. @throws MalformedInput */
export function readCertificatePath(x5c: readonly Uint8Array[], root: RootCertificate): CertificatePath {
  const [leaf, intermediate, ...others] = x5c;
  if (leaf === undefined || intermediate === undefined || others.length > 0)
    throw new MalformedInput(`${x5c.length} certificates instead of 2`);
  const known = knownIntermediates.get(root);
  const isKnown = known !== undefined && Buffer.compare(known.bytes, intermediate) === 0;
  return { leaf: readLeaf(leaf), intermediate: isKnown ? known : readIssuer(intermediate), root };
}

function readIssuer(bytes: Uint8Array): IssuerCertificate {
  const certificate = readCertificate(bytes);
  return { ...certificate, key: importPublicKey(certificate.publicKey) };
}

/** A leaf's key verifies nothing yet, so it is not imported, which would need much longer. */
function readLeaf(bytes: Uint8Array): Certificate {
  const certificate = readCertificate(bytes);
  checkPoint(certificate.publicKey);
  return certificate;
}

/** Imports a public key. @throws MalformedInput if its point is not on the curve. */
export function importPublicKey({ curve: crv, point }: Pick<EcPublicKey, "curve" | "point">): KeyObject {
  const middle = (1 + point.length) / 2;
  const coordinate = (bytes: Uint8Array): string => Buffer.from(bytes).toString("base64url");
  const [x, y] = [coordinate(point.subarray(1, middle)), coordinate(point.subarray(middle))];
  try {
    // OpenSSL needs twice the time for DER.
    return createPublicKey({ key: { kty: "EC", crv, x, y }, format: "jwk" });
  } catch {
    throw notOnCurve();
  }
}

/** Returns the reason why a certificate path does not lead to its root; undefined if it does. Does not check dates. */
export async function pathProblem({
  leaf,
  intermediate,
  root,
}: CertificatePath): Promise<string | undefined> {
  // The checks start at the root, so that a key is used only after the pinned root has signed it.
  const problem = await intermediateProblem(intermediate, root);
  if (problem !== undefined) return problem;
  if (!(await isIssuedBy(leaf, intermediate)))
    return "a leaf certificate that the intermediate did not issue";
  if (leaf.ca) return "a leaf certificate that is a CA";
  if (!mayUse(leaf, "digitalSignature")) return "a leaf certificate that must not sign data";
  if (leaf.publicKey.curve !== "P-256") return `a leaf certificate with a key on ${leaf.publicKey.curve}`;
  return undefined;
}

async function intermediateProblem(
  intermediate: IssuerCertificate,
  root: RootCertificate,
): Promise<string | undefined> {
  if (knownIntermediates.get(root) === intermediate) return undefined;
  if (!root.ca || !mayUse(root, "keyCertSign")) return "a root certificate that is not a CA";
  if (Buffer.compare(intermediate.bytes, root.bytes) === 0)
    return "an intermediate certificate that is the root";
  if (!(await isIssuedBy(intermediate, root)))
    return "an intermediate certificate that the root did not issue";
  if (!intermediate.ca) return "an intermediate certificate that is not a CA";
  if (!mayUse(intermediate, "keyCertSign"))
    return "an intermediate certificate that must not sign certificates";
  knownIntermediates.set(root, intermediate);
  return undefined;
}

/** Returns true unless the key usages exclude a usage. Without the extension, none is excluded (RFC 5280 §4.2.1.3). */
const mayUse = ({ keyUsage }: Certificate, usage: string): boolean => keyUsage?.has(usage) ?? true;

/** Returns true if the names and key identifiers match and the issuer has signed the certificate. */
async function isIssuedBy(certificate: Certificate, issuer: IssuerCertificate): Promise<boolean> {
  const { authorityKeyId } = certificate;
  const { subjectKeyId } = issuer;
  // A CA encodes its name the same way in its own certificate and in those it issues.
  if (Buffer.compare(certificate.issuer, issuer.subject) !== 0) return false;
  if (authorityKeyId && subjectKeyId && Buffer.compare(authorityKeyId, subjectKeyId) !== 0) return false;
  return isSignedBy(certificate.hash, certificate.signed, issuer.key, certificate.signature);
}

/** Returns true if an ECDSA signature in DER is valid, and false if it is malformed. */
export async function isSignedBy(
  hash: string,
  data: Uint8Array,
  key: KeyObject,
  signature: Uint8Array,
): Promise<boolean> {
  return verifySignature(hash, data, key, signature);
}

/** Returns the time within which all certificates of a path are valid, from the first to the last valid moment. */
export function validityOf(path: CertificatePath): { notBefore: UnixMillis; notAfter: UnixMillis } {
  const certificates = [path.leaf, path.intermediate, path.root];
  return {
    notBefore: Math.max(...certificates.map(({ notBefore }) => notBefore)),
    notAfter: Math.min(...certificates.map(({ notAfter }) => notAfter)),
  };
}
