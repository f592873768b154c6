import type { UniversalServerResponse } from "@connectrpc/connect/protocol";
import { createAsyncIterable } from "@connectrpc/connect/protocol";
import { expect, test } from "vitest";
import { EncodedBinary, EncodedJson } from "../../api/encoded-answer.js";
import { withEncoded } from "./encoded-response.js";

const EMPTY_FRAME = Buffer.alloc(5);
const TRAILERS = Buffer.from([0x80, 0, 0, 0, 1, 120]);
const MESSAGE = Buffer.from("message");
const FRAMED = Buffer.concat([Buffer.from([0, 0, 0, 0, MESSAGE.length]), MESSAGE]);

test.each([
  ["gRPC", new EncodedBinary(MESSAGE), true, [EMPTY_FRAME], FRAMED],
  ["gRPC with JSON", new EncodedJson(MESSAGE), true, [EMPTY_FRAME], FRAMED],
  ["gRPC-Web", new EncodedBinary(MESSAGE), true, [EMPTY_FRAME, TRAILERS], Buffer.concat([FRAMED, TRAILERS])],
  ["Connect", new EncodedBinary(MESSAGE), false, [Buffer.alloc(0)], MESSAGE],
  ["Connect with JSON", new EncodedJson(MESSAGE), false, [Buffer.from("{}")], MESSAGE],
])(
  "by %s, the message takes the place of the empty one",
  async (_protocol, message, framed, chunks, expected) => {
    const header = new Headers({ "content-type": "x" });
    const trailer = new Headers({ "grpc-status": "0" });
    const response = withEncoded(
      { status: 200, header, trailer, body: createAsyncIterable(chunks) },
      message,
      framed,
    );
    const bytes: Uint8Array[] = [];
    for await (const chunk of response.body as AsyncIterable<Uint8Array>) bytes.push(chunk);
    expect(Buffer.concat(bytes)).toEqual(expected);
    expect([response.status, response.trailer]).toEqual([200, trailer]);
    expect(response.header?.get("content-length")).toBe(framed ? null : String(MESSAGE.length));
  },
);

test("withEncoded returns a response without a body unchanged", () => {
  const response: UniversalServerResponse = { status: 415 };
  expect(withEncoded(response, new EncodedBinary(MESSAGE), true)).toBe(response);
});
