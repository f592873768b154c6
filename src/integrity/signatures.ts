import { type KeyObject, sign, verify } from "node:crypto";
import { availableParallelism } from "node:os";
import { promisify } from "node:util";
import { Pool } from "../limits/pool.js";

const [signInThreadPool, verifyInThreadPool] = [promisify(sign), promisify(verify)];

/**
 * Signatures are computed in Node.js's thread pool, on all cores but one at a time. With all cores busy, the event
 * loop's thread would have to wait for one, and all other calls with it.
 */
const CORES = Math.max(1, availableParallelism() - 1);
const cores = new Pool([...Array(CORES).keys()], Number.POSITIVE_INFINITY);

/** Signs with RSA and SHA-256 (`RS256` in RFC 7518 §3.3), outside the event loop. */
export const signRs256 = (data: Uint8Array, key: KeyObject): Promise<Buffer> =>
  cores.use(() => signInThreadPool("sha256", data, key));

/** Returns true if an ECDSA signature in DER is valid, and false if it is malformed. Works outside the event loop. */
export const isSignedBy = (
  hash: string,
  data: Uint8Array,
  key: KeyObject,
  signature: Uint8Array,
): Promise<boolean> => cores.use(() => verifyInThreadPool(hash, data, key, signature));
