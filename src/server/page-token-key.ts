import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { KeyFileError, readOrMakeSecret } from "../auth/secret-file.js";

const KEY_BYTES = 32;

/**
 * The key that authenticates page tokens where the configuration gives none; made on first use.
 *
 * @throws KeyFileError if it cannot be read or made, or is damaged.
 */
export async function localPageTokenKey(dataDir: string): Promise<Buffer> {
  const path = join(dataDir, "keys", "page-token.key");
  const text = await readOrMakeSecret(path, () => randomBytes(KEY_BYTES).toString("base64"));
  const key = Buffer.from(text.trim(), "base64");
  if (key.length >= KEY_BYTES) return key;
  throw new KeyFileError(`the page token key ${path} is damaged; remove it to have a new one made`);
}
