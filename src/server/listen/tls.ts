import { constants, X509Certificate } from "node:crypto";
import { readFile } from "node:fs/promises";
import { createSecureContext } from "node:tls";
import { ConfigError } from "../config/config.js";

/** The files of the configuration's `tls`. */
export interface TlsFiles {
  /** PEM: the certificate of the server, followed by those between it and a root. */
  readonly certificate: string;
  /** PEM: the private key of the certificate. */
  readonly key: string;
  /** PEM: the authorities that must have signed the certificate of a client; without it none is asked for. */
  readonly clientCa?: string | undefined;
}

/** What a TLS server needs, in the options of `node:tls`. */
export interface TlsMaterial {
  readonly cert: Buffer;
  /** What OpenSSL is to do differently; among it, to let no client negotiate anew on one connection (RFC 9113 §9.2.1). */
  readonly secureOptions?: number;
  readonly key: Buffer;
  readonly ca?: Buffer;
  readonly requestCert?: boolean;
  readonly rejectUnauthorized?: boolean;
}

/**
 * Reads the files that TLS needs.
 *
 * @throws ConfigError naming the key whose file cannot be read or used.
 */
export async function readTlsMaterial(files: TlsFiles): Promise<TlsMaterial> {
  const cert = await read("certificate", files.certificate);
  const key = await read("key", files.key);
  check("certificate", files.certificate, () => createSecureContext({ cert }));
  check("key", files.key, () => createSecureContext({ cert, key }));
  const served = { cert, key, secureOptions: constants.SSL_OP_NO_RENEGOTIATION };
  if (files.clientCa === undefined) return served;
  const ca = await read("clientCa", files.clientCa);
  check("clientCa", files.clientCa, () => new X509Certificate(ca));
  return { ...served, ca, requestCert: true, rejectUnauthorized: true };
}

async function read(name: string, file: string): Promise<Buffer> {
  try {
    return await readFile(file);
  } catch (cause) {
    throw new ConfigError(`tls.${name}: ${file} cannot be read: ${(cause as NodeJS.ErrnoException).code}`, {
      cause,
    });
  }
}

/** @param use fails if the file does not hold what it should. */
function check(name: string, file: string, use: () => unknown): void {
  try {
    use();
  } catch (cause) {
    throw new ConfigError(`tls.${name}: ${file} cannot be used: ${(cause as Error).message}`, { cause });
  }
}
