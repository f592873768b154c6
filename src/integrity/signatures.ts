import { type KeyObject, sign, verify } from "node:crypto";
import { promisify } from "node:util";

// Signatures are computed in the thread pool, because they would block the event loop for too long. On two cores, a limit
// of one at a time halved the 99th percentile of other calls, but cost a quarter of the exchange rate.
const [signInThreadPool, verifyInThreadPool] = [promisify(sign), promisify(verify)];

/** Signs with RSA and SHA-256 (`RS256` in RFC 7518 §3.3), outside the event loop. */
export const signRs256 = (data: Uint8Array, key: KeyObject): Promise<Buffer> =>
  signInThreadPool("sha256", data, key);

/** Returns true if an ECDSA signature in DER is valid, and false if it is malformed. Works outside the event loop. */
export const isSignedBy = (
  hash: string,
  data: Uint8Array,
  key: KeyObject,
  signature: Uint8Array,
): Promise<boolean> => verifyInThreadPool(hash, data, key, signature);
