import { expect, it } from "vitest";
import { readBody, retryAfterMs } from "./responses.js";

const NOW = Date.parse("2025-03-03T20:00:00Z");

it.each([
  ["3", 3_000],
  ["Mon, 03 Mar 2025 20:00:09 GMT", 9_000],
  ["Mon, 03 Mar 2025 19:00:00 GMT", 0],
  ["soon", undefined],
])("retryAfterMs parses the header %j as %s ms", (text, expected) => {
  expect(retryAfterMs(new Headers({ "retry-after": text }), NOW)).toBe(expected);
});

it("retryAfterMs returns undefined without a Retry-After header", () => {
  expect(retryAfterMs(new Headers(), NOW)).toBeUndefined();
});

function endless(onCancel: () => void): ReadableStream {
  return new ReadableStream({ pull: (body) => body.enqueue(Buffer.from("ab")), cancel: onCancel });
}

it.each([
  ["", 3, "", true],
  ["abc", 3, "abc", true],
  ["abcd", 3, "abc", false],
])("readBody reads the body %j up to %i bytes", async (text, maxBytes, expected, isWhole) => {
  const body = await readBody(new Response(text), maxBytes);
  expect({ ...body, bytes: Buffer.from(body.bytes).toString() }).toEqual({ bytes: expected, isWhole });
});

it("readBody stops reading and closes the connection beyond the limit", async () => {
  let isCanceled = false;
  let pieces = 0;
  const response = new Response(endless(() => (isCanceled = true)));
  const { bytes, isWhole } = await readBody(response, 5, () => pieces++);
  expect([Buffer.from(bytes).toString(), isWhole, pieces, isCanceled]).toEqual(["ababa", false, 3, true]);
});
