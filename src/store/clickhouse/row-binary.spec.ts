import fc from "fast-check";
import { expect, it } from "vitest";
import { RowReader, RowWriter } from "./row-binary.js";

it("reads back written rows of any number and length", () => {
  const count = fc.oneof(fc.nat(), fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER }));
  const text = fc.oneof(fc.string({ unit: "binary" }), fc.constantFrom("x".repeat(127), "x".repeat(70_000)));
  const row = fc.record({ day: fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }), text, count });
  fc.assert(
    fc.property(fc.array(row), (rows) => {
      const writer = new RowWriter();
      for (const { day, text, count } of rows) {
        writer.int32(day);
        writer.text(Buffer.from(text));
        writer.count(count);
      }
      const reader = new RowReader(writer.bytes);
      const read = [];
      while (!reader.isAtEnd) read.push({ day: reader.int32(), text: reader.text(), count: reader.count() });
      expect(read).toEqual(rows);
    }),
  );
});

it("reads arrays after a string of any length", () => {
  const numbers = fc.array(fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }), { maxLength: 300 });
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), numbers, (text, numbers) => {
      const writer = new RowWriter();
      writer.text(Buffer.from(text));
      writeArray(writer, Int32Array.from(numbers));
      writeArray(writer, Float64Array.from(numbers));
      const reader = new RowReader(writer.bytes);
      expect([reader.text(), [...reader.int32s()], [...reader.float64s()]]).toEqual([text, numbers, numbers]);
      expect(reader.isAtEnd).toBe(true);
    }),
  );
});

/** Writes the number of elements, then the elements. */
function writeArray(writer: RowWriter, values: Int32Array | Float64Array): void {
  if (values.length >= 0x80) writer.uint8((values.length & 0x7f) | 0x80);
  writer.uint8(values.length >= 0x80 ? values.length >>> 7 : values.length);
  writer.raw(new Uint8Array(values.buffer));
}

it("writes columns in little-endian order, and one in big-endian order so that it sorts by its bytes", () => {
  const writer = new RowWriter();
  writer.uint8(1);
  writer.uint32(0xdead_beef);
  writer.uint32BigEndian(0x0102_0304);
  writer.uint64(0x1122_3344_5566_7788n);
  writer.raw(Uint8Array.of(9));
  expect(writer.bytes.toString("hex")).toBe("01efbeadde010203048877665544332211" + "09");
});
