import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { KeyFileError, readOrMakeSecret } from "../auth/secret-file.js";
import { PageTokens } from "../paging/page-tokens.js";
import type { Config } from "./config/config-schema.js";

const KEY_BYTES = 32;

/**
 * The page tokens of both services.
 *
 * @throws KeyFileError if the configuration gives no key, and that of the data directory cannot be read or made, or is
 *   damaged.
 */
export async function openPageTokens({ dataDir, messagingData }: Config): Promise<PageTokens> {
  const key = messagingData.pageTokenKey ?? (await localPageTokenKey(dataDir));
  return new PageTokens({ key, lenient: messagingData.pageTokens === "lenient", now: Date.now });
}

/** The key of the data directory; made on first use. */
async function localPageTokenKey(dataDir: string): Promise<Buffer> {
  const path = join(dataDir, "keys", "page-token.key");
  const text = await readOrMakeSecret(path, () => randomBytes(KEY_BYTES).toString("base64"));
  const key = Buffer.from(text.trim(), "base64");
  if (key.length >= KEY_BYTES) return key;
  throw new KeyFileError(`the page token key ${path} is damaged; remove it to have a new one made`);
}
