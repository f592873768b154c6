import { spkiOfPoint } from "../../integrity/attestation/certificate.js";
import { type RootCertificate, readRootCertificate } from "../../integrity/attestation/certificate-path.js";
import { MalformedInput } from "../../integrity/attestation/steps.js";
import { CommandFailure } from "../support/command-failure.js";
import { readBinaryFile } from "../support/flag-files.js";

/** Standard or URL-safe base64, with or without padding, in one or several lines. */
const BASE64 = /^(?:[A-Za-z0-9+/_-]\s*)+={0,2}$/;

/** Decodes base64. @returns undefined if the string is not base64. */
export function decodeBase64(text: string): Buffer | undefined {
  const trimmed = text.trim();
  return BASE64.test(trimmed) && !trimmed.startsWith("-----") ? Buffer.from(trimmed, "base64url") : undefined;
}

/**
 * Reads a flag's file, which contains CBOR or DER, or base64 of either. Because neither format starts like base64 text,
 * the formats cannot be confused.
 */
export async function readObjectFile(flag: string, path: string): Promise<Buffer> {
  const bytes = await readBinaryFile(flag, path);
  return decodeBase64(bytes.toString("latin1")) ?? bytes;
}

const PEM = /^-----BEGIN PUBLIC KEY-----([^-]*)-----END PUBLIC KEY-----\s*$/;

/** Reads a flag's file of a public key: PEM, DER, an uncompressed point, or base64 of the last two. */
export async function readPublicKeyFile(flag: string, path: string): Promise<Buffer> {
  const bytes = await readBinaryFile(flag, path);
  const text = bytes.toString("latin1");
  const key = decodeBase64(PEM.exec(text)?.[1] ?? text) ?? bytes;
  return key.length === 65 && key[0] === 0x04 ? spkiOfPoint(key) : key;
}

/** Reads a flag's file of a root certificate in PEM, DER, or its base64. */
export async function readRootFile(flag: string, path: string): Promise<RootCertificate> {
  try {
    return readRootCertificate(await readObjectFile(flag, path));
  } catch (error) {
    if (!(error instanceof MalformedInput)) throw error;
    throw new CommandFailure(`${flag} ${path}: ${error.message}`, { cause: error });
  }
}
