import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { decodeZstd } from "./zstd.js";

const HELLO = "hello hello hello hello";
const STORY = Array.from({ length: 20_000 }, (_, i) => `line ${i % 50} of the story\n`).join("");

// Written by zstd 1.5.
const HELLO_FRAME = Buffer.from("KLUv/QBYZQAAMGhlbGxvIAEAmUsR", "base64");
const HELLO_FRAME_WITH_CHECKSUM = Buffer.from("KLUv/QRYZQAAMGhlbGxvIAEAmUsRF16uDQ==", "base64");
const STORY_BLOCKS =
  "VAMAUkQNEbAdA7+bAFENS7xKkrJdAjcCY4wxxhhj/P///7Zt23bbtm2Ljilk3AUTPhlDWjKoF0RIjrUzqCH8+p8BkKPS1REkBK8QyPj9//8M7fsT" +
  "VOOdu68OtemlFT00zztrPhPd/ra4ZgegKlQAAAABAP3/4/+5BgJEAAAAAQD9/zkAAj0AAAABAP3YDoAKDHTz";
const frame = (header: string, blocks = ""): Buffer =>
  Buffer.concat([Buffer.from(header, "hex"), Buffer.from(blocks, "base64")]);
const STORY_FRAME = frame("28b52ffda400590600", STORY_BLOCKS);
const STORY_FRAME_WITH_WINDOW = frame("28b52ffd0468", STORY_BLOCKS);
const SKIPPABLE_FRAME = Buffer.from("532a4d1803000000616263", "hex");
/** An RLE block of four bytes that expands to 128 KiB. */
const RLE_BLOCK = "02001078";

async function decode(data: Buffer, chunkSize = data.length): Promise<string> {
  async function* chunks() {
    for (let at = 0; at < data.length; at += chunkSize) yield data.subarray(at, at + chunkSize);
  }
  const blocks: Buffer[] = [];
  for await (const block of decodeZstd(chunks())) blocks.push(block);
  return Buffer.concat(blocks).toString();
}

describe("zstd", () => {
  test.each<[what: string, data: Buffer, text: string]>([
    ["nothing", Buffer.alloc(0), ""],
    ["a small frame", HELLO_FRAME, HELLO],
    ["a frame with a checksum", HELLO_FRAME_WITH_CHECKSUM, HELLO],
    ["a frame of several blocks", STORY_FRAME, STORY],
    ["a frame that declares a window of 8 MiB", STORY_FRAME_WITH_WINDOW, STORY],
    [
      "several frames",
      Buffer.concat([HELLO_FRAME_WITH_CHECKSUM, STORY_FRAME, HELLO_FRAME]),
      HELLO + STORY + HELLO,
    ],
    ["frames to be skipped", Buffer.concat([SKIPPABLE_FRAME, HELLO_FRAME, SKIPPABLE_FRAME]), HELLO],
  ])("decodes %s in chunks of any size", async (_, data, text) => {
    expect(await decode(data)).toBe(text);
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 50 }), async (chunkSize) => {
        expect(await decode(data, chunkSize)).toBe(text);
      }),
      { numRuns: 10 },
    );
  });

  test.each<[what: string, data: Buffer, problem: string]>([
    ["other data", Buffer.from("not compressed at all"), "not a zstd frame"],
    ["data after a frame", Buffer.concat([HELLO_FRAME, Buffer.from("garbage")]), "not a zstd frame"],
    ["a window above 8 MiB", frame("28b52ffd0469"), "window above 8 MiB"],
    ["a window beyond any memory", frame("28b52ffd04ff"), "window above 8 MiB"],
    ["a single segment above 8 MiB", frame("28b52ffda001008000"), "window above 8 MiB"],
    ["a single segment beyond any memory", frame("28b52ffde0ffffffffffffffff"), "window above 8 MiB"],
    ["a block that is too large", frame("28b52ffd0068f8ffff"), "block too large"],
    [
      "a broken block",
      Buffer.concat([frame("28b52ffd0068"), Buffer.from("250000ffffffff", "hex")]),
      "invalid zstd data",
    ],
  ])("rejects %s", async (_, data, problem) => {
    await expect(decode(data)).rejects.toThrow(problem);
  });

  it("rejects data that is truncated at any byte", async () => {
    for (const data of [HELLO_FRAME_WITH_CHECKSUM, STORY_FRAME, SKIPPABLE_FRAME]) {
      for (let length = 1; length < data.length; length++) {
        await expect(decode(data.subarray(0, length)), `at ${length}`).rejects.toThrow("truncated");
      }
    }
  });

  describe("a zstd body that costs too much work for its content", () => {
    const EMPTY_FRAME = frame("28b52ffd0068010000");
    const EMPTY_BLOCK = Buffer.from("000000", "hex");
    const ONE_BYTE_BLOCK = Buffer.from("08000078", "hex");

    test.each<[what: string, data: Buffer]>([
      ["empty frames", Buffer.alloc(7_000 * EMPTY_FRAME.length, EMPTY_FRAME)],
      ["empty blocks", Buffer.concat([frame("28b52ffd0068"), Buffer.alloc(3_000, EMPTY_BLOCK)])],
      ["blocks of a byte", Buffer.concat([frame("28b52ffd0068"), Buffer.alloc(40_000, ONE_BYTE_BLOCK)])],
      ["frames to be skipped", Buffer.alloc(20_000 * 8, frame("502a4d1800000000"))],
    ])("is rejected: %s", async (_, data) => {
      await expect(decode(data)).rejects.toThrow("out of proportion");
    });

    it("yields to the event loop, and stops when it is aborted", async () => {
      const controller = new AbortController();
      const abort = (): void => controller.abort(new Error("not wanted"));
      let timer: NodeJS.Timeout | undefined;
      let unpacked = 0;
      const blocks = decodeZstd(endlessBlocks(), { signal: controller.signal });
      await expect(async () => {
        for await (const { length } of blocks) {
          unpacked += length;
          timer ??= setTimeout(abort, 5);
        }
      }).rejects.toThrow("not wanted");
      clearTimeout(timer);
      expect(unpacked).toBeGreaterThan(0);
    });

    /** An endless frame. All blocks are available at once. */
    async function* endlessBlocks() {
      yield frame("28b52ffd0038");
      const some = Buffer.alloc(4_000, Buffer.from(RLE_BLOCK, "hex"));
      for (;;) yield some;
    }
  });

  it("decodes no more data than is read", async () => {
    const bomb = Buffer.concat([frame("28b52ffd0068"), Buffer.from(RLE_BLOCK.repeat(100_000), "hex")]);
    async function* once() {
      yield bomb;
    }
    for await (const block of decodeZstd(once())) {
      expect(block.length).toBe(128 * 1024);
      break;
    }
  });
});
