import { once } from "node:events";
import { connect } from "node:net";
import { connect as connectTls } from "node:tls";
import { gzipSync } from "node:zlib";
import { create, toBinary } from "@bufbuild/protobuf";
import { describe, expect } from "vitest";
import { ImportMessageEventsRequestSchema } from "../../src/gen/waybill/messagingdata/v1beta1/messaging_data_pb.js";
import { rawExchange } from "../../src/http/testing/raw-exchange.js";
import { accepted, listOf } from "../support/data/delivery-data.js";
import { importEvents } from "../support/data/import.js";
import { envelope } from "../support/http/calls.js";
import { send } from "../support/http/exchange.js";
import { exchangeHttp2, openSession, sendHttp2 } from "../support/http/http2.js";
import {
  END_HEADERS,
  END_STREAM,
  FRAME,
  fieldBlock,
  frame,
  isPong,
  ofType,
  PING,
  PREFACE,
  RawConnection,
  requestHead,
  SETTINGS,
} from "../support/http/http2-frames.js";
import { test as serving } from "../support/servers/process-fixtures.js";
import { ANDROID_APP, PROJECT } from "../support/servers/project.js";
import { promptStop } from "../support/servers/prompt-stop.js";

const NOON = "2025-06-02T12:00:00-07:00";
const LIST = listOf(ANDROID_APP);
const IMPORT = "/waybill.messagingdata.v1beta1.MessagingDataService/ImportMessageEvents";
const REFLECT = "/grpc.reflection.v1.ServerReflection/ServerReflectionInfo";
const MIB = 1024 * 1024;

/** Far below the amount that each attack sends or requests. */
const MAX_GROWTH = 150 * MIB;

const test = serving
  .extend(
    "head",
    ({ editor }) =>
      (stream: number, more: Record<string, string> = {}, flags?: number): Buffer =>
        requestHead(stream, { ":path": LIST, authorization: `Bearer ${editor}`, ...more }, flags),
  )
  /** Resident memory of the server in bytes. */
  .extend("residentBytes", ({ server }) => async (): Promise<number> => {
    const { text } = await send(server.adminUrl, "/metrics");
    return Number(/^process_resident_memory_bytes (\S+)$/m.exec(text)?.[1]);
  })
  .extend("expectBounded", ({ residentBytes }) => async (attack: () => Promise<unknown>): Promise<void> => {
    // Memory that the first requests of a kind allocate is not released.
    const before = await residentBytes();
    await attack();
    expect((await residentBytes()) - before).toBeLessThan(MAX_GROWTH);
  });

test.beforeAll(async ({ server, editor }) => {
  // A page of several hundred kilobytes.
  const events = Array.from({ length: 1_000 }, (_, at) => accepted(ANDROID_APP, NOON, `label-${at}`));
  await importEvents(server, editor, events, { appId: ANDROID_APP, entries: events.length });
});

test.afterEach(async ({ server, editor }) => {
  // The server still serves the next callers.
  expect((await send(server.messagingDataUrl, LIST, { token: editor })).status).toBe(200);
  expect((await sendHttp2(server.messagingDataUrl, LIST, { token: editor })).status).toBe(200);
});

const CANCEL = 8;

const uint32 = (...values: number[]): Buffer => {
  const bytes = Buffer.alloc(4 * values.length);
  values.forEach((value, at) => {
    bytes.writeUInt32BE(value, 4 * at);
  });
  return bytes;
};

describe("a connection that speaks neither HTTP/1.1 nor HTTP/2", () => {
  test("is rejected immediately if it is a TLS handshake", async ({ server }) => {
    const { hostname: host, port } = new URL(server.messagingDataUrl);
    const socket = connectTls({ host, port: Number(port), ALPNProtocols: ["h2"] });
    const [error] = await once(socket, "error");
    expect(error.code).toMatch(/^ERR_SSL|^EPROTO|^ECONNRESET/);
  });

  test.for([
    ["zeros", Buffer.alloc(1000)],
    ["a preface with an error", PREFACE.replace("SM", "MS")],
    ["the beginning of one", PREFACE.replace("HTTP/2.0", "HTTP/2.1")],
    ["a line with its method", "PRI /index.html HTTP/1.1\r\nHost: x\r\n\r\n"],
  ] as const)("is closed after %s", async ([_name, bytes], { server }) => {
    await rawExchange(server.messagingDataUrl, bytes);
  });
});

describe("an HTTP/2 connection survives", () => {
  test("frames of unknown types", async ({ server, head }) => {
    const connection = new RawConnection(server.messagingDataUrl);
    await connection.open();
    await connection.send(frame(0xfa, 255, 1, Buffer.alloc(100)), head(1));
    await connection.next(ofType(FRAME.data, 1));
    connection.socket.destroy();
  });

  test("a flood of pings, which the server acknowledges or ends", async ({ server, head }) => {
    const connection = new RawConnection(server.messagingDataUrl);
    await connection.open();
    const pings = Buffer.concat(Array.from({ length: 10_000 }, () => PING));
    await connection.send(pings, head(1));
    await connection.next((response) => isPong(response) || response.type === FRAME.goAway);
    connection.socket.destroy();
  });

  test("too many streams, because the server rejects the excess", async ({ server, head }) => {
    const session = await openSession(server.messagingDataUrl);
    session.settings({});
    const connection = new RawConnection(server.messagingDataUrl);
    await connection.open();
    const open = { ":method": "POST", ":path": IMPORT, "content-type": "application/grpc" };
    const heads = Array.from({ length: 300 }, (_, at) => head(2 * at + 1, open, END_HEADERS));
    await connection.send(...heads);
    const refused = await connection.next(ofType(FRAME.resetStream));
    const REFUSED_STREAM = 7;
    expect(refused?.payload).toEqual(uint32(REFUSED_STREAM));
    expect(refused?.stream).toBe(2 * 256 + 1);
    connection.socket.destroy();
    session.destroy();
  });
});

describe("too many streams, because the server rejects the excess", () => {
  test("streams that are reset immediately after they were opened", ({
    server,
    editor,
    expectBounded,
    head,
  }) =>
    expectBounded(async () => {
      const connection = new RawConnection(server.messagingDataUrl);
      await connection.open();
      for (let stream = 1; stream < 40_000; stream += 2) {
        connection.socket.write(head(stream));
        connection.socket.write(frame(FRAME.resetStream, 0, stream, uint32(CANCEL)));
      }
      connection.socket.write(PING);
      // The server may end the connection instead.
      await connection.next(({ type }) => type === FRAME.ping || type === FRAME.goAway);
      expect((await sendHttp2(server.messagingDataUrl, LIST, { token: editor })).status).toBe(200);
      connection.socket.destroy();
    }));

  test("responses that are never read", ({ server, expectBounded, head }) =>
    expectBounded(async () => {
      for (let count = 0; count < 10; count++) {
        const connection = new RawConnection(server.messagingDataUrl);
        // SETTINGS_INITIAL_WINDOW_SIZE 0: the server may send no data.
        await connection.send(PREFACE, frame(FRAME.settings, 0, 0, Buffer.from([0, 4, 0, 0, 0, 0])));
        for (let stream = 1; stream < 400; stream += 2) await connection.send(head(stream));
        await connection.send(PING);
        await connection.next(isPong);
        connection.socket.destroy();
      }
    }));

  test("a request head that expands far beyond its compressed size", ({ server, expectBounded }) =>
    expectBounded(async () => {
      const connection = new RawConnection(server.messagingDataUrl);
      await connection.open();
      // A field of 3 KB that enters the HPACK table, then references to it.
      const [name, value] = ["a", "b".repeat(3_000)];
      const indexed = fieldBlock({ [name]: value });
      indexed[0] = 0x40;
      const FIRST_OF_TABLE = 0x80 | 62;
      const bomb = Buffer.concat([indexed, Buffer.alloc(12_000, FIRST_OF_TABLE)]);
      await connection.send(frame(FRAME.headers, END_HEADERS | END_STREAM, 1, bomb));
      await connection.next(({ type }) => type === FRAME.resetStream || type === FRAME.goAway);
      connection.socket.destroy();
    }));

  test("a compressed import that expands to gigabytes", ({ server, editor, expectBounded }) =>
    expectBounded(async () => {
      const events = { contentType: "application/x-ndjson", data: Buffer.alloc(4 * MIB - 1000, " ") };
      const request = create(ImportMessageEventsRequestSchema, { parent: `projects/${PROJECT.id}`, events });
      const packed = envelope(gzipSync(toBinary(ImportMessageEventsRequestSchema, request)), 1);
      const { trailers } = await exchangeHttp2(
        server.messagingDataUrl,
        {
          ":method": "POST",
          ":path": IMPORT,
          "content-type": "application/grpc",
          "grpc-encoding": "gzip",
          authorization: `Bearer ${editor}`,
        },
        Buffer.concat(Array.from({ length: 512 }, () => packed)),
      );
      const INVALID_ARGUMENT = "3";
      expect(trailers["grpc-status"]).toBe(INVALID_ARGUMENT);
      expect(trailers["grpc-message"]).toContain("67108864");
    }));
});

describe("the server stops soon despite a client that pauses", () => {
  const reflecting = { ":method": "POST", ":path": REFLECT, "content-type": "application/grpc" };

  test.for<[name: string, bytes: (string | Buffer)[]]>([
    ["before its first byte", []],
    ["in a preface", ["PRI"]],
    ["after a preface", [PREFACE]],
    ["on an HTTP/2 connection", [PREFACE, SETTINGS]],
    ["in a reflection stream", [PREFACE, SETTINGS, "reflecting"]],
  ])("%s", async ([_name, bytes], { openServer, head }) => {
    const stopping = await openServer();
    const { hostname: host, port } = new URL(stopping.messagingDataUrl);
    // This client reads nothing, and does not notice that the server closes.
    const socket = connect({ host, port: Number(port) });
    socket.on("error", () => {});
    await once(socket, "connect");
    for (const part of bytes) socket.write(part === "reflecting" ? head(1, reflecting, END_HEADERS) : part);
    // A response here proves that the earlier connection was accepted.
    await sendHttp2(stopping.messagingDataUrl, LIST);
    expect(await promptStop(stopping)).toBe(0);
    socket.destroy();
  });
});
