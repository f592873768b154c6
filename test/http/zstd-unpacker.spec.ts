import { once } from "node:events";
import { pipeline } from "node:stream/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ZstdUnpacker } from "../../src/http/bodies/zstd-unpacker.js";
import { poll } from "../support/poll.js";
import { zstdOf } from "../support/zstd.js";

const STORY = Buffer.from(Array.from({ length: 100_000 }, (_, i) => `line ${i}\n`).join(""));
/** A frame header with a window of 8 MiB, without a block. */
const OPEN_FRAME = Buffer.from("28b52ffd0068", "hex");
/** 128 KiB of one byte. */
const RLE_BLOCK = Buffer.from("02001078", "hex");
const EMPTY_LAST_BLOCK = Buffer.from("010000", "hex");
/** Maximum number of windows of 8 MiB for a caller. */
const WINDOWS = 8;

let unpacker: ZstdUnpacker;
beforeAll(async () => {
  // The worker thread exists only in the compiled program.
  const module: string = new URL("../../dist/http/bodies/zstd-unpacker.js", import.meta.url).href;
  const { ZstdUnpacker: Unpacker } = (await import(
    module
  )) as typeof import("../../src/http/bodies/zstd-unpacker.js");
  unpacker = new Unpacker();
});
afterAll(() => unpacker.close());

/** Unpacks chunks on behalf of a caller. */
async function unpack(chunks: readonly Buffer[], caller = "somebody"): Promise<Buffer> {
  const unpacked: Buffer[] = [];
  await pipeline(chunks, unpacker.decoder(caller), async (blocks: AsyncIterable<Buffer>) => {
    for await (const block of blocks) unpacked.push(block);
  });
  return Buffer.concat(unpacked);
}

/** Opens a frame with a window of 8 MiB and unpacks some of it, which allocates the window. */
async function openFrame(caller: string) {
  const decoder = unpacker.decoder(caller);
  // The decoder starts after 18 bytes.
  decoder.write(Buffer.concat([OPEN_FRAME, RLE_BLOCK, RLE_BLOCK, RLE_BLOCK]));
  await once(decoder, "readable");
  return decoder;
}

describe("ZstdUnpacker", () => {
  it("decompresses bodies of several callers at the same time", async () => {
    const packed = zstdOf(STORY);
    const chunks = Array.from({ length: Math.ceil(packed.length / 10_000) }, (_, i) =>
      packed.subarray(10_000 * i, 10_000 * (i + 1)),
    );
    const stories = await Promise.all(["a", "b", "a"].map((caller) => unpack(chunks, caller)));
    for (const story of stories) expect(story.equals(STORY)).toBe(true);
  });

  it("explains the error in a malformed body", async () => {
    await expect(unpack([Buffer.from("not packed at all")])).rejects.toThrow("not a zstd frame");
    await expect(unpack([OPEN_FRAME])).rejects.toThrow("truncated");
  });

  it("decompresses only as much as its reader reads", async () => {
    const decoder = unpacker.decoder("somebody");
    decoder.end(
      Buffer.concat([OPEN_FRAME, ...Array.from({ length: 2_000 }, () => RLE_BLOCK), EMPTY_LAST_BLOCK]),
    );
    await once(decoder, "readable");
    // A body of another caller is unpacked completely in the meantime.
    await unpack([zstdOf(STORY)], "another");
    expect(decoder.readableLength).toBeLessThanOrEqual(5 * 128 * 1024);
    let unpacked = 0;
    for await (const block of decoder) unpacked += (block as Buffer).length;
    expect(unpacked).toBe(2_000 * 128 * 1024);
  });

  it("rejects a caller that has used its share of memory, and serves others", async () => {
    const open = await Promise.all(Array.from({ length: WINDOWS }, () => openFrame("greedy")));
    await expect(unpack([OPEN_FRAME, RLE_BLOCK], "greedy")).rejects.toMatchObject({
      reason: "DECOMPRESSION_BUSY",
    });
    expect((await unpack([zstdOf(STORY)], "modest")).equals(STORY)).toBe(true);

    for (const decoder of open) decoder.destroy();
    const frame = [OPEN_FRAME, RLE_BLOCK, EMPTY_LAST_BLOCK];
    const bytes = await poll(
      () =>
        unpack(frame, "greedy").then(
          ({ length }) => length,
          () => 0,
        ),
      (length) => length > 0,
    );
    expect(bytes).toBe(128 * 1024);
  });
});
