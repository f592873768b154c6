import fc from "fast-check";
import { expect, it } from "vitest";
import { type Batch, batchesOf } from "./batches.js";

/** Yields chunks, and overwrites each when the next one is requested. */
function* passing(chunks: readonly string[]): Generator<Uint8Array> {
  for (const chunk of chunks) {
    const bytes = Buffer.from(chunk);
    yield bytes;
    bytes.fill(0xff);
  }
}

/** Collects batches. Returns the memory of each second one before the next one is read. */
async function collect(chunks: readonly string[], size: number): Promise<Batch[]> {
  const batches: Batch[] = [];
  const free: ArrayBuffer[] = [];
  for await (const { bytes, firstLine } of batchesOf(passing(chunks), size, free)) {
    batches.push({ bytes: bytes.slice(), firstLine });
    if (batches.length % 2 === 0) free.push(bytes.fill(0xff).buffer);
  }
  return batches;
}

const chunks = fc.array(fc.string({ unit: fc.constantFrom("a", "b", "\n"), maxLength: 12 }), {
  maxLength: 12,
});

it("batchesOf splits a stream at line breaks, keeps every byte and counts lines", () =>
  fc.assert(
    fc.asyncProperty(chunks, fc.integer({ min: 1, max: 20 }), async (parts, size) => {
      const batches = await collect(parts, size);
      const texts = batches.map(({ bytes }) => Buffer.from(bytes).toString());
      expect(texts.join("")).toBe(parts.join(""));
      let before = "";
      for (const [index, text] of texts.entries()) {
        expect(batches[index]?.firstLine).toBe(before.split("\n").length);
        if (index < texts.length - 1) {
          expect(text.endsWith("\n")).toBe(true);
          expect(text.length).toBeGreaterThanOrEqual(size);
        }
        // The batch ends at the first line break after `size` bytes.
        expect(text.slice(0, -1).indexOf("\n", size - 1)).toBe(-1);
        before += text;
      }
    }),
  ));
