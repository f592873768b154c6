import { calculateJwkThumbprint, type JWK } from "jose";

/**
 * Returns an id for a new key: its RFC 7638 thumbprint without leading hyphens, which a command line would read as an
 * option. Ids of keys that earlier versions created can begin with a hyphen.
 */
export async function keyIdOf(jwk: JWK): Promise<string> {
  return (await calculateJwkThumbprint(jwk)).replace(/^-+/, "");
}
