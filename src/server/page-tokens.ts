import { randomBytes } from "node:crypto";
import { KeyError, type KeyRecords, sharedKey } from "../control/keys.js";
import type { Clock } from "../model/clock.js";
import { PageTokens } from "../paging/page-tokens.js";
import type { Config } from "./config/config-schema.js";

const KEY_BYTES = 32;

/**
 * Opens the page tokens, which all services share.
 *
 * @throws KeyError if the config has no key and the stored key is damaged.
 * @throws StoreUnavailableError if the records cannot be reached.
 */
export async function openPageTokens(config: Config, records: KeyRecords, clock: Clock): Promise<PageTokens> {
  const { pageTokens } = config;
  const key = await pageTokenKey(config, records);
  return new PageTokens({ key, lenient: pageTokens.mode === "lenient", now: () => clock.wall() });
}

/**
 * Returns the key of page tokens, from which the key of links to views is derived too.
 *
 * @throws the same errors as {@link openPageTokens}.
 */
export const pageTokenKey = async ({ pageTokens }: Config, records: KeyRecords): Promise<Uint8Array> =>
  pageTokens.key ?? (await localPageTokenKey(records));

/** Name of the record with the key that encrypts page tokens, in base64. */
const PAGE_TOKEN_KEY = "page-token.key";

/** Returns the stored key. Creates a key on first use. */
async function localPageTokenKey(records: KeyRecords): Promise<Buffer> {
  const make = (): string => randomBytes(KEY_BYTES).toString("base64");
  const { value, place } = await sharedKey(records, PAGE_TOKEN_KEY, make);
  const key = Buffer.from(typeof value === "string" ? value : "", "base64");
  if (key.length >= KEY_BYTES) return key;
  throw new KeyError(`the page token key ${place} is damaged; set pageTokens.key, or restore a backup`);
}
