import { DEFAULT_SCOPE_BASE } from "../../../src/auth/scopes.js";
import { openLocalIssuer } from "../../../src/auth/tokens/local-issuer.js";
import { FileKeyStore } from "../../../src/control/file/file-key-store.js";
import { systemClock } from "../../../src/model/clock.js";

/** A scope by the last segment of its name. */
export type ScopeName = "platform" | "app-platform";

/** Parts of a token that tests choose. */
export interface TokenOptions {
  /** Only `platform` by default. */
  readonly scopes?: readonly ScopeName[];
  /** Seconds until the token expires, an hour by default; negative for an expired one. */
  readonly ttlSeconds?: number;
}

/** Signs an access token with a data directory's key, as `waybill token` does. */
export async function accessToken(
  dataDir: string,
  principal: string,
  { scopes = ["platform"], ttlSeconds = 3_600 }: TokenOptions = {},
): Promise<string> {
  const issuer = await openLocalIssuer(new FileKeyStore(dataDir), systemClock);
  const names = scopes.map((scope) => `${DEFAULT_SCOPE_BASE}/${scope}`);
  return issuer.sign({ principal, scopes: names, ttlSeconds });
}
