import { afterAll, describe, expect } from "vitest";
import {
  END_HEADERS,
  END_STREAM,
  FRAME,
  fieldBlock,
  frame,
  RawConnection,
  requestHead,
} from "../support/http/http2-frames.js";
import { it, test } from "../support/servers/process-fixtures.js";
import { promptStop } from "../support/servers/prompt-stop.js";

const connections: RawConnection[] = [];

afterAll(() => {
  for (const { socket } of connections) socket.destroy();
});

/** Ways to end a request without a body on stream 1. */
const ENDS: Readonly<Record<string, readonly Buffer[]>> = {
  "an empty DATA frame": [frame(FRAME.data, END_STREAM, 1)],
  "several empty DATA frames": [
    frame(FRAME.data, 0, 1),
    frame(FRAME.data, 0, 1),
    frame(FRAME.data, END_STREAM, 1),
  ],
  trailers: [frame(FRAME.headers, END_HEADERS | END_STREAM, 1, fieldBlock({ x: "y" }))],
  "its head": [],
};

describe.each([
  ["gRPC", "application/grpc", "/waybill.integrity.v1.IntegrityService/GetAppAttestConfig"],
  ["gRPC-Web", "application/grpc-web+proto", "/waybill.integrity.v1.IntegrityService/GetAppAttestConfig"],
  ["Connect", "application/proto", "/waybill.integrity.v1.IntegrityService/GetAppAttestConfig"],
  ["a stream of gRPC", "application/grpc", "/grpc.reflection.v1.ServerReflection/ServerReflectionInfo"],
])("a call by %s without a body gets its response when its stream ends with", (_name, type, path) => {
  test.for(Object.entries(ENDS))("%s", async ([_end, frames], { server, editor }) => {
    const connection = new RawConnection(server.integrityUrl);
    connections.push(connection);
    await connection.open();
    const flags = frames.length === 0 ? END_HEADERS | END_STREAM : END_HEADERS;
    const fields = {
      ":method": "POST",
      ":path": path,
      "content-type": type,
      authorization: `Bearer ${editor}`,
    };
    await connection.send(Buffer.concat([requestHead(1, fields, flags), ...frames]));
    const ended = await connection.next(({ stream, flags }) => stream === 1 && (flags & END_STREAM) !== 0);
    expect(ended).toBeDefined();
  });
});

it("calls without a body do not prevent the server from stopping", async ({ server }) => {
  expect(await promptStop(server)).toBe(0);
});
