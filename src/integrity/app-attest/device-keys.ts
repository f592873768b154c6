import type { KeyObject } from "node:crypto";
import { LRUCache } from "lru-cache";
import { uncompressedPoint } from "../attestation/certificate.js";
import { importPublicKey } from "../attestation/certificate-path.js";

/** Maximum number of imported keys. Each needs about 4 kB of memory. */
const MAX_KEYS = 4_096;

/**
 * Imports public keys of devices, and keeps those that were used last. OpenSSL needs more time to import a key than to
 * verify a signature with it.
 */
export class DeviceKeys {
  readonly #keys = new LRUCache<string, KeyObject>({ max: MAX_KEYS });

  /**
   * Returns the key with a point. It depends only on the point, so a kept key is never outdated.
   *
   * @param point compressed point on P-256, in base64url.
   */
  keyOf(point: string): KeyObject {
    const known = this.#keys.get(point);
    if (known !== undefined) return known;
    const bytes = uncompressedPoint(Buffer.from(point, "base64url"));
    const key = importPublicKey({ curve: "P-256", point: bytes });
    this.#keys.set(point, key);
    return key;
  }
}
