import { once } from "node:events";
import {
  createServer,
  type IncomingMessage,
  type Server,
  type ServerOptions,
  type ServerResponse,
} from "node:http";
import type { ServerHttp2Stream } from "node:http2";
import { type AddressInfo, connect, type Socket } from "node:net";
import { afterEach, describe, expect, it, onTestFinished, test } from "vitest";
import {
  END_HEADERS,
  END_STREAM,
  FRAME,
  fieldBlock,
  frame,
  ofType,
  PING,
  PREFACE,
  RawConnection,
  requestHead,
  SETTINGS,
} from "../../../test/support/http/http2-frames.js";
import { poll } from "../../../test/support/poll.js";
import { MAX_PIPELINED } from "../../limits/request-limits.js";
import type { TimeLimits } from "./http2-limits.js";
import { oneByOne, type SharedPort, sharedPort } from "./shared-port.js";

const PATIENT: TimeLimits = { head: 60_000, request: 60_000, idle: 60_000 };
const SHORT = 50;

let port: SharedPort;
let url: string;
/** Streams that were passed on, by stream id. */
const streams = new Map<number, ServerHttp2Stream>();

/** Starts a server that responds with the request's HTTP version. */
async function serve(limits: Partial<TimeLimits> = {}, http: ServerOptions = {}): Promise<void> {
  streams.clear();
  port = sharedPort({
    http,
    limits: { ...PATIENT, ...limits },
    handler: (request, response) => {
      request.resume();
      if (request.url !== "/never") response.end(`HTTP/${request.httpVersion}\n`);
    },
    take: (stream) => {
      streams.set(stream.id ?? 0, stream);
      return false;
    },
  });
  port.server.listen(0, "127.0.0.1");
  await once(port.server, "listening");
  url = `http://127.0.0.1:${(port.server.address() as AddressInfo).port}`;
  const { server, closeSessions, connections } = port;
  onTestFinished(async () => {
    const closed = once(server, "close");
    server.close();
    closeSessions();
    connections.cut();
    await closed;
  });
}

const head = (stream: number, path: string, flags = END_HEADERS | END_STREAM): Buffer =>
  requestHead(stream, { ":method": "POST", ":path": path }, flags);

/** Opens a client that keeps its side open when the server closes its own. */
function halfOpenSocket(): Socket {
  const { hostname: host, port: number } = new URL(url);
  const socket = connect({ host, port: Number(number), allowHalfOpen: true });
  socket.on("error", () => {});
  return socket.resume();
}

describe("a shared port recognizes the HTTP version", () => {
  const HTTP1 = "POST / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n";
  const HTTP2 = Buffer.concat([Buffer.from(PREFACE), SETTINGS, head(1, "/")]);

  test.each([
    ["1.1", "at once", [HTTP1]],
    ["1.1", "byte by byte", [...HTTP1]],
    ["1.1", "between P and the rest", ["P", HTTP1.slice(1)]],
    ["2.0", "at once", [HTTP2]],
    ["2.0", "byte by byte", [...HTTP2].map((byte) => Buffer.from([byte]))],
    ["2.0", "within the preface", [HTTP2.subarray(0, 3), HTTP2.subarray(3, 20), HTTP2.subarray(20)]],
  ])("as %s from bytes that arrive %s", async (version, _how, parts) => {
    await serve();
    const connection = new RawConnection(url);
    connection.socket.setNoDelay(true);
    for (const part of parts) await connection.send(part);
    if (version === "1.1") await connection.closed;
    else await connection.next(ofType(FRAME.data, 1));
    expect(connection.text).toContain(`HTTP/${version}\n`);
  });
});

describe("a shared port closes a connection if a client stalls:", () => {
  test.each<[name: string, limit: keyof TimeLimits, sent: (string | Buffer)[]]>([
    ["no bytes", "head", []],
    ["half a preface", "head", ["PR"]],
    ["a preface only", "head", [PREFACE]],
    ["a preface and settings only", "head", [PREFACE, SETTINGS]],
    ["no more requests", "idle", [PREFACE, SETTINGS, head(1, "/")]],
  ])("%s", async (_name, limit, sent) => {
    await serve({ [limit]: SHORT });
    const socket = halfOpenSocket();
    for (const part of sent) socket.write(part);
    await once(socket, "end");
    socket.destroy();
  });

  it("within a request head that never ends", async () => {
    await serve({ head: SHORT });
    const connection = new RawConnection(url);
    await connection.open();
    // The head lacks END_HEADERS; its continuation arrives byte by byte.
    await connection.send(head(1, "/", 0));
    const rest = frame(FRAME.continuation, END_HEADERS, 1, fieldBlock({ a: "b".repeat(10_000) }));
    let sent = 0;
    const trickle = setInterval(() => connection.socket.write(rest.subarray(sent, ++sent)), SHORT / 5);
    await connection.closed;
    clearInterval(trickle);
  });

  it("but not if the connection has a long call in progress", async () => {
    const idle = 10 * SHORT;
    await serve({ idle });
    const connection = new RawConnection(url);
    // Sent immediately: a slow client's connection would be idle before its call.
    await connection.send(
      Buffer.concat([PREFACE, SETTINGS, head(1, "/never")].map((part) => Buffer.from(part))),
    );
    for (let sent = 0; sent < 4; sent++) {
      await connection.send(PING);
      await connection.next(ofType(FRAME.ping));
      await new Promise((resolve) => setTimeout(resolve, idle / 2));
    }
    expect(streams.get(1)?.closed).toBe(false);
  });

  it("within a request body that never ends, while other requests continue", async () => {
    await serve({ request: SHORT });
    const connection = new RawConnection(url);
    await connection.open();
    await connection.send(head(1, "/never", END_HEADERS), frame(FRAME.data, 0, 1, Buffer.from("x")));
    await connection.next(ofType(FRAME.resetStream, 1));
    expect(streams.get(1)?.aborted).toBe(true);
    await connection.send(head(3, "/"));
    await connection.next(ofType(FRAME.data, 3));
    expect(connection.text).toContain("HTTP/2.0\n");
  });

  it("within an HTTP/1.1 request head that never ends", async () => {
    await serve({}, { headersTimeout: SHORT, requestTimeout: 2 * SHORT, connectionsCheckingInterval: 10 });
    const connection = new RawConnection(url);
    await connection.send("GET / HTTP/1.1\r\nHost: x\r\n");
    await connection.closed;
    expect(connection.text).toContain("408 Request Timeout");
  });
});

describe("a shared port sends GOAWAY to an HTTP/2 client that breaks the protocol:", () => {
  const data = (stream: number) => frame(FRAME.data, 0, stream, Buffer.from("x"));
  const tooLong = frame(FRAME.data, 0, 1);
  tooLong.fill(255, 0, 3);

  test.each<[name: string, ...bytes: Buffer[]]>([
    ["no settings", head(1, "/")],
    ["garbage behind the preface", Buffer.alloc(64, "garbage")],
    ["a frame of 16 MiB", SETTINGS, tooLong],
    ["data of no stream", SETTINGS, data(0)],
    ["data for an unknown stream", SETTINGS, data(1)],
    ["a head on a stream of the server's", SETTINGS, head(2, "/")],
    ["a head that is not HPACK", SETTINGS, frame(FRAME.headers, END_HEADERS, 1, Buffer.alloc(6, 255))],
    ["a ping of three bytes", SETTINGS, frame(FRAME.ping, 0, 0, Buffer.alloc(3))],
    ["settings of a stream", SETTINGS, frame(FRAME.settings, 0, 1)],
    [
      "a window that is too large",
      SETTINGS,
      frame(FRAME.windowUpdate, 0, 0, Buffer.from([0x7f, 0xff, 0xff, 0xff])),
    ],
    ["another frame between two pieces of a head", SETTINGS, head(1, "/", 0), PING],
    [
      "a flood of pieces of a head",
      SETTINGS,
      head(1, "/", 0),
      Buffer.concat(
        Array.from({ length: 100 }, () =>
          frame(FRAME.continuation, 0, 1, fieldBlock({ a: "b".repeat(10_000) })),
        ),
      ),
    ],
  ])("%s", async (_name, ...bytes) => {
    await serve({ head: 6 * SHORT });
    const connection = new RawConnection(url);
    await connection.send(PREFACE, ...bytes);
    const goAway = await connection.next(ofType(FRAME.goAway));
    expect(goAway?.payload.readUInt32BE(4)).toBeGreaterThan(0);
    await connection.closed;
  });
});

test("a shared port closes a connection when the HTTP/2 client closes its side", async () => {
  await serve();
  const connection = new RawConnection(url);
  await connection.open();
  await connection.send(head(1, "/never"), head(3, "/never"));
  connection.socket.end();
  await connection.closed;
});

test("a shared port closes an HTTP/2 connection even if the client keeps its side open", async () => {
  await serve();
  const socket = halfOpenSocket();
  socket.write(Buffer.concat([Buffer.from(PREFACE), SETTINGS, head(1, "/")]));
  await once(socket, "data");
  const closed = once(port.server, "close");
  port.server.close();
  port.closeSessions();
  await closed;
  socket.destroy();
  await serve();
});

describe("while it drains connections, a shared port", () => {
  const KEPT = "GET / HTTP/1.1\r\nHost: x\r\n\r\n";

  it("closes an HTTP/1.1 connection after its next response, even a new connection", async () => {
    await serve();
    const kept = new RawConnection(url);
    await kept.send(KEPT);
    await once(kept.socket, "data");
    port.drain();
    for (const connection of [kept, new RawConnection(url)]) {
      await connection.send(KEPT);
      await connection.closed;
      expect(connection.text.toLowerCase()).toContain("connection: close");
      expect(connection.text.endsWith("HTTP/1.1\n")).toBe(true);
    }
  });

  it("sends GOAWAY on an HTTP/2 connection, and ends after the streams in progress", async () => {
    await serve();
    const connection = new RawConnection(url);
    await connection.open();
    await connection.send(head(1, "/never"));
    await poll(() => streams.get(1));
    port.drain();
    await connection.next(ofType(FRAME.goAway));
    streams.get(1)?.end("late");
    await connection.closed;
    expect(connection.text).toContain("late");
  });

  it("serves the first stream of a new HTTP/2 connection, and then sends GOAWAY", async () => {
    await serve();
    port.drain();
    const connection = new RawConnection(url);
    await connection.open();
    await connection.send(head(1, "/"));
    await connection.next(ofType(FRAME.goAway));
    await connection.closed;
    expect(connection.text).toContain("HTTP/2.0\n");
  });
});

describe("pipelined requests", () => {
  /** More than the system buffers for a client that does not read. */
  const LARGE = Buffer.alloc(32_000_000, "x");
  const MARK = Buffer.from("the end");

  let server: Server;
  /** Paths of the requests that were passed on, in order. */
  let begun: string[];

  async function serve(
    respond: (request: IncomingMessage, response: ServerResponse) => void,
  ): Promise<Socket> {
    begun = [];
    const handle = oneByOne((request, response) => {
      begun.push(request.url ?? "");
      respond(request, response);
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

  it("start when the client has received the previous response", async () => {
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

  it("get their responses in order after a slow response", async () => {
    const socket = await serve(({ url }, response) => void setTimeout(() => response.end(`(${url})`), 5));
    socket.write(requests(5));
    let text = "";
    for await (const chunk of socket) {
      text += chunk;
      if (text.includes("(/5)")) break;
    }
    expect([...text.matchAll(/\((.*?)\)/g)].map(([, url]) => url)).toEqual(["/1", "/2", "/3", "/4", "/5"]);
  });

  it("close the connection if there are too many", async () => {
    const socket = await serve(() => {});
    socket.write(requests(MAX_PIPELINED + 2));
    await once(socket, "close");
    expect(begun).toEqual(["/1"]);
  });

  it("all get a response if their number is within the limit", async () => {
    const socket = await serve((_request, response) => response.end("."));
    socket.write(requests(MAX_PIPELINED + 1));
    let responses = 0;
    for await (const chunk of socket) {
      responses += String(chunk).split("HTTP/1.1 200").length - 1;
      if (responses > MAX_PIPELINED) break;
    }
    expect(begun).toHaveLength(MAX_PIPELINED + 1);
  });
});
