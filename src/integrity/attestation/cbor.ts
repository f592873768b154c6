import { type DecodeOptions, decodeFirst, type Token, Tokenizer, Type } from "cborg";
import { MalformedInput } from "./steps.js";

/** A CBOR value. The types of RFC 8949 that attestation objects never contain are rejected. */
export type CborValue = number | string | boolean | Uint8Array | readonly CborValue[] | CborMap;
/** A CBOR map. Its keys are strings and integers. */
export type CborMap = ReadonlyMap<unknown, CborValue>;

const MAX_CBOR_BYTES = 64 * 1024;
/** Maximum number of nested arrays and maps. */
const MAX_DEPTH = 4;
/** Maximum number of members of an array or map. */
const MAX_MEMBERS = 32;

const OPTIONS: DecodeOptions = {
  allowIndefinite: false,
  allowUndefined: false,
  allowBigInt: false,
  allowInfinity: false,
  allowNaN: false,
  // Accept only the shortest form of each length and integer.
  strict: true,
  useMaps: true,
  rejectDuplicateMapKeys: true,
  retainStringBytes: true,
};

/**
 * Reads bytes that are exactly one value. Rejects duplicate keys, indefinite lengths, tags, floats, null, encodings
 * longer than necessary, and values that are too deep or too large.
 *
 * @throws MalformedInput
 */
export function readCbor(bytes: Uint8Array): CborValue {
  const { value, rest } = readFirstCbor(bytes);
  if (rest.length > 0) throw new MalformedInput(`${rest.length} bytes after the CBOR value`);
  return value;
}

/** Reads the first value by the rules of {@link readCbor}, and returns the bytes after it. @throws MalformedInput */
export function readFirstCbor(bytes: Uint8Array): { value: CborValue; rest: Uint8Array } {
  if (bytes.length > MAX_CBOR_BYTES)
    throw new MalformedInput(`${bytes.length} bytes of CBOR, more than ${MAX_CBOR_BYTES}`);
  const tokenizer = new StrictTokenizer(bytes);
  try {
    const [value, rest] = decodeFirst(bytes, { ...OPTIONS, tokenizer }) as [CborValue, Uint8Array];
    return { value, rest };
  } catch (error) {
    if (error instanceof MalformedInput) throw error;
    // The decoder throws generic errors for malformed input.
    throw new MalformedInput(`not strict CBOR: ${error instanceof Error ? error.message : "unreadable"}`);
  }
}

/** An open array or map, with the number of members that are still missing. */
interface Open {
  readonly isMap: boolean;
  remaining: number;
}

/**
 * Adds to the checks that the decoder can do. It rejects other types, other kinds of keys, and structures beyond the
 * limits.
 */
class StrictTokenizer extends Tokenizer {
  readonly #open: Open[] = [];

  constructor(bytes: Uint8Array) {
    // Slices of a plain array are copies. Slices of a Buffer would share its memory.
    super(new Uint8Array(bytes), OPTIONS);
  }

  override next(): Token {
    const token = super.next();
    const { type, value, byteValue } = token;
    const parent = this.#open.at(-1);
    const isKey = parent?.isMap === true && parent.remaining % 2 === 0;
    if (!ACCEPTED.has(type.name)) throw new MalformedInput(`CBOR of type ${type.name}`);
    if (isKey && !KEYS.has(type.name)) throw new MalformedInput(`a CBOR map key of type ${type.name}`);
    // The decoder replaces invalid UTF-8 and drops a byte order mark, so the string is compared with its bytes.
    if (byteValue !== undefined && Buffer.compare(Buffer.from(value), byteValue) !== 0)
      throw new MalformedInput("CBOR text that is not UTF-8, or begins with a byte order mark");
    if (parent !== undefined) parent.remaining -= 1;
    const isMap = Type.equals(type, Type.map);
    if (isMap || Type.equals(type, Type.array)) this.#begin(isMap, value);
    while (this.#open.at(-1)?.remaining === 0) this.#open.pop();
    return token;
  }

  #begin(isMap: boolean, members: number): void {
    if (!(members <= MAX_MEMBERS))
      throw new MalformedInput(`a CBOR ${isMap ? "map" : "array"} of ${members}`);
    if (this.#open.length >= MAX_DEPTH) throw new MalformedInput(`CBOR nested deeper than ${MAX_DEPTH}`);
    this.#open.push({ isMap, remaining: isMap ? 2 * members : members });
  }
}

const ACCEPTED = new Set(["uint", "negint", "bytes", "string", "array", "map", "false", "true"]);
const KEYS = new Set(["uint", "negint", "string"]);
