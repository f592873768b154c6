import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { type LocalIssuer, openLocalIssuer } from "../auth/local-issuer.js";
import { readOrMakeSecret } from "../auth/secret-file.js";

/** A key of the data directory cannot be used; the message is one clear line that names the file. */
export class KeyFileError extends Error {
  override readonly name = "KeyFileError";
}

/** The issuer that signs with the key of a data directory. @throws KeyFileError */
export const localIssuerOf = (dataDir: string): Promise<LocalIssuer> =>
  clearly(() => openLocalIssuer(dataDir));

/** The key that authenticates page tokens, where the configuration gives none. @throws KeyFileError */
export const pageTokenKeyOf = (dataDir: string): Promise<Buffer> =>
  clearly(async () => {
    const path = join(dataDir, "keys", "page-token.key");
    const text = await readOrMakeSecret(path, () => randomBytes(32).toString("base64"));
    const key = Buffer.from(text.trim(), "base64");
    if (key.length >= 32) return key;
    throw new Error(`the page token key ${path} is damaged; remove it to have a new one made`);
  });

async function clearly<T>(open: () => Promise<T>): Promise<T> {
  try {
    return await open();
  } catch (cause) {
    throw new KeyFileError(cause instanceof Error ? cause.message : String(cause), { cause });
  }
}
