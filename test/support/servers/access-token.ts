import type { JWK } from "jose";
import { DEFAULT_SCOPE_BASE } from "../../../src/auth/scopes.js";
import {
  LOCAL_ISSUER_KEY,
  type LocalIssuer,
  openLocalIssuer,
} from "../../../src/auth/tokens/local-issuer.js";
import { EmbeddedRecords } from "../../../src/control/embedded/embedded-records.js";
import { sharedKey } from "../../../src/control/keys.js";
import { systemClock } from "../../../src/model/clock.js";

/** A scope by the last segment of its name. */
export type ScopeName = "platform" | "app-platform";

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
  const issuer = await localIssuerOf(dataDir);
  const names = scopes.map((scope) => `${DEFAULT_SCOPE_BASE}/${scope}`);
  return issuer.sign({ principal, scopes: names, ttlSeconds });
}

/** Opens the local issuer of a data directory. */
export const localIssuerOf = (dataDir: string): Promise<LocalIssuer> =>
  withRecords(dataDir, (records) => openLocalIssuer(records, systemClock));

/** Reads the private key of the local issuer of a data directory. */
export async function localKeyOf(dataDir: string): Promise<JWK> {
  const never = (): never => {
    throw new Error(`there is no local key in ${dataDir}`);
  };
  const { value } = await withRecords(dataDir, (records) => sharedKey(records, LOCAL_ISSUER_KEY, never));
  return value as JWK;
}

/** Opens the records in a data directory for some work, like another process. */
export async function withRecords<T>(
  dataDir: string,
  work: (records: EmbeddedRecords) => Promise<T>,
): Promise<T> {
  const records = await EmbeddedRecords.open(dataDir, systemClock);
  try {
    return await work(records);
  } finally {
    await records.close();
  }
}
