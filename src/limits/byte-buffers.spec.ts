import fc from "fast-check";
import { expect, it } from "vitest";
import { ByteCollector, freeMemory } from "./byte-buffers.js";

it("ByteCollector joins chunks of any size without changing them", () => {
  const pieces = fc.array(fc.uint8Array({ maxLength: 20 }).map((bytes) => Buffer.from(bytes)));
  fc.assert(
    fc.property(pieces, (given) => {
      const copies = given.map((piece) => Buffer.from(piece));
      const collector = new ByteCollector();
      for (const [at, piece] of given.entries()) {
        collector.add(piece);
        const joined = Buffer.concat(copies.slice(0, at + 1));
        expect(collector.bytes()).toEqual(joined);
        expect(collector.size).toBe(joined.length);
      }
      expect(given).toEqual(copies);
    }),
  );
});

it("ByteCollector needs memory in proportion to the bytes, not to the number of chunks", () => {
  const collector = new ByteCollector();
  const piece = Buffer.from("x");
  for (let count = 0; count < 100_000; count++) collector.add(piece);
  expect(collector.bytes().buffer.byteLength).toBeLessThanOrEqual(200_000);
});

it("freeMemory empties the memory and its views immediately", () => {
  const views = [new Uint8Array(5), new Uint32Array(2)];
  freeMemory(views.map(({ buffer }) => buffer));
  expect(views.map(({ length }) => length)).toEqual([0, 0]);
});
