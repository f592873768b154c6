import { deepStrictEqual, ok } from "node:assert/strict";
import { decodeZstd } from "../../src/http/bodies/zstd.js";
import { zstdOf, zstdZeros } from "../../test/support/zstd.js";
import type { FuzzTarget } from "../engine/fuzz-target.js";

/** Maximum number of bytes read from an unpacked stream. */
const MAX_READ_BYTES = 2 * 1024 * 1024;
/** Maximum number of bytes that a block unpacks to (RFC 8878 §3.1.1.2.4). */
const MAX_BLOCK_BYTES = 128 * 1024;
/** Maximum total size of a stream's windows at any moment, in bytes. */
const MAX_WINDOW_BYTES = 8 * 1024 * 1024;

const SKIPPABLE = "502a4d1802000000abcd";

/** The error that ended a stream, if any, and the bytes unpacked before. */
interface Outcome {
  readonly problem: string | undefined;
  readonly bytes: Buffer;
}

/**
 * A zstd stream unpacks to the same bytes however it is cut into chunks, or fails with a message, in bounded
 * memory.
 */
export const zstd: FuzzTarget = {
  name: "zstd",
  boundedInputs: 600,
  // The corpus has frames made by the command `zstd` 1.5 at several levels.
  seeds: [
    zstdOf(Buffer.from("hello hello hello")),
    zstdOf(Buffer.alloc(0), { windowExponent: 13 }),
    zstdZeros(300_000),
    Buffer.concat([Buffer.from(SKIPPABLE, "hex"), zstdOf(Buffer.from("x")), Buffer.from(SKIPPABLE, "hex")]),
    Buffer.alloc(900, Buffer.from("28b52ffd0068010000", "hex")),
    Buffer.from("28b52ffde0ffffffffffffffff", "hex"),
    "not zstd",
  ],
  words: [
    ...["\x28\xb5\x2f\xfd", "\x50\x2a\x4d\x18", "\x01\0\0", "\x03\0\0", "\x05\0\0", "\0\x68", "\x20"],
    ...["\xa0\0\0\x80\0", "\xff\xff\xff"],
  ],
  async run(input) {
    const whole = await unpack([input]);
    const { problem } = whole;
    ok(problem === undefined || /^[ -~]{5,100}$/.test(problem), `an unclear problem: ${problem}`);
    const bytes = [...input].map((_, at) => input.subarray(at, at + 1));
    deepStrictEqual(await unpack(input.length > 600 ? halves(input) : bytes), whole);
  },
};

const halves = (input: Buffer): Buffer[] => [
  input.subarray(0, input.length >> 1),
  input.subarray(input.length >> 1),
];

async function unpack(chunks: readonly Buffer[]): Promise<Outcome> {
  let windows = 0;
  const takeWindow = (bytes: number) => {
    windows += bytes;
    ok(windows <= MAX_WINDOW_BYTES, `windows of ${windows} bytes`);
    return () => {
      windows -= bytes;
    };
  };
  const blocks: Buffer[] = [];
  let size = 0;
  let problem: string | undefined;
  try {
    for await (const block of decodeZstd(sourceOf(chunks), { takeWindow })) {
      ok(block.length <= MAX_BLOCK_BYTES, `a block of ${block.length} bytes`);
      blocks.push(block);
      size += block.length;
      if (size > MAX_READ_BYTES) break;
    }
  } catch (error) {
    if (!(error instanceof Error) || error.name === "AssertionError") throw error;
    problem = error.message;
  }
  ok(windows === 0, "a window was not released");
  return { problem, bytes: Buffer.concat(blocks) };
}

async function* sourceOf(chunks: readonly Buffer[]): AsyncGenerator<Buffer> {
  yield* chunks;
}
