import { once } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import { connect } from "node:net";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ApiError } from "../../api/api-error.js";
import { type LoopbackServer, loopbackServer } from "../testing/loopback-server.js";
import { rawExchange } from "../testing/raw-exchange.js";
import { NO_UNPACKING, readBody } from "./request-body.js";

const LIMIT = 10;
const HEAD = "POST / HTTP/1.1\r\nhost: localhost\r\n";

let server: LoopbackServer;
/** Resolves with the next body, or with the reason why it was rejected. */
let outcome: Promise<string>;
let setOutcome: (text: string) => void;

/** Reads a body, and responds with it or with the reason why it was rejected. */
async function listener(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const text = await readBody(request, NO_UNPACKING, LIMIT).then(String, (error) =>
    error instanceof ApiError ? error.reason : String(error),
  );
  setOutcome(text);
  response.setHeader("content-length", text.length);
  response.end(text);
}

beforeEach(async () => {
  outcome = new Promise((resolve) => {
    setOutcome = resolve;
  });
  server = await loopbackServer(listener);
});
afterEach(() => server.close());

const chunked = (...chunks: string[]): string =>
  `${HEAD}transfer-encoding: chunked\r\nconnection: close\r\n\r\n${[...chunks, ""]
    .map((chunk) => `${chunk.length.toString(16)}\r\n${chunk}\r\n`)
    .join("")}`;

describe("readBody", () => {
  it("reads a body of several parts up to the limit", async () => {
    const [response] = await rawExchange(server.origin, chunked("01234", "56789"));
    expect(response).toMatchObject({ status: 200, body: "0123456789" });
  });

  it("reads an empty body", async () => {
    const [response] = await rawExchange(server.origin, chunked());
    expect(response).toMatchObject({ status: 200, body: "" });
  });

  it("rejects a body above the limit, and leaves the connection open for the response", async () => {
    const [response] = await rawExchange(server.origin, chunked("01234", "56789", "0", "1"));
    expect(response).toMatchObject({ status: 200, body: "BODY_TOO_LARGE" });
  });

  it("rejects a truncated body over HTTP/1.1", async () => {
    const socket = connect(Number(new URL(server.origin).port), "127.0.0.1");
    await once(socket, "connect");
    socket.write(`${HEAD}content-length: 10\r\n\r\n012`);
    socket.end();
    expect(await outcome).toBe("REQUEST_ABORTED");
    socket.destroy();
  });
});
