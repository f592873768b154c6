import { readFile } from "node:fs/promises";
import { gzipSync } from "node:zlib";
import { expect } from "vitest";
import { errorOf } from "../../src/api/testing/error-of.js";
import { accepted } from "../support/data/delivery-data.js";
import { ndjson, postEvents } from "../support/data/import.js";
import { it, test } from "../support/servers/process-fixtures.js";
import { zstdZeros } from "../support/zstd.js";

const MIB = 1024 * 1024;
const GIB = 1024 * MIB;

/** Repeats `pattern` up to `size` bytes, compressed to about a thousandth. */
function packed(pattern: string, size: number): Buffer {
  const member = gzipSync(Buffer.alloc(16 * MIB, pattern), { level: 1 });
  return Buffer.concat(Array.from({ length: size / (16 * MIB) }, () => member));
}

test.for([
  ["zeros: one long line", "gzip", () => packed("\0", GIB)],
  ["zeros of zstd", "zstd", () => zstdZeros(GIB)],
  ["blank lines", "gzip", () => packed("\n", GIB)],
  ["short lines that are not events", "gzip", () => packed("x\n", GIB)],
  ["lines of open brackets", "gzip", () => packed(`${"[".repeat(8191)}\n`, GIB)],
  ["events", "gzip", () => packed(ndjson([accepted("bomb", "2025-06-02T12:00:00Z")]), GIB)],
] as const)("an import of 1 GiB of %s is rejected", async ([_, coding, make], { server, editor }) => {
  const { status, text } = await postEvents(server, editor, make(), {
    headers: { "content-encoding": coding },
  });
  expect([status, errorOf(text).reason]).toEqual([413, "REQUEST_TOO_LARGE"]);
});

test.for([
  ["empty objects", "{}\n"],
  ["one long line", "\0"],
] as const)(
  "an import of %s with the maximum size is read completely",
  async ([_, pattern], { server, editor }) => {
    const { status, text } = await postEvents(server, editor, packed(pattern, 64 * MIB), {
      headers: { "content-encoding": "gzip" },
    });
    expect([status, errorOf(text).reason]).toEqual([400, "INVALID_MESSAGE_EVENTS"]);
  },
);

it("imports of large compressed bodies use less than 1 GiB of memory", async ({ server, editor }) => {
  const { text } = await postEvents(server, editor, ndjson([accepted("after", "2025-06-02T12:00:00Z")]));
  expect(JSON.parse(text)).toEqual({ importedCount: "1" });
  const peak = /^VmHWM:\s+(\d+) kB$/m.exec(await readFile(`/proc/${server.process.pid}/status`, "utf8"));
  expect(Number(peak?.[1]) * 1024).toBeLessThan(GIB);
});
