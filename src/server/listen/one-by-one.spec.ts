import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { afterEach, expect, test } from "vitest";
import { MAX_PIPELINED } from "../../limits/limits.js";
import { oneByOne } from "./one-by-one.js";

/** More than the system buffers for a client that does not read. */
const LARGE = Buffer.alloc(32_000_000, "x");
const MARK = Buffer.from("the end");

let server: Server;
/** Paths of the requests handed on, in order. */
let begun: string[];

async function serve(answer: (request: IncomingMessage, response: ServerResponse) => void): Promise<Socket> {
  begun = [];
  const handle = oneByOne((request, response) => {
    begun.push(request.url ?? "");
    answer(request, response);
  });
  server = createServer(handle).listen(0, "127.0.0.1");
  await once(server, "listening");
  const socket = connect((server.address() as AddressInfo).port, "127.0.0.1");
  socket.on("error", () => {});
  return socket;
}

afterEach(() => {
  server.closeAllConnections();
  server.close();
});

const requests = (count: number): string =>
  Array.from({ length: count }, (_, index) => `GET /${index + 1} HTTP/1.1\r\nHost: x\r\n\r\n`).join("");

const turns = async (count: number): Promise<void> => {
  for (let turn = 0; turn < count; turn++) await new Promise((resolve) => setImmediate(resolve));
};

test("starts a pipelined request when the client has taken the previous answer", async () => {
  const socket = await serve((_request, response) => {
    response.write(LARGE);
    response.end(MARK);
  });
  socket.write(requests(3));
  await once(server, "request");
  await turns(100);
  expect(begun).toEqual(["/1"]);
  let seen = 0;
  let tail = "";
  const read = new Promise<void>((resolve) => {
    socket.on("data", (chunk: Buffer) => {
      seen += (tail + chunk.toString("latin1")).split(MARK.toString()).length - 1;
      tail = chunk.subarray(-MARK.length + 1).toString("latin1");
      if (seen === 3) resolve();
    });
  });
  await read;
  expect(begun).toEqual(["/1", "/2", "/3"]);
});

test("answers pipelined requests in order behind a slow answer", async () => {
  const socket = await serve(({ url }, response) => void setTimeout(() => response.end(`(${url})`), 5));
  socket.write(requests(5));
  let text = "";
  for await (const chunk of socket) {
    text += chunk;
    if (text.includes("(/5)")) break;
  }
  expect([...text.matchAll(/\((.*?)\)/g)].map(([, url]) => url)).toEqual(["/1", "/2", "/3", "/4", "/5"]);
});

test("closes a connection with too many pipelined requests", async () => {
  const socket = await serve(() => {});
  socket.write(requests(MAX_PIPELINED + 2));
  await once(socket, "close");
  expect(begun).toEqual(["/1"]);
});

test("answers all pipelined requests up to the limit", async () => {
  const socket = await serve((_request, response) => response.end("."));
  socket.write(requests(MAX_PIPELINED + 1));
  let answers = 0;
  for await (const chunk of socket) {
    answers += String(chunk).split("HTTP/1.1 200").length - 1;
    if (answers > MAX_PIPELINED) break;
  }
  expect(begun).toHaveLength(MAX_PIPELINED + 1);
});
