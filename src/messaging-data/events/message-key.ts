import { at, byteAt } from "../../model/collections.js";

/**
 * Keys of the 128-bit digest that represents a message id, because rollups only need to know whether two ids are equal.
 * The digest consists of two 64-bit HalfSipHash-2-4 digests with independent keys (J.-P. Aumasson, D. J. Bernstein:
 * "SipHash: a fast short-input PRF", 32-bit variant). With a billion messages a day, the collision probability is below
 * 10⁻²⁰. The keys are constant, so that a message has the same digest in every process and store.
 */
const KEYS = [0x5761_7962, 0x696c_6c2d, 0x6d65_7373, 0x6167_6573] as const;

/** Key for the hash of app ids, in two words. It differs from the keys for message ids. */
const APP_KEY = [0x6170_7049, 0x6400_0001] as const;

/** Two 64-bit digests. Each consists of a lower and an upper word. */
export type Digest = Uint32Array;

/** Creates a digest to which a result can be written. */
export const newDigest = (): Digest => new Uint32Array(4);

/** Computes the keys of messages one after another. */
export class MessageKeys {
  /** Seeds of the apps, each with two words. */
  readonly #seeds: Digest[] = [];
  readonly #digest = newDigest();
  /** App of the previous event. The digest of that event is still in {@link #digest}. */
  #lastApp = -1;
  #lastId: Uint8Array = new Uint8Array();
  #lastStart = 0;
  #lastEnd = 0;

  /** Adds an app. It gets the next index. */
  addApp(appId: string): void {
    const bytes = Buffer.from(appId);
    const hashes = newDigest();
    halfSipHashes(bytes, 0, bytes.length, ...APP_KEY, ...APP_KEY, hashes);
    this.#seeds.push(hashes);
  }

  /**
   * Returns a message's key. The result is valid until the next call.
   *
   * @param app index of the app.
   * @param id UTF-8 bytes that have the message id at `[start, end)`. They must not change.
   */
  of(app: number, id: Uint8Array, start: number, end: number): Digest {
    if (this.#isLast(app, id, start, end)) return this.#digest;
    const seed = at(this.#seeds, app);
    digest(id, start, end, at(seed, 0), at(seed, 1), this.#digest);
    this.#lastApp = app;
    this.#lastId = id;
    this.#lastStart = start;
    this.#lastEnd = end;
    return this.#digest;
  }

  /** Returns true if the previous event had the same message. Events of one message often follow each other. */
  #isLast(app: number, id: Uint8Array, start: number, end: number): boolean {
    const last = this.#lastId;
    // The comparison starts at the end, because ids usually differ there.
    let [from, lastFrom] = [end, this.#lastEnd];
    if (app !== this.#lastApp || from - start !== lastFrom - this.#lastStart) return false;
    while (from > start) if (id[--from] !== last[--lastFrom]) return false;
    return true;
  }
}

/**
 * Writes the digest of `bytes[start, end)` to `out`. Equal bytes with equal seeds have equal digests. The seed
 * separates messages of different apps.
 */
export function digest(
  bytes: Uint8Array,
  start: number,
  end: number,
  seed0: number,
  seed1: number,
  out: Digest,
): void {
  halfSipHashes(bytes, start, end, KEYS[0] ^ seed0, KEYS[1] ^ seed1, KEYS[2] ^ seed1, KEYS[3] ^ seed0, out);
}

/**
 * Computes HalfSipHash-2-4 with 64 bits of output, under the keys `(k0, k1)` and `(l0, l1)`. Writes each output as a
 * lower and an upper word. One step of the loop is two rounds: there is a step for each word of input, and two steps
 * for each half of the output. The two computations are independent of each other, so that the processor can run them
 * in parallel.
 */
export function halfSipHashes(
  bytes: Uint8Array,
  start: number,
  end: number,
  k0: number,
  k1: number,
  l0: number,
  l1: number,
  out: Digest,
): void {
  let v0 = k0 | 0;
  let v1 = k1 ^ 0xee;
  let v2 = k0 ^ 0x6c79_6765;
  let v3 = k1 ^ 0x7465_6462;
  let w0 = l0 | 0;
  let w1 = l1 ^ 0xee;
  let w2 = l0 ^ 0x6c79_6765;
  let w3 = l1 ^ 0x7465_6462;
  const last = (end - start) >>> 2;
  for (let step = 0; step <= last + 4; step++) {
    const word =
      step < last ? fullWord(bytes, start + step * 4) : step === last ? lastWord(bytes, start, end) : 0;
    v3 ^= word;
    w3 ^= word;
    for (let round = 0; round < 2; round++) {
      v0 = (v0 + v1) | 0;
      w0 = (w0 + w1) | 0;
      v1 = ((v1 << 5) | (v1 >>> 27)) ^ v0;
      w1 = ((w1 << 5) | (w1 >>> 27)) ^ w0;
      v0 = (v0 << 16) | (v0 >>> 16);
      w0 = (w0 << 16) | (w0 >>> 16);
      v2 = (v2 + v3) | 0;
      w2 = (w2 + w3) | 0;
      v3 = ((v3 << 8) | (v3 >>> 24)) ^ v2;
      w3 = ((w3 << 8) | (w3 >>> 24)) ^ w2;
      v0 = (v0 + v3) | 0;
      w0 = (w0 + w3) | 0;
      v3 = ((v3 << 7) | (v3 >>> 25)) ^ v0;
      w3 = ((w3 << 7) | (w3 >>> 25)) ^ w0;
      v2 = (v2 + v1) | 0;
      w2 = (w2 + w1) | 0;
      v1 = ((v1 << 13) | (v1 >>> 19)) ^ v2;
      w1 = ((w1 << 13) | (w1 >>> 19)) ^ w2;
      v2 = (v2 << 16) | (v2 >>> 16);
      w2 = (w2 << 16) | (w2 >>> 16);
    }
    v0 ^= word;
    w0 ^= word;
    if (step === last) {
      v2 ^= 0xee;
      w2 ^= 0xee;
    }
    if (step === last + 2) {
      out[0] = v1 ^ v3;
      out[2] = w1 ^ w3;
      v1 ^= 0xdd;
      w1 ^= 0xdd;
    }
  }
  out[1] = v1 ^ v3;
  out[3] = w1 ^ w3;
}

/** Reads four bytes in little-endian order. */
function fullWord(bytes: Uint8Array, p: number): number {
  return (
    byteAt(bytes, p) |
    (byteAt(bytes, p + 1) << 8) |
    (byteAt(bytes, p + 2) << 16) |
    (byteAt(bytes, p + 3) << 24)
  );
}

/** Reads the last bytes, at most three. Puts the length into the highest byte. */
function lastWord(bytes: Uint8Array, start: number, end: number): number {
  const rest = (end - start) & 3;
  let word = (end - start) << 24;
  for (let i = 0; i < rest; i++) word |= byteAt(bytes, end - rest + i) << (8 * i);
  return word;
}
