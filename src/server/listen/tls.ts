import { constants, X509Certificate } from "node:crypto";
import { readFile } from "node:fs/promises";
import { createSecureContext } from "node:tls";
import { isDeepStrictEqual } from "node:util";
import type { Logger } from "pino";
import { systemReason } from "../../model/system-error.js";
import { ConfigError } from "../config/config-values.js";
import type { Closable } from "../open-parts.js";

/** File paths in the config key `tls`. */
export interface TlsFiles {
  /** PEM file with the server certificate, followed by any intermediate certificates. */
  readonly certificate: string;
  /** PEM file with the private key. */
  readonly key: string;
  /** PEM file with certificate authorities. If it is set, clients need a certificate from one of them. */
  readonly clientCa?: string | undefined;
}

export interface TlsMaterial {
  readonly cert: Buffer;
  /** OpenSSL flags. They disable renegotiation, because HTTP/2 forbids it (RFC 9113 §9.2.1). */
  readonly secureOptions?: number;
  readonly key: Buffer;
  readonly ca?: Buffer;
  readonly requestCert?: boolean;
  readonly rejectUnauthorized?: boolean;
}

/**
 * Reads and checks the TLS files.
 *
 * @throws ConfigError with the config key if a file cannot be read or has the wrong content.
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

/**
 * Interval between checks for changed files, in milliseconds. Change notifications by the system do not work with
 * mounted secrets.
 */
const CHECK_MS = 10_000;

export interface TlsWatchOptions {
  readonly files: TlsFiles;
  /** The file contents that the server is using. */
  readonly material: TlsMaterial;
  /** Makes the server use new file contents for new connections. */
  readonly use: (material: TlsMaterial) => void;
  readonly logger: Logger;
}

/** Reloads the TLS files when their content changes. If a file cannot be used, the previous content stays in use. */
export class TlsWatch implements Closable {
  readonly #options: TlsWatchOptions;
  readonly #timer: NodeJS.Timeout;
  #material: TlsMaterial;
  #problem = "";

  constructor(options: TlsWatchOptions, checkMs = CHECK_MS) {
    this.#options = options;
    this.#material = options.material;
    this.#timer = setInterval(() => void this.check(), checkMs).unref();
  }

  /** Checks the files now. Never rejects. */
  async check(): Promise<void> {
    const { files, use, logger } = this.#options;
    try {
      const material = await readTlsMaterial(files);
      this.#problem = "";
      if (isDeepStrictEqual(material, this.#material)) return;
      use(material);
      this.#material = material;
      logger.info({ validTo: new X509Certificate(material.cert).validTo }, "reloaded the TLS files");
    } catch (error) {
      const { message } = error as Error;
      if (message === this.#problem) return;
      this.#problem = message;
      logger.error({ err: error }, "the TLS files cannot be reloaded; the previous certificate stays in use");
    }
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
  }
}

async function read(name: string, file: string): Promise<Buffer> {
  try {
    return await readFile(file);
  } catch (cause) {
    throw new ConfigError(`tls.${name}: ${file} cannot be read: ${systemReason(cause) ?? String(cause)}`, {
      cause,
    });
  }
}

/** Checks a file's content. @param use throws if the content is wrong. */
function check(name: string, file: string, use: () => unknown): void {
  try {
    use();
  } catch (cause) {
    throw new ConfigError(`tls.${name}: ${file} cannot be used: ${(cause as Error).message}`, { cause });
  }
}
