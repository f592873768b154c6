import { once } from "node:events";
import { connect } from "node:net";
import { gzipSync } from "node:zlib";
import { create, toBinary } from "@bufbuild/protobuf";
import { describe, expect } from "vitest";
import { ImportMessageEventsRequestSchema } from "../../src/gen/waybill/messagingdata/v1beta1/messaging_data_pb.js";
import { rawExchange } from "../../src/http/testing/raw-exchange.js";
import { accepted } from "../support/data/delivery-data.js";
import { entriesOf, entriesOnceThey, importInto, ndjson, postEvents } from "../support/data/import.js";
import { envelope } from "../support/http/calls.js";
import {
  END_HEADERS,
  FRAME,
  frame,
  isPong,
  PING,
  RawConnection,
  requestHead,
} from "../support/http/http2-frames.js";
import { poll } from "../support/poll.js";
import { test as serving } from "../support/servers/fixtures.js";
import { BASE_CONFIG, PROJECT } from "../support/servers/project.js";

const NOON = "2025-06-02T12:00:00-07:00";

serving.override("config", { ...BASE_CONFIG, messagingData: { import: { maxConcurrent: 1 } } });
const test = serving
  .extend(
    "head",
    ({ editor }) =>
      (...headers: string[]): string =>
        [
          `POST ${importInto()} HTTP/1.1`,
          "Host: x",
          `Authorization: Bearer ${editor}`,
          "Content-Type: application/x-ndjson",
          ...headers,
          "",
          "",
        ].join("\r\n"),
  )
  /** Number of imports logged with a disconnected client's status. */
  .extend(
    "abandoned",
    ({ server }) =>
      (): number =>
        server.log().match(/"operation":"ImportMessageEvents".*"status":499/g)?.length ?? 0,
  );

const LINES = Buffer.from(ndjson(Array.from({ length: 2000 }, () => accepted("cut", NOON))));
const PACKED = gzipSync(LINES);

const chunk = (bytes: Buffer): Buffer =>
  Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from("\r\n")]);

test.for([
  ["in its middle", [`Content-Length: ${LINES.length}`], LINES.subarray(0, 100_000)],
  ["before its first byte", [`Content-Length: ${LINES.length}`], Buffer.alloc(0)],
  ["one byte too early", [`Content-Length: ${LINES.length + 1}`], LINES],
  ["between chunks", ["Transfer-Encoding: chunked"], chunk(LINES)],
  ["within a chunk", ["Transfer-Encoding: chunked"], chunk(LINES).subarray(0, 50_000)],
  [
    "within gzip",
    ["Content-Encoding: gzip", `Content-Length: ${PACKED.length}`],
    PACKED.subarray(0, PACKED.length - 20),
  ],
  ["after complete gzip data", ["Content-Encoding: gzip", `Content-Length: ${PACKED.length + 1}`], PACKED],
] as const)(
  "an import with a connection that ends %s leaves nothing behind",
  async ([_, headers, bytes], { server, abandoned, head }) => {
    const before = abandoned();
    const { hostname, port } = new URL(server.messagingDataUrl);
    const socket = connect({ host: hostname, port: Number(port) });
    socket.write(head(...headers, "Expect: 100-continue"));
    await once(socket, "data");
    await new Promise((resolve) => socket.write(bytes, resolve));
    socket.destroy();
    expect(
      await poll(
        () => abandoned(),
        (count) => count > before,
      ),
    ).toBe(before + 1);
  },
);

describe("an import on an HTTP/2 stream", () => {
  const METHOD = "/waybill.messagingdata.v1beta1.MessagingDataService/ImportMessageEvents";
  // As much as one frame holds.
  const lines = Buffer.from(ndjson(Array.from({ length: 80 }, () => accepted("cut", NOON))));
  const events = { contentType: "application/x-ndjson", data: lines };
  const request = create(ImportMessageEventsRequestSchema, { parent: `projects/${PROJECT.id}`, events });
  const message = envelope(toBinary(ImportMessageEventsRequestSchema, request));

  // Cuts after complete data, so that only the stream's end is absent.
  describe.each([
    ["HTTP/JSON", importInto(), "application/x-ndjson", lines],
    ["gRPC", METHOD, "application/grpc", message],
    ["gRPC-Web", METHOD, "application/grpc-web+proto", message],
    ["Connect", METHOD, "application/connect+proto", message],
  ])("by %s", (_protocol, path, type, bytes) => {
    const CANCEL = Buffer.from([0, 0, 0, 8]);
    const NO_ERROR = Buffer.alloc(4);

    test.for<[name: string, cut: (connection: RawConnection) => unknown]>([
      ["is cancelled", (connection) => connection.send(frame(FRAME.resetStream, 0, 1, CANCEL))],
      ["ends without an error", (connection) => connection.send(frame(FRAME.resetStream, 0, 1, NO_ERROR))],
      ["loses its connection", ({ socket }) => socket.end()],
      ["has its connection reset", ({ socket }) => socket.resetAndDestroy()],
    ])("that %s leaves nothing behind", async ([_name, cut], { server, editor, abandoned }) => {
      const before = abandoned();
      const connection = new RawConnection(server.messagingDataUrl);
      await connection.open();
      const fields = {
        ":method": "POST",
        ":path": path,
        "content-type": type,
        authorization: `Bearer ${editor}`,
      };
      await connection.send(requestHead(1, fields, END_HEADERS), frame(FRAME.data, 0, 1, bytes), PING);
      // The pong shows that the server has received everything before.
      await connection.next(isPong);
      await cut(connection);
      const counted = await poll(abandoned, (count) => count > before);
      expect(counted).toBe(before + 1);
      connection.socket.destroy();
    });
  });
});

test("an import is rejected if its body is longer than its Content-Length", async ({ server, head }) => {
  const responses = await rawExchange(
    server.messagingDataUrl,
    head(`Content-Length: ${LINES.length - 30}`, "Connection: keep-alive"),
    LINES,
  );
  // The rest is not a valid request, and the server may respond to that first.
  expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([400]));
});

test("imports that were cut short are not stored, and the next import succeeds", async ({
  server,
  editor,
}) => {
  const next = () => postEvents(server, editor, ndjson([accepted("next", NOON)]));
  expect((await poll(next, ({ status }) => status === 200)).status).toBe(200);
  await entriesOnceThey(server, editor, "next", ({ length }) => length === 1);
  expect(await entriesOf(server, editor, "cut")).toEqual([]);
});
