import { encode, rfc8949EncodeOptions } from "cborg";
import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { readCbor, readFirstCbor } from "./cbor.js";
import { MalformedInput } from "./steps.js";

const hex = (text: string): Buffer => Buffer.from(text.replaceAll(" ", ""), "hex");

/** Any value that is accepted, with a depth within the limit. */
const value = fc.letrec((tie) => ({
  any: fc.oneof({ maxDepth: 3 }, tie("leaf"), tie("leaf"), tie("array"), tie("map")),
  leaf: fc.oneof(
    fc.maxSafeInteger(),
    fc.string({ unit: "grapheme" }),
    fc.boolean(),
    fc.uint8Array({ maxLength: 300 }),
  ),
  array: fc.array(tie("any"), { maxLength: 5 }),
  map: fc
    .array(fc.tuple(fc.oneof(fc.maxSafeInteger(), fc.string({ maxLength: 8 })), tie("any")), { maxLength: 5 })
    .map((entries) => new Map(entries)),
})).any;

describe("the CBOR reader", () => {
  it("reads every value that it accepts", () => {
    fc.assert(
      fc.property(value, (it) => {
        expect(readCbor(encode(it))).toEqual(it);
      }),
    );
  });

  it("returns the bytes after the first value", () => {
    fc.assert(
      fc.property(value, fc.uint8Array({ maxLength: 50 }), (it, after) => {
        const { value: first, rest } = readFirstCbor(Buffer.concat([encode(it), after]));
        expect(first).toEqual(it);
        expect(Buffer.from(rest)).toEqual(Buffer.from(after));
      }),
    );
  });

  it("rejects a value that ends too early, and bytes after a value", () => {
    fc.assert(
      fc.property(value, fc.nat(), fc.uint8Array({ minLength: 1, maxLength: 9 }), (it, cut, after) => {
        const bytes = encode(it);
        expect(() => readCbor(bytes.subarray(0, cut % bytes.length))).toThrow(MalformedInput);
        expect(() => readCbor(Buffer.concat([bytes, after]))).toThrow(MalformedInput);
      }),
    );
  });

  it("rejects every encoding of a value except the shortest one", () => {
    const words = ["a2", "61 61", "41 00", "82", "18 18", "20", "f5", "a0", "01"].map(hex);
    const bytes = fc.oneof(
      fc.uint8Array({ maxLength: 40 }),
      fc.array(fc.constantFrom(...words), { maxLength: 12 }).map((parts) => Buffer.concat(parts)),
    );
    fc.assert(
      fc.property(bytes, (input) => {
        let read: unknown;
        try {
          read = readCbor(input);
        } catch (error) {
          expect(error).toBeInstanceOf(MalformedInput);
          return;
        }
        const shortest = encode(read, { ...rfc8949EncodeOptions, mapSorter: () => 0 });
        expect(Buffer.from(shortest)).toEqual(Buffer.from(input));
      }),
      { numRuns: 2000 },
    );
  });

  test.each([
    ["no bytes", ""],
    ["a repeated key", "a2 61 61 01 61 61 02"],
    ["a repeated number key", "a2 01 01 01 02"],
    ["a key of bytes", "a1 41 00 01"],
    ["a key that is a map", "a1 a0 01"],
    ["a key that is true", "a1 f5 01"],
    ["an array of indefinite length", "9f 01 ff"],
    ["a map of indefinite length", "bf 61 61 01 ff"],
    ["bytes of indefinite length", "5f 41 00 ff"],
    ["text of indefinite length", "7f 61 61 ff"],
    ["only a break", "ff"],
    ["a tag", "c0 61 61"],
    ["a big integer", "c2 49 01 00 00 00 00 00 00 00 00"],
    ["an integer of 64 bits", "1b 00 20 00 00 00 00 00 00"],
    ["a float", "fb 3f f0 00 00 00 00 00 00"],
    ["a half float", "f9 3c 00"],
    ["null", "f6"],
    ["undefined", "f7"],
    ["a simple value", "e0"],
    ["an integer that is not the shortest", "18 01"],
    ["a length that is not the shortest", "58 01 00"],
    ["a count that is not the shortest", "98 01 01"],
    ["text that is not UTF-8", "61 ff"],
    ["text with a byte order mark", "64 ef bb bf 61"],
    ["text with a surrogate", "63 ed a0 80"],
    ["arrays nested too deeply", "81 81 81 81 81 01"],
    ["maps nested too deeply", "a1 01 a1 01 a1 01 a1 01 a1 01 01"],
    ["a count larger than the input", "9a ff ff ff ff"],
    ["a count of 2^53", "9b 00 1f ff ff ff ff ff ff"],
    ["a length larger than the input", "5a ff ff ff ff 00"],
    ["33 members", `98 21 ${"01".repeat(33)}`],
  ])("rejects %s", (_name, bytes) => {
    expect(() => readCbor(hex(bytes))).toThrow(MalformedInput);
  });

  it("rejects input of more than 64 KiB", () => {
    expect(readCbor(encode(new Uint8Array(65_533)))).toHaveLength(65_533);
    expect(() => readCbor(encode(new Uint8Array(65_534)))).toThrow("65537 bytes of CBOR");
  });

  it("reads nested empty arrays and maps up to the maximum depth", () => {
    expect(readCbor(hex("81 81 81 80"))).toEqual([[[[]]]]);
    expect(readCbor(hex("82 82 80 80 82 a0 01"))).toEqual([
      [[], []],
      [new Map(), 1],
    ]);
  });

  it("returns maps, so that no key can change an object prototype", () => {
    expect(readCbor(encode(new Map([["__proto__", 1]])))).toEqual(new Map([["__proto__", 1]]));
  });
});
