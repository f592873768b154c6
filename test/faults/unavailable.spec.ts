import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { expect } from "vitest";
import { errorOf } from "../../src/api/testing/error-of.js";
import { accepted, listOf } from "../support/data/delivery-data.js";
import { importInto } from "../support/data/import.js";
import { send } from "../support/http/exchange.js";
import { poll } from "../support/poll.js";
import { untilLogged } from "../support/servers/log.js";
import { test as serving } from "../support/servers/process-fixtures.js";
import { ANDROID_APP, BASE_CONFIG, EDITOR } from "../support/servers/project.js";

const LIST = listOf(ANDROID_APP);
const IMPORT = importInto();
const LINE = `${JSON.stringify(accepted(ANDROID_APP, "2026-01-02T20:00:00Z"))}\n`;

serving.override("config", { ...BASE_CONFIG, messagingData: { import: { maxConcurrent: 1 } } });
const test = serving
  .extend(
    "head",
    ({ editor }) =>
      (method: string, target: string, ...headers: string[]): string =>
        [
          `${method} ${target} HTTP/1.1`,
          "Host: x",
          `Authorization: Bearer ${editor}`,
          ...headers,
          "",
          "",
        ].join("\r\n"),
  )
  /** An import without its last line. The server has parsed its start. */
  .extend("startImport", ({ server, editor, head }) => async (): Promise<Connection> => {
    // Ensures that the token has been verified before.
    await send(server.messagingDataUrl, LIST, { token: editor });
    const connection = new Connection(server.messagingDataUrl);
    const length = `Content-Length: ${(MANY + 1) * LINE.length}`;
    connection.write(
      head("POST", IMPORT, "Content-Type: application/x-ndjson", length, "Expect: 100-continue"),
    );
    await connection.receives("100 Continue");
    connection.write(LINE.repeat(MANY));
    return connection;
  });

/** A connection that a test writes by hand, with everything received on it. */
class Connection {
  readonly #socket: Socket;
  readonly closed: Promise<unknown>;
  received = "";

  constructor(url: string) {
    const { hostname, port } = new URL(url);
    this.#socket = connect({ host: hostname, port: Number(port) });
    this.closed = once(this.#socket, "close");
    this.#socket.on("data", (chunk: Buffer) => {
      this.received += chunk.toString();
    });
  }

  write(text: string): void {
    this.#socket.write(text);
  }

  close(): void {
    this.#socket.destroy();
  }

  async receives(text: string): Promise<void> {
    await poll(
      () => this.received,
      (received) => received.includes(text),
    );
    expect(this.received).toContain(text);
  }
}

/** Returns the last response that a connection has received. The head is in lower case. */
function finalResponse(received = ""): [head: string, body: string] {
  const [head = "", body = ""] = received.slice(received.lastIndexOf("HTTP/1.1 ")).split("\r\n\r\n");
  return [head.toLowerCase(), body];
}

/** More lines than the server collects before it parses them. */
const MANY = 10_000;

test("the server rejects imports above the configured number", async ({ server, editor, startImport }) => {
  const connections = [await startImport(), await startImport()];
  const rejected = await poll(
    () => connections.find(({ received }) => received.includes("HTTP/1.1 503")),
    (connection) => connection !== undefined,
  );
  const [head, body] = await poll(
    () => finalResponse(rejected?.received),
    (response) => response[0].includes(`content-length: ${response[1].length}\r\n`),
  );
  expect(head).toContain("retry-after: 1\r\n");
  expect(errorOf(body)).toMatchObject({
    status: "UNAVAILABLE",
    reason: "IMPORT_QUEUE_FULL",
    metadata: { maxConcurrent: "1" },
  });
  rejected?.close();
  const importing = connections.find((connection) => connection !== rejected);
  importing?.write(LINE);
  await importing?.receives(`"importedCount":"${MANY + 1}"`);
  const headers = { "content-type": "application/x-ndjson" };
  const next = await send(server.messagingDataUrl, IMPORT, {
    method: "POST",
    token: editor,
    headers,
    body: LINE,
  });
  expect(next.status).toBe(200);
});

test("the server returns UNAVAILABLE for a failing store, and counts the failure", async ({ openServer }) => {
  const starved = await openServer({ ...BASE_CONFIG, store: { memoryLimit: "1MB" } });
  const own = await starved.token(EDITOR);
  const { status, headers, text } = await send(starved.messagingDataUrl, LIST, { token: own });
  expect(status).toBe(503);
  expect(Number(headers["retry-after"])).toBeGreaterThan(0);
  expect(errorOf(text)).toMatchObject({ status: "UNAVAILABLE", reason: "STORE_UNAVAILABLE" });
  const metrics = await send(starved.adminUrl, "/metrics");
  expect(metrics.text).toMatch(/store_errors.*caller="ListAndroidDeliveryData".* 1$/m);
});

test("a server that stops completes requests in progress, even after further stop signals, and rejects new ones", async ({
  server,
  startImport,
  head,
}) => {
  const importing = await startImport();
  const reading = new Connection(server.messagingDataUrl);
  reading.write(head("GET", LIST));
  await reading.receives("200 OK");
  // A partial request head keeps the connection open and busy.
  const next = head("GET", LIST);
  reading.write(next.slice(0, -2));

  // This test is the last one because it stops the server that all tests of this file share.
  server.process.stdin.write("\n");
  await untilLogged(server, "stops are patient");
  const stopped = server.stop();
  await untilLogged(server, '"msg":"stopping"');
  reading.write("\r\n");
  server.process.kill("SIGTERM");
  server.process.kill("SIGINT");
  await untilLogged(server, '"signal":"SIGINT"');
  await reading.closed;
  const [responseHead, body] = finalResponse(reading.received);
  expect(responseHead).toContain("retry-after: 1");
  expect(errorOf(body)).toMatchObject({ code: 503, status: "UNAVAILABLE", reason: "SHUTTING_DOWN" });

  importing.write(LINE);
  await importing.receives(`"importedCount":"${MANY + 1}"`);
  expect(await stopped).toBe(0);
});
