import { expect, it, test } from "vitest";
import { digest, halfSipHashes, newDigest } from "./message-key.js";

const bytes = Uint8Array.from({ length: 64 }, (_, i) => i);
const hex = (words: Uint32Array) => Buffer.from(words.buffer).toString("hex");

// From the reference implementation's test vectors: key 00…07, input 00, 01, … of each length.
test.each([
  [0, "218d1f59b9b83cc8"],
  [1, "be552412f8387315"],
])(
  "HalfSipHash-2-4-64 returns the same digest as the reference implementation for %i bytes",
  (length, expected) => {
    const out = newDigest();
    halfSipHashes(bytes, 0, length, 0x03020100, 0x07060504, 1, 2, out);
    expect(hex(out.slice(0, 2))).toBe(expected);
    halfSipHashes(bytes, 0, length, 1, 2, 0x03020100, 0x07060504, out);
    expect(hex(out.slice(2))).toBe(expected);
  },
);

it("digest depends on every byte in its range, the length and the seed, and on nothing else", () => {
  const seen = new Set<string>();
  const add = (b: Uint8Array, start: number, end: number, s0: number, s1: number) => {
    const out = newDigest();
    digest(b, start, end, s0, s1, out);
    seen.add(hex(out));
  };
  for (let length = 0; length < 40; length++) add(bytes, 1, 1 + length, 0, 0);
  for (let i = 0; i < 40; i++) add(bytes.with(i, 255), 0, 40, 0, 0);
  for (let i = 0; i < 32; i++) {
    add(bytes, 0, 9, 1 << i, 0);
    add(bytes, 0, 9, 0, 1 << i);
  }
  expect(seen.size).toBe(40 + 40 + 64);
  add(bytes.with(0, 7).with(5, 9), 1, 5, 0, 0);
  expect(seen.size).toBe(144);
});
