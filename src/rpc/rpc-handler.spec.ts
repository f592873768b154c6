import { once } from "node:events";
import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import {
  type ClientHttp2Stream,
  connect,
  createServer as createHttp2Server,
  type ServerHttp2Stream,
} from "node:http2";
import type { AddressInfo, Server } from "node:net";
import { create, toBinary } from "@bufbuild/protobuf";
import { afterEach, expect, test } from "vitest";
import { EncodedBinary, enveloped } from "../api/encoded-response.js";
import { Health } from "../gen/health/v1/health_pb.js";
import type { Outcome } from "../http/request-record.js";
import { ResponseShares } from "../http/responses/response-shares.js";
import {
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

const rpc = new RpcHandler<string>({
  services: [
    {
      ...libraryImplementation,
      handlers: {
        ...libraryImplementation.handlers,
        getBook: async () => unwritable,
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

const EMPTY_MESSAGE = enveloped(new Uint8Array());

test("an error after the response has started is observed once with its cause", async () => {
  const port = await listen(
    createServer((incoming: IncomingMessage, response: ServerResponse) => rpc.handle(incoming, response)),
  );
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

test("an error after a response without a request object has started is observed once", async () => {
  const http2 = createHttp2Server();
  http2.on("stream", (stream: ServerHttp2Stream, headers, _flags, rawHeaders?: string[]) => {
    stream.on("error", () => {});
    rpc.take(stream, headers, rawHeaders ?? []);
  });
  const client = connect(`http://127.0.0.1:${await listen(http2)}`);
  const stream: ClientHttp2Stream = client.request({
    ":method": "POST",
    ":path": `/${LibraryService.typeName}/GetBook`,
    "content-type": "application/grpc",
  });
  stream.end(
    enveloped(toBinary(GetBookRequestSchema, create(GetBookRequestSchema, { name: "shelves/1/books/2" }))),
  );
  stream.resume();
  await expect(once(stream, "close")).rejects.toThrow("NGHTTP2_INTERNAL_ERROR");
  client.destroy();
  expect(outcomes).toMatchObject([
    { operation: "GetBook", status: 500, error: { reason: "INTERNAL_ERROR" } },
  ]);
});
