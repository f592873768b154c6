import { randomBytes } from "node:crypto";
import { KeyError, type KeyStore } from "../control/key-store.js";
import type { Clock } from "../model/clock.js";
import { PageTokens } from "../paging/page-tokens.js";
import type { Config } from "./config/config-schema.js";

const KEY_BYTES = 32;

/**
 * Opens the page tokens that both services share.
 *
 * @throws KeyError if the configuration gives no key and the stored key is damaged, or cannot be read
 *   or created.
 */
export async function openPageTokens(
  { pageTokens }: Config,
  keys: KeyStore,
  clock: Clock,
): Promise<PageTokens> {
  const key = pageTokens.key ?? (await localPageTokenKey(keys));
  return new PageTokens({ key, lenient: pageTokens.mode === "lenient", now: () => clock.wall() });
}

/** Reads the stored key, which is created on first use. */
async function localPageTokenKey(keys: KeyStore): Promise<Buffer> {
  const { text, place } = await keys.secret("page-token.key", () =>
    randomBytes(KEY_BYTES).toString("base64"),
  );
  const key = Buffer.from(text.trim(), "base64");
  if (key.length >= KEY_BYTES) return key;
  throw new KeyError(`the page token key ${place} is damaged; remove it to have a new one made`);
}
