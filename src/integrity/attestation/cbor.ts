import { type DecodeOptions, decodeFirst, type Token, Tokenizer, Type } from "cborg";
import { MalformedInput } from "./steps.js";

/** An accepted value. Attestation objects use no other types of RFC 8949. */
export type CborValue = number | string | boolean | Uint8Array | readonly CborValue[] | CborMap;
/** A map. Its keys are texts and integers. */
export type CborMap = ReadonlyMap<unknown, CborValue>;

/** Maximum number of bytes of a value. */
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
  // Only the shortest form of each length and integer.
  strict: true,
  useMaps: true,
  rejectDuplicateMapKeys: true,
  retainStringBytes: true,
};

/**
 * Reads bytes that are exactly one value. Strict: no duplicate keys, no indefinite lengths, no tags, floats or null,
 * only the shortest encodings, and limited depth and sizes.
 *
 * @throws MalformedInput
 */
export function readCbor(bytes: Uint8Array): CborValue {
  const { value, rest } = readFirstCbor(bytes);
  if (rest.length > 0) throw new MalformedInput(`${rest.length} bytes after the CBOR value`);
  return value;
}

/**
 * Reads the first value as {@link readCbor}, and returns the bytes after it.
 *
 * @throws MalformedInput
 */
export function readFirstCbor(bytes: Uint8Array): { value: CborValue; rest: Uint8Array } {
  if (bytes.length > MAX_CBOR_BYTES)
    throw new MalformedInput(`${bytes.length} bytes of CBOR, more than ${MAX_CBOR_BYTES}`);
  const tokenizer = new StrictTokenizer(bytes);
  try {
    const [value, rest] = decodeFirst(bytes, { ...OPTIONS, tokenizer }) as [CborValue, Uint8Array];
    return { value, rest };
  } catch (error) {
    if (error instanceof MalformedInput) throw error;
    // The decoder throws plain errors about its input.
    throw new MalformedInput(`not strict CBOR: ${error instanceof Error ? error.message : "unreadable"}`);
  }
}

/** The members that an open array or map still needs. */
interface Open {
  readonly isMap: boolean;
  remaining: number;
}

/** Rejects all that the decoder's options cannot: other types, other keys, and structures beyond the limits. */
class StrictTokenizer extends Tokenizer {
  readonly #open: Open[] = [];

  constructor(bytes: Uint8Array) {
    // A plain array: the decoder's slices of it are copies, and slices of a Buffer are not.
    super(new Uint8Array(bytes), OPTIONS);
  }

  override next(): Token {
    const token = super.next();
    const { type, value, byteValue } = token;
    const parent = this.#open.at(-1);
    const isKey = parent?.isMap === true && parent.remaining % 2 === 0;
    if (!ACCEPTED.has(type.name)) throw new MalformedInput(`CBOR of type ${type.name}`);
    if (isKey && !KEYS.has(type.name)) throw new MalformedInput(`a CBOR map key of type ${type.name}`);
    // The decoder replaces bytes that are not UTF-8, and drops a byte order mark.
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
