import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { DerReader, objectIdentifier, readDer, Tag } from "./der.js";
import { MalformedInput } from "./steps.js";

const hex = (text: string): Buffer => Buffer.from(text.replaceAll(" ", ""), "hex");

/** Encodes an element with the shortest length. */
function element(tag: number, content: Uint8Array): Buffer {
  const { length } = content;
  const head =
    length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.of(tag, ...head), content]);
}

const anyTag = fc.integer({ min: 0, max: 255 }).filter((tag) => (tag & 0x1f) !== 0x1f);

describe("the DER reader", () => {
  it("reads consecutive elements of every length up to 65535 bytes", () => {
    const elements = fc.array(fc.tuple(anyTag, fc.oneof(fc.nat(300), fc.nat(65_535))), { maxLength: 4 });
    fc.assert(
      fc.property(elements, (expected) => {
        const encoded = expected.map(([tag, length]) => element(tag, Buffer.alloc(length, tag)));
        const reader = new DerReader(Buffer.concat(encoded));
        for (const [index, [tag, length]] of expected.entries()) {
          const read = reader.read(tag);
          expect(read.content).toHaveLength(length);
          expect(Buffer.compare(read.bytes, encoded[index] as Buffer)).toBe(0);
        }
        expect(() => reader.end()).not.toThrow();
        expect(() => reader.read()).toThrow(MalformedInput);
      }),
      { numRuns: 50 },
    );
  });

  it("rejects all bytes that are not DER", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 40 }), (bytes) => {
        const reader = new DerReader(bytes);
        const read: Buffer[] = [];
        try {
          while (!reader.isDone) {
            const { tag, content } = reader.read();
            read.push(element(tag, content));
          }
        } catch (error) {
          expect(error).toBeInstanceOf(MalformedInput);
          return;
        }
        expect(Buffer.concat(read)).toEqual(Buffer.from(bytes));
      }),
      { numRuns: 2000 },
    );
  });

  test.each([
    ["nothing", "", /ends too early/],
    ["a tag without a length", "30", /ends too early/],
    ["another tag", "31 00", /0x31 instead of 0x30/],
    ["a tag of several bytes", "3f 81 01 00", /a DER tag of several bytes/],
    ["an indefinite length", "30 80 00 00", /begins with 0x80/],
    ["a length of three bytes", "30 83 01 00 00", /begins with 0x83/],
    ["a reserved length", "30 ff", /begins with 0xff/],
    ["a long form of a short length", "30 81 7f", /not the shortest/],
    ["two bytes for a length of one", "30 82 00 ff", /not the shortest/],
    ["a length that ends too early", "30 82 01", /ends too early/],
    ["content that ends too early", "30 02 05", /ends after its container/],
    ["bytes after the element", "30 00 00", /1 bytes after/],
  ])("rejects %s", (_name, bytes, message) => {
    expect(() => readDer(hex(bytes), Tag.SEQUENCE)).toThrow(MalformedInput);
    expect(() => readDer(hex(bytes), Tag.SEQUENCE)).toThrow(message);
  });
});

describe("the reader of object identifiers", () => {
  test.each([
    ["2a 86 48 86 f7 63 64 08 02", "1.2.840.113635.100.8.2"],
    ["55 1d 13", "2.5.29.19"],
    ["2b", "1.3"],
    ["27", "0.39"],
    ["50", "2.0"],
    ["88 37", "2.999"],
  ])("reads %s as %s", (bytes, expected) => {
    expect(objectIdentifier(hex(bytes))).toBe(expected);
  });

  test.each([
    ["no bytes", ""],
    ["an arc that ends too early", "2a 86"],
    ["an arc with a leading zero", "2a 80 01"],
    ["an arc above 32 bits", "2a ff ff ff ff ff 7f"],
    ["too many arcs", "01".repeat(100)],
  ])("rejects %s", (_name, bytes) => {
    expect(() => objectIdentifier(hex(bytes))).toThrow(MalformedInput);
  });
});
