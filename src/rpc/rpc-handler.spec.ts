import { once } from "node:events";
import { createServer, type IncomingMessage, request } from "node:http";
import {
  type ClientHttp2Stream,
  connect,
  createServer as createHttp2Server,
  type IncomingHttpHeaders,
  type ServerHttp2Stream,
  sensitiveHeaders,
} from "node:http2";
import type { AddressInfo, Server } from "node:net";
import { create, toBinary } from "@bufbuild/protobuf";
import { createClient } from "@connectrpc/connect";
import { createConnectTransport, createGrpcWebTransport } from "@connectrpc/connect-node";
import { afterEach, expect, onTestFinished, test } from "vitest";
import { EncodedBinary, enveloped } from "../api/encoded-response.js";
import { Health } from "../gen/health/v1/health_pb.js";
import type { Outcome } from "../http/request-record.js";
import { ResponseShares } from "../http/responses/response-shares.js";
import {
  type Book,
  BookSchema,
  GetBookRequestSchema,
  LibraryService,
} from "../transcoding/testing/gen/waybill/testing/v1/library_pb.js";
import { libraryImplementation } from "../transcoding/testing/library.js";
import { OpenStreams } from "./open/open-streams.js";
import { RpcHandler } from "./rpc-handler.js";

const outcomes: Outcome<string>[] = [];
let server: Server;

afterEach(() => {
  outcomes.length = 0;
  server.close();
});

/** A response message that fails when it is written. */
const unwritable = Object.assign(new EncodedBinary(Buffer.alloc(0)), { enveloped: { length: 1 } as Buffer });

/** A response message that fails when it is encoded. */
const unencodable = Object.assign(create(BookSchema), { title: 5, pages: "many" }) as unknown as Book;

const rpc = new RpcHandler<string>({
  services: [
    {
      ...libraryImplementation,
      handlers: {
        ...libraryImplementation.handlers,
        getBook: async () => unwritable,
        lockBook: async () => unencodable,
      },
    },
  ],
  errorDomain: "library.test",
  authorize: () => () => "anyone",
  budgetKeyOf: (caller) => caller,
  shares: new ResponseShares(),
  openStreams: new OpenStreams({ ofConnection: 9, ofAddress: 9, inAll: 9, milliseconds: 60_000 }),
  open: (router) =>
    router.service(Health, {
      async *watch(_, { responseTrailer }) {
        yield {};
        // Fails when the trailers are sent.
        responseTrailer.set("x-control", "\u0001");
      },
    }),
  newRequestId: () => "1",
  observe: (outcome) => outcomes.push(outcome),
});

/** Starts a server. @returns its port. */
async function listen(started: Server): Promise<number> {
  server = started.listen(0, "127.0.0.1");
  await once(server, "listening");
  return (server.address() as AddressInfo).port;
}

const listenForHttp1 = (): Promise<number> =>
  listen(createServer((incoming, response) => rpc.handle(incoming, response)));

const BOOK_2 = toBinary(GetBookRequestSchema, create(GetBookRequestSchema, { name: "shelves/1/books/2" }));
const EMPTY_MESSAGE = enveloped(new Uint8Array());

test("an error after the response has started is observed once with its cause", async () => {
  const port = await listenForHttp1();
  const call = request({
    port,
    host: "127.0.0.1",
    method: "POST",
    path: `/${Health.typeName}/Watch`,
    headers: { "content-type": "application/grpc" },
  });
  call.end(EMPTY_MESSAGE);
  const [response] = (await once(call, "response")) as [IncomingMessage];
  await expect(response.toArray()).rejects.toThrow("aborted");
  expect(outcomes).toMatchObject([
    {
      operation: "Watch",
      status: 500,
      error: { reason: "INTERNAL_ERROR", cause: { code: "ERR_INVALID_CHAR" } },
    },
  ]);
});

/** Starts a unary gRPC call that is handled without a request object. */
async function callPlainGrpc(method: string, message: Uint8Array): Promise<ClientHttp2Stream> {
  const http2 = createHttp2Server();
  http2.on("stream", (stream: ServerHttp2Stream, headers, _flags, rawHeaders?: string[]) => {
    stream.on("error", () => {});
    rpc.take(stream, headers, rawHeaders ?? []);
  });
  const client = connect(`http://127.0.0.1:${await listen(http2)}`);
  onTestFinished(() => client.destroy());
  const stream = client.request({
    ":method": "POST",
    ":path": `/${LibraryService.typeName}/${method}`,
    "content-type": "application/grpc",
  });
  stream.end(enveloped(message));
  return stream.resume();
}

test("the request id of a gRPC response does not enter the connection's table of repeated headers", async () => {
  const stream = await callPlainGrpc("SearchBooks", new Uint8Array());
  const [headers] = (await once(stream, "response")) as [IncomingHttpHeaders];
  expect(headers).toMatchObject({ "x-request-id": "1", [sensitiveHeaders]: ["x-request-id"] });
});

test("an error after a response without a request object has started is observed once", async () => {
  const stream = await callPlainGrpc("GetBook", BOOK_2);
  await expect(once(stream, "close")).rejects.toThrow("NGHTTP2_INTERNAL_ERROR");
  expect(outcomes).toMatchObject([
    { operation: "GetBook", status: 500, error: { reason: "INTERNAL_ERROR" } },
  ]);
});

test.each([
  ["connect", "application/proto", BOOK_2],
  ["connect", "application/json", Buffer.from('{"name":"shelves/1/books/2"}')],
  ["grpc-web", "application/grpc-web+proto", enveloped(BOOK_2)],
] as const)(
  "a response by %s in %s that cannot be encoded is an internal error",
  async (protocol, type, body) => {
    const port = await listenForHttp1();
    const response = await fetch(`http://127.0.0.1:${port}/${LibraryService.typeName}/LockBook`, {
      method: "POST",
      headers: { "content-type": type },
      body,
    });
    const text = (await response.text()).replaceAll("%20", " ");
    expect(text).toContain("Report request id 1 to the operator");
    expect(text).not.toContain("Book");
    expect(outcomes).toMatchObject([
      {
        protocol,
        status: 500,
        error: { reason: "INTERNAL_ERROR", cause: { message: expect.stringContaining("testing.v1.Book") } },
      },
    ]);
  },
);

test.each([
  ["Connect", createConnectTransport, true],
  ["Connect in JSON", createConnectTransport, false],
  ["gRPC-Web", createGrpcWebTransport, true],
  ["gRPC-Web in JSON", createGrpcWebTransport, false],
] as const)("a streaming method responds by %s", async (_, createTransport, useBinaryFormat) => {
  const port = await listenForHttp1();
  const baseUrl = `http://127.0.0.1:${port}`;
  const client = createClient(
    LibraryService,
    createTransport({ baseUrl, httpVersion: "1.1", useBinaryFormat }),
  );
  async function* parts() {
    for (const text of ["first", "second"])
      yield { name: "shelves/1/books/2", pages: { contentType: "text/x", data: Buffer.from(text) } };
  }
  expect(await client.uploadPages(parts())).toMatchObject({ name: "shelves/1/books/2", byteCount: 11n });
});
