import { ECDH } from "node:crypto";
import type { UnixMillis } from "../../model/clock.js";
import { DerReader, objectIdentifier, readDer, Tag } from "./der.js";
import { MalformedInput } from "./steps.js";

/** A certificate (RFC 5280 §4.1), with only those parts that verification needs. */
export interface Certificate {
  readonly bytes: Uint8Array;
  /** Bytes that the signature covers. */
  readonly signed: Uint8Array;
  /** Hash algorithm of the ECDSA signature. */
  readonly hash: string;
  readonly signature: Uint8Array;
  /** DER of the issuer's name. */
  readonly issuer: Uint8Array;
  /** DER of the own name. */
  readonly subject: Uint8Array;
  readonly notBefore: UnixMillis;
  readonly notAfter: UnixMillis;
  readonly publicKey: EcPublicKey;
  /** True if the certificate's basic constraints name it a CA. */
  readonly ca: boolean;
  /** Names of key usages; undefined if the certificate does not limit them. */
  readonly keyUsage: ReadonlySet<string> | undefined;
  /** Identifier of the issuer's key; undefined if the certificate does not name it. */
  readonly authorityKeyId: Uint8Array | undefined;
  /** Identifier of the own key; undefined if the certificate does not name it. */
  readonly subjectKeyId: Uint8Array | undefined;
  /** Values of the extensions by object identifier. */
  readonly extensions: ReadonlyMap<string, Uint8Array>;
}

export interface EcPublicKey {
  readonly curve: "P-256" | "P-384";
  /** The DER of SubjectPublicKeyInfo. */
  readonly spki: Uint8Array;
  /** The uncompressed point (SEC 1 §2.3.3). */
  readonly point: Uint8Array;
}

const SUBJECT_KEY_ID = "2.5.29.14";
const KEY_USAGE = "2.5.29.15";
const BASIC_CONSTRAINTS = "2.5.29.19";
const AUTHORITY_KEY_ID = "2.5.29.35";
/** Extensions that can be critical, because verification evaluates them. */
const UNDERSTOOD = [BASIC_CONSTRAINTS, KEY_USAGE];

const EC_PUBLIC_KEY = "1.2.840.10045.2.1";
/** Named curves, with coordinate lengths in bytes. */
const CURVES: Readonly<Record<string, { curve: EcPublicKey["curve"]; length: number }>> = {
  "1.2.840.10045.3.1.7": { curve: "P-256", length: 32 },
  "1.3.132.0.34": { curve: "P-384", length: 48 },
};
const HASHES: Readonly<Record<string, string>> = {
  "1.2.840.10045.4.3.2": "sha256",
  "1.2.840.10045.4.3.3": "sha384",
  "1.2.840.10045.4.3.4": "sha512",
};

/**
 * Reads a certificate. It must be DER of version 3 with a key on a named curve and an ECDSA signature. Only such keys are
 * passed to OpenSSL, because it would need too much time for custom curves or huge RSA keys. OpenSSL's own reader of
 * certificates would need a tenth of an attestation's processor time.
 *
 * @throws MalformedInput
 */
export function readCertificate(bytes: Uint8Array): Certificate {
  const outer = readDer(bytes, Tag.SEQUENCE);
  const { bytes: signed, content } = outer.read(Tag.SEQUENCE);
  const outerHash = hashOf(outer.enter(Tag.SEQUENCE));
  const signature = bitString(outer.read(Tag.BIT_STRING).content);
  outer.end();

  const inner = new DerReader(content);
  readVersion(inner.enter(Tag.context(0)));
  inner.read(Tag.INTEGER);
  const hash = hashOf(inner.enter(Tag.SEQUENCE));
  if (hash !== outerHash) throw new MalformedInput("a certificate with two different signature algorithms");
  const issuer = inner.read(Tag.SEQUENCE).bytes;
  const validity = inner.enter(Tag.SEQUENCE);
  const [notBefore, notAfter] = [readTime(validity), readTime(validity)];
  validity.end();
  const subject = inner.read(Tag.SEQUENCE).bytes;
  const publicKey = readPublicKey(inner.read(Tag.SEQUENCE).bytes);
  const extensions = readExtensions(inner.enter(Tag.context(3)).enter(Tag.SEQUENCE));
  inner.end();

  const extension = <T>(oid: string, read: (value: Uint8Array) => T): T | undefined => {
    const value = extensions.get(oid);
    return value && read(value);
  };
  return {
    bytes,
    signed,
    hash,
    signature,
    issuer,
    subject,
    notBefore,
    notAfter,
    publicKey,
    ca: extension(BASIC_CONSTRAINTS, readBasicConstraints) ?? false,
    keyUsage: extension(KEY_USAGE, readKeyUsage),
    authorityKeyId: extension(AUTHORITY_KEY_ID, readAuthorityKeyId),
    subjectKeyId: extension(SUBJECT_KEY_ID, readSubjectKeyId),
    extensions,
  };
}

/** Reads a public key. @throws MalformedInput if the key is not an uncompressed point of a named curve. */
export function readPublicKey(spki: Uint8Array): EcPublicKey {
  const reader = readDer(spki, Tag.SEQUENCE);
  const algorithm = reader.enter(Tag.SEQUENCE);
  const type = objectIdentifier(algorithm.read(Tag.OBJECT_IDENTIFIER).content);
  if (type !== EC_PUBLIC_KEY) throw new MalformedInput(`a public key of type ${type}`);
  const oid = objectIdentifier(algorithm.read(Tag.OBJECT_IDENTIFIER).content);
  algorithm.end();
  const named = CURVES[oid];
  if (named === undefined) throw new MalformedInput(`a public key on the curve ${oid}`);
  const point = bitString(reader.read(Tag.BIT_STRING).content);
  reader.end();
  if (point[0] !== 0x04 || point.length !== 1 + 2 * named.length)
    throw new MalformedInput(`a public key that is not an uncompressed point of ${named.curve}`);
  return { curve: named.curve, spki, point };
}

/** Start of the DER of SubjectPublicKeyInfo for an uncompressed point on P-256. */
const P256_SPKI = Buffer.from("3059301306072a8648ce3d020106082a8648ce3d030107034200", "hex");

/** Encodes an uncompressed point on P-256 as SubjectPublicKeyInfo. */
export const spkiOfPoint = (point: Uint8Array): Buffer => Buffer.concat([P256_SPKI, point]);

/** Checks that a point is on its curve. @throws MalformedInput */
export function checkPoint({ curve, point }: Pick<EcPublicKey, "curve" | "point">): void {
  try {
    uncompressed(point, curve);
  } catch {
    throw notOnCurve();
  }
}

/** Compresses a point (SEC 1 §2.3.3). */
export function compressedPoint({ point }: Pick<EcPublicKey, "point">): Buffer {
  const parityOfY = (point.at(-1) ?? 0) & 1;
  return Buffer.concat([Buffer.of(0x02 | parityOfY), point.subarray(1, (1 + point.length) / 2)]);
}

/** Reverses {@link compressedPoint} on P-256. */
export const uncompressedPoint = (point: Uint8Array): Buffer => uncompressed(point, "P-256");

/** Creates the error for a point that is not on its curve. */
export const notOnCurve = (): MalformedInput => new MalformedInput("a public key that is not on its curve");

/** Names of curves in OpenSSL. */
const OPENSSL_CURVES = { "P-256": "prime256v1", "P-384": "secp384r1" } as const;

/** @throws Error if the point is not on the curve. */
function uncompressed(point: Uint8Array, curve: EcPublicKey["curve"]): Buffer {
  return ECDH.convertKey(point, OPENSSL_CURVES[curve], undefined, undefined, "uncompressed") as Buffer;
}

function readVersion(reader: DerReader): void {
  const { content } = reader.read(Tag.INTEGER);
  reader.end();
  if (content.length !== 1 || content[0] !== 2)
    throw new MalformedInput("a certificate that is not of version 3");
}

function hashOf(algorithm: DerReader): string {
  const oid = objectIdentifier(algorithm.read(Tag.OBJECT_IDENTIFIER).content);
  algorithm.end();
  const hash = HASHES[oid];
  if (hash === undefined) throw new MalformedInput(`a certificate with the signature algorithm ${oid}`);
  return hash;
}

/** Returns a bit string of whole bytes. */
function bitString(content: Uint8Array): Uint8Array {
  if (content[0] !== 0) throw new MalformedInput("a bit string with an incomplete last byte");
  return content.subarray(1);
}

/** Reads a time with seconds in UTC, as RFC 5280 §4.1.2.5 requires. */
function readTime(reader: DerReader): UnixMillis {
  const { tag, content } = reader.read();
  const text = Buffer.from(content).toString("latin1");
  const digits = { [Tag.UTC_TIME]: 12, [Tag.GENERALIZED_TIME]: 14 }[tag];
  if (digits === undefined || !/^\d+Z$/.test(text) || text.length !== digits + 1)
    throw new MalformedInput("a certificate with a malformed date");
  const century = Number(text.slice(0, 2)) >= 50 ? "19" : "20";
  const full = digits === 12 ? century + text : text;
  const iso = full.replace(/^(....)(..)(..)(..)(..)(..)Z$/, "$1-$2-$3T$4:$5:$6.000Z");
  const time = Date.parse(iso);
  if (Number.isNaN(time) || new Date(time).toISOString() !== iso)
    throw new MalformedInput("a certificate with a malformed date");
  return time;
}

function readExtensions(reader: DerReader): Map<string, Uint8Array> {
  const extensions = new Map<string, Uint8Array>();
  while (!reader.isDone) {
    const extension = reader.enter(Tag.SEQUENCE);
    const oid = objectIdentifier(extension.read(Tag.OBJECT_IDENTIFIER).content);
    const critical = extension.readIf(Tag.BOOLEAN)?.content;
    if (critical !== undefined && (critical.length !== 1 || critical[0] !== 0xff))
      throw new MalformedInput(`a malformed certificate extension ${oid}`);
    const { content } = extension.read(Tag.OCTET_STRING);
    extension.end();
    if (critical !== undefined && !UNDERSTOOD.includes(oid))
      throw new MalformedInput(`an unknown critical certificate extension ${oid}`);
    if (extensions.has(oid)) throw new MalformedInput(`two certificate extensions ${oid}`);
    extensions.set(oid, content);
  }
  return extensions;
}

/** @returns true for a CA. Ignores the maximum path length, because the paths are short. */
function readBasicConstraints(value: Uint8Array): boolean {
  const reader = readDer(value, Tag.SEQUENCE);
  const ca = reader.readIf(Tag.BOOLEAN);
  reader.readIf(Tag.INTEGER);
  reader.end();
  return ca !== undefined;
}

/** Reads the optional first member. The others name the issuer's certificate, which is known here. */
const readAuthorityKeyId = (value: Uint8Array): Uint8Array | undefined =>
  readDer(value, Tag.SEQUENCE).readIf(Tag.KEY_IDENTIFIER)?.content;

function readSubjectKeyId(value: Uint8Array): Uint8Array {
  const reader = new DerReader(value);
  const { content } = reader.read(Tag.OCTET_STRING);
  reader.end();
  return content;
}

/** Bits of the key usage extension that verification needs (RFC 5280 §4.2.1.3). */
const USAGES = [
  "digitalSignature",
  "nonRepudiation",
  "keyEncipherment",
  "dataEncipherment",
  "keyAgreement",
  "keyCertSign",
];

function readKeyUsage(value: Uint8Array): ReadonlySet<string> {
  const reader = new DerReader(value);
  const [, bits] = reader.read(Tag.BIT_STRING).content;
  reader.end();
  if (bits === undefined) throw new MalformedInput("a key usage without bits");
  return new Set(USAGES.filter((_usage, index) => (bits & (0x80 >> index)) !== 0));
}
