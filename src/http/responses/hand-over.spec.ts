import { once } from "node:events";
import { createServer, type Server, type ServerResponse } from "node:http";
import {
  type ClientHttp2Stream,
  connect as connectHttp2,
  constants,
  createServer as createHttp2Server,
  type Http2Server,
  type ServerHttp2Stream,
} from "node:http2";
import { type AddressInfo, connect } from "node:net";
import type { Readable } from "node:stream";
import { afterEach, describe, expect, test, vi } from "vitest";
import { MAX_PIECE_BYTES } from "../../limits/request-limits.js";
import { atTurnEnd, handOver, handOverPart, type ResponseTarget } from "./hand-over.js";

/** More than the operating system buffers for an unread connection. */
const LARGE = Buffer.alloc(32_000_000);
const EVERY_BYTE = Uint8Array.from({ length: 256 }, (_, byte) => byte);
const SHORT = 100;
const STALL = 2_000;

const closing: (() => void)[] = [];
afterEach(() => {
  vi.useRealTimers();
  for (const close of closing.splice(0)) close();
});

/** A client that has sent a request but has not read the response, and the server's end of the exchange. */
interface Exchange {
  readonly client: Readable;
  readonly target: ResponseTarget;
  /** Disconnects the client. */
  readonly leave: () => void;
}

async function listening(server: Server | Http2Server): Promise<number> {
  server.listen(0, "127.0.0.1");
  closing.push(() => server.close());
  await once(server, "listening");
  return (server.address() as AddressInfo).port;
}

async function byHttp1(): Promise<Exchange> {
  const server = createServer();
  const port = await listening(server);
  const client = connect(port, "127.0.0.1");
  client.on("error", () => {});
  closing.push(() => client.destroy());
  client.write("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
  const [, target] = (await once(server, "request")) as [unknown, ServerResponse];
  return { client, target, leave: () => client.destroy() };
}

/** @param event server event with the target as its argument at `index`. */
async function byHttp2(event: "request" | "stream", index: number): Promise<Exchange> {
  const server = createHttp2Server();
  const session = connectHttp2(`http://127.0.0.1:${await listening(server)}`);
  session.on("error", () => {});
  closing.push(() => session.destroy());
  const client: ClientHttp2Stream = session.request({ ":path": "/" });
  client.on("error", () => {});
  const given = (await once(server, event)) as unknown[];
  const target = given[index] as ResponseTarget;
  if (event === "stream") (target as ServerHttp2Stream).respond({ ":status": 200 });
  return { client, target, leave: () => client.close(constants.NGHTTP2_CANCEL) };
}

const EXCHANGES: [how: string, exchange: () => Promise<Exchange>][] = [
  ["HTTP/1.1", byHttp1],
  ["HTTP/2", () => byHttp2("request", 1)],
  ["a stream of HTTP/2", () => byHttp2("stream", 0)],
];

describe.each(EXCHANGES)("handOver over %s", (_how, exchange) => {
  test.each([0, 1, 8192, 8193, MAX_PIECE_BYTES, MAX_PIECE_BYTES + 1, 10 * MAX_PIECE_BYTES])(
    "sends a body of %i bytes unchanged",
    async (size) => {
      const { client, target } = await exchange();
      const body = Buffer.alloc(size, EVERY_BYTE);
      if ("setHeader" in target) target.setHeader("content-length", size);
      const released = new Promise<void>((release) => handOver(target, body, { release }));
      const chunks: Buffer[] = [];
      client.on("data", (chunk: Buffer) => chunks.push(chunk));
      await released;
      await expect.poll(() => Buffer.concat(chunks).includes(body)).toBe(true);
    },
  );

  test("disconnects a client that reads nothing, and releases the response", async () => {
    const { client, target } = await exchange();
    const released = new Promise<void>((release) => handOver(target, LARGE, { release, stallMs: SHORT }));
    await released;
    client.resume();
    await once(client, "close");
  });

  test("disconnects a client that reads too slowly", async () => {
    const { client, target } = await exchange();
    const trickle = setInterval(() => client.read(1), SHORT / 10);
    await new Promise<void>((release) => handOver(target, LARGE, { release, stallMs: SHORT }));
    clearInterval(trickle);
    expect(client.readableEnded).toBe(false);
  });

  test("serves a client that reads each piece in time, even if the whole response is slow", async () => {
    const { client, target } = await exchange();
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    let received = 0;
    let pauses = 0;
    client.on("data", (chunk: Buffer) => {
      received += chunk.length;
      if (received < (pauses + 1) * 7_000_000) return;
      pauses++;
      client.pause();
      setImmediate(() => {
        vi.advanceTimersByTime((2 * STALL) / 3);
        client.resume();
      });
    });
    await new Promise<void>((release) => handOver(target, LARGE, { release, stallMs: STALL }));
    await expect.poll(() => received).toBeGreaterThanOrEqual(LARGE.length);
    expect(pauses).toBeGreaterThan(3);
  });

  test("releases a response when its client disconnects", async () => {
    const { target, leave } = await exchange();
    const released = new Promise<void>((release) => handOver(target, LARGE, { release }));
    leave();
    await released;
  });

  test("releases a response if its client has already disconnected", async () => {
    const { target, leave } = await exchange();
    const gone = once(target, "close");
    leave();
    await gone;
    await new Promise<void>((release) => handOver(target, LARGE, { release }));
    await handOverPart(target, LARGE);
  });

  test("ends a response if a part of it is not read", async () => {
    const { target } = await exchange();
    const gone = once(target, "close");
    await handOverPart(target, LARGE, { stallMs: SHORT });
    await gone;
  });
});

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test("atTurnEnd calls functions in order after the current tick, and functions that they add after the next tick", async () => {
  const done: string[] = [];
  atTurnEnd(() => {
    done.push("first");
    atTurnEnd(() => done.push("added"));
  });
  await Promise.resolve();
  process.nextTick(() => atTurnEnd(() => done.push("second")));
  await Promise.resolve();
  expect(done).toEqual([]);
  await turn();
  expect(done).toEqual(["first", "second"]);
  await turn();
  expect(done).toEqual(["first", "second", "added"]);
});
