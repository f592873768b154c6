import type { Random } from "../../src/simulator/random.js";
import type { FuzzTarget } from "./fuzz-target.js";

/** Bytes that parsers often mishandle: ends of ranges, white space, quotes, brackets, signs. */
const NASTY_BYTES = Buffer.from(
  "\x00\x01\t\n\r \x1f\"#$%&'()*+,-./0:;<=>?@A[\\]_`{|}~\x7f\x80\xbf\xc0\xc2\xe2\xed\xf0\xf4\xff",
  "latin1",
);

/** Texts that parsers of any language often mishandle. */
const NASTY_TEXTS = [
  ...["", "0", "-0", "-1", "1e1", "0x10", "2147483647", "2147483648", "4294967296", "9007199254740993"],
  ...["9223372036854775807", "9223372036854775808", "1e999", "NaN", "null", "true", "undefined"],
  ...["__proto__", "constructor", "toString", "hasOwnProperty", "%00", "%2F", "%2f", "%zz", "%C3%28"],
  ...["%", "+"],
  ...["\u00e9", "\u{1f4da}", "\u2028", "\ufeff", "\u0130", "\r\n", "\\u0000", "\\ud800", "../", "//"],
  ...["*", "-"],
];

const WORD = /[A-Za-z0-9_.]+/g;
const NUMBER = /\d+/g;

type Mutation = (input: Buffer, random: Random, other: Buffer) => Buffer;

/** Mutates inputs: bytes, ranges, words and numbers, and combinations of two inputs. */
export class Mutator {
  readonly #words: FuzzTarget["words"];
  readonly #maxBytes: number;
  readonly #mutations: readonly Mutation[];

  constructor(words: FuzzTarget["words"], maxBytes: number) {
    this.#words = words;
    this.#maxBytes = maxBytes;
    this.#mutations = [
      flipBit,
      setByte,
      insertByte,
      removeRange,
      repeatRange,
      moveRange,
      swapCase,
      escapeByte,
      changeNumber,
      splice,
      (input, random) => insert(input, random.below(input.length + 1), this.#word(random)),
      (input, random) => insert(input, random.below(input.length + 1), this.#word(random)),
      (input, random) => this.#replaceWord(input, random),
      (input, random) => this.#replaceWord(input, random),
      (input, random) => replaceRange(input, random, this.#word(random)),
    ];
  }

  /** Makes an input that differs from `input` by a few mutations. Some use parts of `other`. */
  mutate(input: Buffer, random: Random, other: Buffer): Buffer {
    let changed = input;
    do {
      const mutation = this.#mutations[random.below(this.#mutations.length)];
      if (mutation !== undefined) changed = mutation(changed, random, other);
    } while (random.chance(0.55));
    return changed.subarray(0, this.#maxBytes);
  }

  #word(random: Random): Buffer {
    const words = this.#words.length > 0 && random.chance(0.8) ? this.#words : NASTY_TEXTS;
    return Buffer.from(words[random.below(words.length)] ?? "");
  }

  #replaceWord(input: Buffer, random: Random): Buffer {
    return replaceMatch(input, random, WORD, () => this.#word(random));
  }
}

function insert(input: Buffer, at: number, bytes: Uint8Array): Buffer {
  return Buffer.concat([input.subarray(0, at), bytes, input.subarray(at)]);
}

/** A range of the input; short ranges are more likely. */
function range(input: Buffer, random: Random): [start: number, end: number] {
  const start = random.below(input.length + 1);
  const longest = random.chance(0.7) ? 16 : input.length;
  return [start, Math.min(input.length, start + 1 + random.below(Math.max(1, longest)))];
}

function flipBit(input: Buffer, random: Random): Buffer {
  const at = random.below(input.length);
  return withByte(input, at, (input[at] ?? 0) ^ (1 << random.below(8)));
}

function setByte(input: Buffer, random: Random): Buffer {
  return withByte(input, random.below(input.length), nastyByte(random));
}

function withByte(input: Buffer, at: number, byte: number): Buffer {
  if (input.length === 0) return Buffer.of(byte);
  const changed = Buffer.from(input);
  changed[at] = byte;
  return changed;
}

function nastyByte(random: Random): number {
  return random.chance(0.7) ? (NASTY_BYTES[random.below(NASTY_BYTES.length)] ?? 0) : random.below(256);
}

function insertByte(input: Buffer, random: Random): Buffer {
  return insert(input, random.below(input.length + 1), Buffer.of(nastyByte(random)));
}

function removeRange(input: Buffer, random: Random): Buffer {
  const [start, end] = range(input, random);
  return Buffer.concat([input.subarray(0, start), input.subarray(end)]);
}

function replaceRange(input: Buffer, random: Random, bytes: Uint8Array): Buffer {
  const [start, end] = range(input, random);
  return Buffer.concat([input.subarray(0, start), bytes, input.subarray(end)]);
}

/** Repeats a range, mostly once and occasionally many times, which reveals slow code. */
function repeatRange(input: Buffer, random: Random): Buffer {
  const [start, end] = range(input, random);
  const times = random.chance(0.9) ? 1 : 1 + random.below(500);
  const piece = input.subarray(start, end);
  return insert(input, end, Buffer.concat(Array.from({ length: times }, () => piece)));
}

function moveRange(input: Buffer, random: Random): Buffer {
  const [start, end] = range(input, random);
  const rest = Buffer.concat([input.subarray(0, start), input.subarray(end)]);
  return insert(rest, random.below(rest.length + 1), input.subarray(start, end));
}

function swapCase(input: Buffer, random: Random): Buffer {
  const [start, end] = range(input, random);
  const text = input.toString("latin1", start, end);
  const swapped = text === text.toLowerCase() ? text.toUpperCase() : text.toLowerCase();
  return Buffer.concat([input.subarray(0, start), Buffer.from(swapped, "latin1"), input.subarray(end)]);
}

/** Escapes a byte like URLs or JSON do. */
function escapeByte(input: Buffer, random: Random): Buffer {
  const at = random.below(input.length);
  const hex = (input[at] ?? 0).toString(16).padStart(2, "0");
  const escaped = random.chance(0.5) ? `%${random.chance(0.5) ? hex : hex.toUpperCase()}` : `\\u00${hex}`;
  return Buffer.concat([input.subarray(0, at), Buffer.from(escaped), input.subarray(at + 1)]);
}

function changeNumber(input: Buffer, random: Random): Buffer {
  return replaceMatch(input, random, NUMBER, (text) => {
    const steps = [1n, -1n, 10n, -10n, 256n, BigInt(text.slice(0, 20)), 2n ** 31n, 2n ** 63n];
    return Buffer.from(String(BigInt(text.slice(0, 20)) + (steps[random.below(steps.length)] ?? 0n)));
  });
}

/** Joins one input's start with the other's end, or inserts a part of the other. */
function splice(input: Buffer, random: Random, other: Buffer): Buffer {
  const [start, end] = range(other, random);
  if (random.chance(0.5)) return insert(input, random.below(input.length + 1), other.subarray(start, end));
  return Buffer.concat([input.subarray(0, random.below(input.length + 1)), other.subarray(start)]);
}

function replaceMatch(
  input: Buffer,
  random: Random,
  pattern: RegExp,
  replacement: (text: string) => Uint8Array,
): Buffer {
  const matches = [...input.toString("latin1").matchAll(pattern)];
  const match = matches[random.below(matches.length)];
  if (match === undefined) return input;
  const [text] = match;
  const end = match.index + text.length;
  return Buffer.concat([input.subarray(0, match.index), replacement(text), input.subarray(end)]);
}
