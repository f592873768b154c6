import { ok } from "node:assert/strict";
import {
  END_HEADERS,
  END_STREAM,
  FRAME,
  fieldBlock,
  frame,
  isPong,
  PING,
  RawConnection,
} from "../../test/support/http/http2-frames.js";
import type { FuzzTarget } from "../engine/fuzz-target.js";
import { FuzzedServer } from "../support/fuzzed-server.js";

/** Milliseconds after which an input that prevents the response to a ping counts as incomplete. */
const SILENCE_MS = 50;

/** Flags of a request without a body. */
const WHOLE = END_HEADERS | END_STREAM;
const GET_HEAD = { ":method": "GET", ":path": "/v1/projects/test-project/apps/a/appAttestConfig" };
const POST_HEAD = { ":method": "POST", ":path": "/waybill.integrity.v1.IntegrityService/GetAppAttestConfig" };
const GRPC_HEAD = { ...POST_HEAD, "content-type": "application/grpc", te: "trailers" };

let server: FuzzedServer;

/**
 * A frame within an input: one byte each for type, flags, stream and size, then the payload. A type over 127
 * inserts raw bytes instead.
 */
function record(type: number, flags: number, stream: number, payload: Uint8Array = Buffer.alloc(0)): Buffer {
  return Buffer.concat([Buffer.of(type, flags, stream, payload.length), payload]);
}

const head = (stream: number, fields: Readonly<Record<string, string>>, flags: number): Buffer =>
  record(FRAME.headers, flags, stream, fieldBlock({ ":scheme": "http", ":authority": "x", ...fields }));

/** No HTTP/2 frames keep the server from serving other clients. The first byte selects the listener. */
export const http2Frames: FuzzTarget = {
  name: "http2-frames",
  boundedInputs: 60,
  maxBytes: 16_384,
  remote: true,
  seeds: [
    [head(1, GET_HEAD, WHOLE)],
    [head(1, GRPC_HEAD, END_HEADERS), record(FRAME.data, END_STREAM, 1, Buffer.alloc(5))],
    [head(1, GRPC_HEAD, END_HEADERS), record(FRAME.data, END_STREAM, 1)],
    [head(1, POST_HEAD, END_HEADERS), record(FRAME.resetStream, 0, 1, Buffer.alloc(4))],
    [head(1, GET_HEAD, WHOLE), head(3, GET_HEAD, WHOLE), head(1, GET_HEAD, WHOLE)],
    [record(FRAME.settings, 0, 0, Buffer.from("000400000000000500004000", "hex"))],
    [record(FRAME.windowUpdate, 0, 0, Buffer.from("7fffffff", "hex")), head(1, GET_HEAD, WHOLE)],
    [record(FRAME.goAway, 0, 0, Buffer.alloc(8))],
    [head(1, GET_HEAD, 0), record(FRAME.continuation, END_HEADERS, 1, Buffer.of(0x82))],
    [record(FRAME.data, 0, 5, Buffer.from("x")), record(FRAME.ping, 0, 0, Buffer.alloc(8))],
    [
      head(1, { ...GET_HEAD, connection: "close", "A B": "\r\n" }, WHOLE),
      record(200, 0, 0, Buffer.from("garbage")),
    ],
  ].map((records) => Buffer.concat([Buffer.from("0"), ...records])),
  words: [
    ...["\x01\x05\x01\x03\x82\x84\x86", "\0\x01\x01\0", "\x04\0\0\0", "\x04\x01\0\0"],
    ...["\x03\0\x01\x04\0\0\0\0", "\x82\x84\x86", "\x7f\xff\xff\xff"],
  ],
  async start() {
    server = await FuzzedServer.open();
  },
  stop: () => server.close(),
  async run(input) {
    const connection = new RawConnection(server.urlOf((input[0] ?? 0) % 3));
    await connection.open();
    await connection.send(...framesOf(input.subarray(1)), PING);
    const silence = setTimeout(() => connection.socket.destroy(), SILENCE_MS);
    await connection.next(isPong);
    clearTimeout(silence);
    connection.socket.destroy();
    ok(!/"status":"INTERNAL"/.test(connection.text), connection.text.slice(-500));
    await server.check();
  },
};

/** An input's frames, with correct lengths. */
function framesOf(input: Buffer): Buffer[] {
  const frames: Buffer[] = [];
  for (let at = 0; at + 4 <= input.length; ) {
    const [type = 0, flags = 0, stream = 0, size = 0] = input.subarray(at, at + 4);
    const payload = input.subarray(at + 4, at + 4 + size);
    frames.push(type > 127 ? payload : frame(type, flags, stream, payload));
    at += 4 + size;
  }
  return frames;
}
