import { Code, ConnectError, createConnectRouter } from "@connectrpc/connect";
import {
  createAsyncIterable,
  encodeEnvelope,
  readAllBytes,
  type UniversalHandler,
  type UniversalServerRequest,
  type UniversalServerResponse,
} from "@connectrpc/connect/protocol";
import { describe, expect, it, test } from "vitest";
import { ApiError } from "../../api/api-error.js";
import { EncodedBinary, EncodedJson } from "../../api/encoded-response.js";
import { LibraryService } from "../../transcoding/testing/gen/waybill/testing/v1/library_pb.js";
import { connectError } from "../errors/connect-error.js";
import { readResponseError, withEncoded, withError } from "./replaced-response.js";

const THROWN = connectError(
  new ApiError({
    code: Code.Unavailable as number,
    reason: "TOO_BUSY",
    message: "Busy: 100%.",
    metadata: { a: "é" },
    violations: [{ field: "f", description: "is wrong" }],
    headers: { "retry-after": "7" },
  }),
  "d.test",
);

const handler = createConnectRouter().rpc(LibraryService.method.getBook, () => {
  throw THROWN;
}).handlers[0] as UniversalHandler;

const call = (type: string, body: Uint8Array): Promise<UniversalServerResponse> => {
  const request: UniversalServerRequest = {
    httpVersion: "2.0",
    method: "POST",
    url: `https://library.test${handler.requestPath}`,
    header: new Headers({ "content-type": type }),
    body: createAsyncIterable([body]),
    signal: new AbortController().signal,
  } as UniversalServerRequest;
  return handler(request);
};

async function partsOf({ status, header, body, trailer }: UniversalServerResponse) {
  const bytes = await readAllBytes((body ?? []) as AsyncIterable<Uint8Array>, Number.MAX_SAFE_INTEGER);
  const trailers = Object.fromEntries(trailer ?? []);
  return { status, headers: Object.fromEntries(header ?? []), body: Buffer.from(bytes).toString(), trailers };
}

const EMPTY = new Uint8Array();
const MALFORMED = Uint8Array.of(0xff);

describe.each([
  ["grpc", "application/grpc+proto", encodeEnvelope(0, EMPTY), encodeEnvelope(0, MALFORMED)],
  ["grpc", "application/grpc+json", encodeEnvelope(0, Buffer.from("{}")), encodeEnvelope(0, MALFORMED)],
  ["grpc-web", "application/grpc-web+proto", encodeEnvelope(0, EMPTY), encodeEnvelope(0, MALFORMED)],
  ["connect", "application/proto", EMPTY, MALFORMED],
  ["connect", "application/json", Buffer.from("{}"), MALFORMED],
] as const)("a response by %s with %s", (protocol, type, valid, malformed) => {
  it("reads the error that Connect found in the request", async () => {
    const error = await readResponseError(await call(type, malformed), protocol);
    expect(error).toBeInstanceOf(ConnectError);
    expect([Code.InvalidArgument, Code.Internal]).toContain(error.code);
    expect(error.rawMessage).not.toBe("");
  });

  it("contains the replacement error, as if a handler had thrown it", async () => {
    const replaced = withError(await call(type, malformed), THROWN, protocol);
    expect(await partsOf(replaced)).toEqual(await partsOf(await call(type, valid)));
  });
});

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
  "withEncoded replaces the empty message of a response by %s",
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
