// The certificate library needs this import.
import "reflect-metadata";

import { createHash, type webcrypto } from "node:crypto";
import {
  BasicConstraintsExtension,
  type Extension,
  KeyUsageFlags,
  KeyUsagesExtension,
  type X509Certificate,
  X509CertificateGenerator,
  Extension as X509Extension,
} from "@peculiar/x509";
import { encode } from "cborg";
import { type RootCertificate, readRootCertificate } from "../certificate-path.js";

type CryptoKeyPair = webcrypto.CryptoKeyPair;
const { subtle } = globalThis.crypto;

export const APP_ID = "TEAM123456.com.example.app";
/** Dates of synthetic certificates. */
export const LEAF_NOT_BEFORE = Date.parse("2026-03-01T00:00:00Z");
export const LEAF_NOT_AFTER = Date.parse("2026-03-04T00:00:00Z");
export const CA_NOT_BEFORE = Date.parse("2020-01-01T00:00:00Z");
/** RFC 5280 §4.1.2.5: date of a certificate that never expires. */
export const CA_NOT_AFTER = Date.parse("9999-12-31T23:59:59Z");

/** A certification authority of a synthetic chain. */
export interface Authority {
  readonly certificate: X509Certificate;
  readonly keys: CryptoKeyPair;
}

/** Differences from a usual certificate. */
export interface CertificateChanges {
  readonly subject?: string;
  readonly notBefore?: number;
  readonly notAfter?: number;
  readonly ca?: boolean;
  readonly usages?: number;
  readonly hash?: "SHA-256" | "SHA-384";
  /** Extensions that replace the basic constraints, the key usage and the nonce. */
  readonly extensions?: readonly Extension[];
  /** Key that signs the certificate. The default is the issuer key. */
  readonly signer?: CryptoKeyPair;
}

export const generateKeys = async (namedCurve: "P-256" | "P-384" = "P-256"): Promise<CryptoKeyPair> =>
  subtle.generateKey({ name: "ECDSA", namedCurve }, true, ["sign", "verify"]);

/** Issues a certificate, or a root if there is no issuer. */
export async function issue(
  keys: CryptoKeyPair,
  issuer: Authority | undefined,
  changes: CertificateChanges = {},
): Promise<X509Certificate> {
  const subject = changes.subject ?? "CN=Synthetic";
  const ca = changes.ca ?? true;
  const usages = changes.usages ?? (ca ? KeyUsageFlags.keyCertSign : KeyUsageFlags.digitalSignature);
  return X509CertificateGenerator.create({
    serialNumber: "01",
    subject,
    issuer: issuer?.certificate.subject ?? subject,
    notBefore: new Date(changes.notBefore ?? CA_NOT_BEFORE),
    notAfter: new Date(changes.notAfter ?? CA_NOT_AFTER),
    publicKey: keys.publicKey,
    signingKey: (changes.signer ?? issuer?.keys ?? keys).privateKey,
    signingAlgorithm: { name: "ECDSA", hash: changes.hash ?? "SHA-256" },
    extensions: [
      ...(changes.extensions ?? [
        new BasicConstraintsExtension(ca, undefined, true),
        new KeyUsagesExtension(usages, true),
      ]),
    ],
  });
}

/** A certificate chain like Apple's: a root and an intermediate certificate on P-384. */
export interface SyntheticChain {
  readonly root: Authority;
  readonly intermediate: Authority;
  readonly trusted: RootCertificate;
}

export async function createChain(
  changes: { readonly root?: CertificateChanges; readonly intermediate?: CertificateChanges } = {},
): Promise<SyntheticChain> {
  const [rootKeys, keys] = [await generateKeys("P-384"), await generateKeys("P-384")];
  const certificate = await issue(rootKeys, undefined, { subject: "CN=Synthetic Root CA", ...changes.root });
  const root = { certificate, keys: rootKeys };
  const below = await issue(keys, root, { subject: "CN=Synthetic CA 1", ...changes.intermediate });
  const trusted = readRootCertificate(new Uint8Array(certificate.rawData));
  return { root, intermediate: { certificate: below, keys }, trusted };
}

/** Differences from a valid attestation. */
export interface AttestationParts {
  readonly appId?: string;
  readonly flags?: number;
  readonly counter?: number;
  readonly aaguid?: string;
  readonly credentialId?: Uint8Array;
  readonly coseKey?: ReadonlyMap<number, unknown>;
  /** Bytes after the COSE key. */
  readonly after?: Uint8Array;
  readonly leaf?: CertificateChanges;
  readonly nonceExtension?: Uint8Array;
}

/** A device with a key in its secure enclave. */
export class SyntheticDevice {
  readonly chain: SyntheticChain;
  readonly keys: CryptoKeyPair;
  /** Public key, as an uncompressed point. */
  readonly point: Buffer;
  readonly publicKey: Buffer;

  private constructor(chain: SyntheticChain, keys: CryptoKeyPair, point: Buffer, publicKey: Buffer) {
    this.chain = chain;
    this.keys = keys;
    this.point = point;
    this.publicKey = publicKey;
  }

  static async create(chain: SyntheticChain, curve?: "P-384"): Promise<SyntheticDevice> {
    const keys = await generateKeys(curve);
    const exported = async (format: "raw" | "spki"): Promise<Buffer> =>
      Buffer.from((await subtle.exportKey(format, keys.publicKey)) as ArrayBuffer);
    return new SyntheticDevice(chain, keys, await exported("raw"), await exported("spki"));
  }

  get keyId(): Buffer {
    return sha256(this.point);
  }

  /** Authenticator data of an attestation. */
  attestedData(parts: AttestationParts = {}): Buffer {
    const id = parts.credentialId ?? this.keyId;
    const length = Buffer.alloc(2);
    length.writeUInt16BE(id.length);
    return Buffer.concat([
      headOf(parts.appId ?? APP_ID, parts.flags ?? 0x40, parts.counter ?? 0),
      Buffer.from(parts.aaguid ?? "appattest\0\0\0\0\0\0\0", "latin1"),
      length,
      id,
      encode(parts.coseKey ?? this.coseKey()),
      parts.after ?? Buffer.alloc(0),
    ]);
  }

  coseKey(): Map<number, unknown> {
    return new Map<number, unknown>([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, this.point.subarray(1, 33)],
      [-3, this.point.subarray(33)],
    ]);
  }

  /** Issues the leaf certificate for authenticator data. */
  async leaf(
    authData: Uint8Array,
    clientDataHash: Uint8Array,
    parts: AttestationParts = {},
  ): Promise<Buffer> {
    const nonce = sha256(authData, clientDataHash);
    const value = parts.nonceExtension ?? Buffer.concat([Buffer.from("3024a1220420", "hex"), nonce]);
    const certificate = await issue(this.keys, this.chain.intermediate, {
      subject: `CN=${this.keyId.toString("hex")}`,
      notBefore: LEAF_NOT_BEFORE,
      notAfter: LEAF_NOT_AFTER,
      ca: false,
      extensions: [
        new BasicConstraintsExtension(parts.leaf?.ca ?? false, undefined, true),
        new KeyUsagesExtension(parts.leaf?.usages ?? KeyUsageFlags.digitalSignature, true),
        new X509Extension(NONCE, false, new Uint8Array(value)),
      ],
      ...parts.leaf,
    });
    return Buffer.from(certificate.rawData);
  }

  async attest(clientDataHash: Uint8Array, parts: AttestationParts = {}): Promise<Buffer> {
    const authData = this.attestedData(parts);
    const leaf = await this.leaf(authData, clientDataHash, parts);
    return attestationObject(authData, [leaf, Buffer.from(this.chain.intermediate.certificate.rawData)]);
  }

  async assert(
    clientDataHash: Uint8Array,
    counter: number,
    {
      appId = APP_ID,
      flags = 0x40,
      after = Buffer.alloc(0),
    }: Pick<AttestationParts, "appId" | "flags" | "after"> = {},
  ): Promise<Buffer> {
    const authenticatorData = Buffer.concat([headOf(appId, flags, counter), after]);
    const nonce = sha256(authenticatorData, clientDataHash);
    const raw = await subtle.sign(
      { name: "ECDSA", hash: "SHA-256" },
      this.keys.privateKey,
      new Uint8Array(nonce),
    );
    return Buffer.from(encode({ signature: derSignature(Buffer.from(raw)), authenticatorData }));
  }
}

const NONCE = "1.2.840.113635.100.8.2";

export const attestationObject = (
  authData: Uint8Array,
  x5c: readonly Uint8Array[],
  fmt = "apple-appattest",
): Buffer => Buffer.from(encode({ fmt, attStmt: { x5c, receipt: Buffer.from("receipt") }, authData }));

function headOf(appId: string, flags: number, counter: number): Buffer {
  const head = Buffer.alloc(37);
  sha256(Buffer.from(appId)).copy(head);
  head.writeUInt8(flags, 32);
  head.writeUInt32BE(counter, 33);
  return head;
}

/** Converts the two integers of a WebCrypto signature to DER. */
function derSignature(raw: Buffer): Buffer {
  const integers = [raw.subarray(0, raw.length / 2), raw.subarray(raw.length / 2)].map((bytes) => {
    const start = bytes.findIndex((byte) => byte !== 0);
    const shortest = bytes.subarray(start);
    const positive = (shortest[0] as number) >= 0x80 ? Buffer.concat([Buffer.of(0), shortest]) : shortest;
    return Buffer.concat([Buffer.of(2, positive.length), positive]);
  });
  const content = Buffer.concat(integers);
  return Buffer.concat([Buffer.of(0x30, content.length), content]);
}

const sha256 = (...parts: readonly Uint8Array[]): Buffer =>
  createHash("sha256").update(Buffer.concat(parts)).digest();
