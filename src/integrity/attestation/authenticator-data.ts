import { type CborMap, readCbor, readFirstCbor } from "./cbor.js";
import { MalformedInput } from "./steps.js";

/** Authenticator data (WebAuthn §6.1) up to its counter. */
export interface AuthenticatorData {
  readonly rpIdHash: Uint8Array;
  readonly flags: number;
  readonly counter: number;
  /** Bytes after the counter. */
  readonly rest: Uint8Array;
}

/** Authenticator data of an attestation, which includes a credential. */
export interface AttestedData extends AuthenticatorData {
  readonly aaguid: Uint8Array;
  readonly credentialId: Uint8Array;
  /** Public key of the credential, as an uncompressed point. */
  readonly point: Uint8Array;
}

const HEAD_BYTES = 37;
/** Flag that is set if the data includes an attested credential. */
const AT = 0x40;
/** Flag that is set if the data includes extensions. */
const ED = 0x80;

/** Reads authenticator data up to its counter. @throws MalformedInput */
export function readAuthenticatorData(bytes: Uint8Array): AuthenticatorData {
  if (bytes.length < HEAD_BYTES) throw new MalformedInput(`${bytes.length} bytes, fewer than ${HEAD_BYTES}`);
  const view = viewOf(bytes);
  return {
    rpIdHash: bytes.subarray(0, 32),
    flags: view.getUint8(32),
    counter: view.getUint32(33),
    rest: bytes.subarray(HEAD_BYTES),
  };
}

/** Reads authenticator data with a credential. @throws MalformedInput */
export function readAttestedData(bytes: Uint8Array): AttestedData {
  const head = readAuthenticatorData(bytes);
  if ((head.flags & AT) === 0) throw new MalformedInput("no attested credential data (flag AT)");
  if (head.rest.length < 18) throw new MalformedInput("credential data that ends too early");
  const end = 18 + viewOf(head.rest).getUint16(16);
  if (head.rest.length < end) throw new MalformedInput("a credential id that ends too early");
  const { value, rest } = readFirstCbor(head.rest.subarray(end));
  return {
    ...head,
    aaguid: head.rest.subarray(0, 16),
    credentialId: head.rest.subarray(18, end),
    point: pointOf(value),
    rest,
  };
}

/**
 * Reads the extensions: either nothing, or one map that extends to the end. iOS 27 appends extensions without setting
 * the ED flag.
 *
 * @throws MalformedInput
 */
export function readExtensions({ flags, rest }: AuthenticatorData): CborMap | undefined {
  if (rest.length === 0) {
    if ((flags & ED) !== 0) throw new MalformedInput("no extensions, although the ED flag is set");
    return undefined;
  }
  const value = readCbor(rest);
  if (!(value instanceof Map)) throw new MalformedInput("extensions that are not a map");
  for (const key of value.keys())
    if (typeof key !== "string") throw new MalformedInput("extensions with a name that is not a string");
  return value;
}

/** Labels and values of a COSE key of type EC2 for ES256 on P-256 (RFC 9053 §7.1.1). */
const KTY = 1;
const ALG = 3;
const CRV = -1;
const X = -2;
const Y = -3;
const EC2 = 2;
const ES256 = -7;
const P256 = 1;

function pointOf(key: unknown): Uint8Array {
  if (!(key instanceof Map) || key.size !== 5)
    throw new MalformedInput("a COSE key that is not a map of 5 members");
  if (key.get(KTY) !== EC2 || key.get(ALG) !== ES256 || key.get(CRV) !== P256)
    throw new MalformedInput("a COSE key that is not of type EC2 for ES256 on P-256");
  return Buffer.concat([Buffer.of(0x04), coordinate(key.get(X)), coordinate(key.get(Y))]);
}

/** Returns a coordinate with 32 bytes. Some devices omit leading zeros, although RFC 9053 forbids that. */
function coordinate(value: unknown): Uint8Array {
  if (!(value instanceof Uint8Array) || value.length > 32)
    throw new MalformedInput("a COSE key with a coordinate that is not at most 32 bytes");
  return Buffer.concat([Buffer.alloc(32 - value.length), value]);
}

const viewOf = (bytes: Uint8Array): DataView =>
  new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
