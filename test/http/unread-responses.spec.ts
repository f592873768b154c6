import { Agent } from "node:http";
import { connect } from "node:net";
import { expect } from "vitest";
import { errorOf } from "../../src/api/testing/error-of.js";
import {
  MAX_EXPECTED_RESPONSE_BYTES,
  MAX_PIECE_BYTES,
  MAX_UNREAD_BYTES,
  MAX_WAITING,
} from "../../src/limits/request-limits.js";
import { importWidePages, widePage } from "../support/data/wide-pages.js";
import { send } from "../support/http/exchange.js";
import { byGrpc, byHttp1, byHttp2, type UnreadCalls } from "../support/http/unread-calls.js";
import { poll } from "../support/poll.js";
import { test as serving } from "../support/servers/fixtures.js";

const test = serving
  /** Reads pages as another principal, one after the other. */
  .extend("listOfAnother", ({ server, editor }) => async (count: number, first: number): Promise<void> => {
    for (let number = first; number < first + count; number++) {
      const { status } = await send(server.messagingDataUrl, widePage(number), { token: editor });
      expect(status).toBe(200);
    }
  });

test.beforeAll(async ({ server }) => {
  await importWidePages(server);
});

const PROTOCOLS: [name: string, open: (url: string, token: string) => UnreadCalls, firstPage: number][] = [
  ["HTTP/1.1", byHttp1, 1_000],
  ["HTTP/2", byHttp2, 2_000],
  ["gRPC", byGrpc("application/grpc"), 3_000],
  ["gRPC-Web", byGrpc("application/grpc-web+proto"), 4_000],
];

const MAX_ERROR_BYTES = 10_000;
/** HTTP and gRPC statuses of rejected calls. gRPC-Web sends the gRPC status in the body. */
const REJECTED = ["503", "200 14", "200"];
/** More pages than a principal may leave unread. */
const PAGES_BEYOND = 60;
/**
 * Number of pages that another principal reads in the meantime, one after another. The server computes each of them.
 */
const PAGES_A_ROUND = 4;
/** Number of rounds after which the server counts as starting no more pages. */
const ROUNDS_WITHOUT_START = 5;

test.for(PROTOCOLS)(
  "the server computes only as many unread pages as the principal's share, and others wait or get 503: %s",
  async ([_name, open, firstPage], { server, viewer, editor, listOfAnother }) => {
    const callsOfAnother = open(server.messagingDataUrl, editor);
    const pageBytes = await callsOfAnother.call(firstPage + PAGES_BEYOND).read();
    callsOfAnother.close();
    expect(pageBytes).toBeGreaterThan(1_500_000);
    // The share has room for one more page, unless two pages of unknown size are being created.
    const room = MAX_UNREAD_BYTES - 2 * MAX_EXPECTED_RESPONSE_BYTES;
    const least = Math.ceil(room / (pageBytes + MAX_PIECE_BYTES)) - 1;
    const calls = open(server.messagingDataUrl, viewer);
    try {
      const unread = Array.from({ length: PAGES_BEYOND }, (_, index) => calls.call(firstPage + index));
      const begun = () => unread.filter(({ status }) => status() !== "").length;
      await poll(() => begun() >= least);
      // Reads as another principal until the server starts no further page for a while.
      let next = firstPage + 100;
      for (let known = 0, rounds = 0; rounds < ROUNDS_WITHOUT_START; rounds++) {
        await listOfAnother(PAGES_A_ROUND, next);
        next += PAGES_A_ROUND;
        if (begun() > known) rounds = 0;
        known = begun();
      }
      const begunUnread = new Set(unread.filter(({ status }) => status() !== ""));
      const read = await Promise.all(unread.map(async (call) => ({ size: await call.read(), call })));
      // On a slow machine, some calls have waited for the maximum time: they get 503, in the protocol's form.
      const served = read.filter(({ size }) => size > MAX_ERROR_BYTES);
      for (const { call } of read) {
        expect(served.some((one) => one.call === call) ? ["200"] : REJECTED).toContain(call.status());
      }
      const held = served.filter(({ call }) => begunUnread.has(call)).length;
      expect(held).toBeLessThan(PAGES_BEYOND);
      // With HTTP/1.1, the system buffers part of each response.
      if (open !== byHttp1)
        expect(held * (pageBytes + MAX_PIECE_BYTES)).toBeLessThanOrEqual(MAX_UNREAD_BYTES);
    } finally {
      calls.close();
    }
  },
);

test("a principal can request 16 of the largest pages at a time on one connection, cached or not", async ({
  server,
  viewer,
}) => {
  const calls = byHttp2(server.messagingDataUrl, viewer);
  for (const _again of [1, 2]) {
    const reading = Array.from({ length: 16 }, (_, index) => calls.call(5_000 + index));
    await Promise.all(reading.map((call) => call.read()));
    expect(new Set(reading.map(({ status }) => status()))).toEqual(new Set(["200"]));
  }
  calls.close();
});

test("the server rejects a principal with too many simultaneous requests, and serves others", async ({
  server,
  viewer,
  listOfAnother,
}) => {
  const connections = [1, 2].map(() => byHttp2(server.messagingDataUrl, viewer));
  const unread = connections.flatMap((calls, connection) =>
    Array.from({ length: 200 }, (_, index) => calls.call(6_000 + connection * 200 + index)),
  );
  const rejected = await poll(
    () => unread.filter(({ status }) => status() === "503").length,
    (count) => count > 0,
  );
  expect(rejected).toBeLessThanOrEqual(unread.length - MAX_WAITING);
  const agent = new Agent();
  // Pages started in the meantime may have freed space for as many calls.
  const more = Array.from({ length: PAGES_BEYOND }, (_, index) =>
    send(server.messagingDataUrl, widePage(6_500 + index), { token: viewer, agent }),
  );
  const rejection = await Promise.race(more);
  expect(rejection.status).toBe(503);
  expect(rejection.headers["retry-after"]).toBe("1");
  expect(errorOf(rejection.text)).toMatchObject({ status: "UNAVAILABLE", reason: "RESPONSE_QUEUE_FULL" });
  await listOfAnother(1, 6_500 + PAGES_BEYOND);
  agent.destroy();
  for (const calls of connections) calls.close();
});

test("the server starts only a few pipelined requests on an HTTP/1.1 connection that reads nothing", async ({
  server,
  viewer,
  listOfAnother,
}) => {
  const responded = async (): Promise<number> => {
    const { text } = await send(server.adminUrl, "/metrics");
    const counts = text.matchAll(
      /^waybill_request_duration_seconds_count\{.*operation="ListAndroidDeliveryData",status="200"\} (\d+)$/gm,
    );
    return [...counts].reduce((sum, [, count]) => sum + Number(count), 0);
  };
  const before = await responded();
  const { hostname, port } = new URL(server.messagingDataUrl);
  const socket = connect(Number(port), hostname);
  socket.on("error", () => {});
  const requests = Array.from({ length: 30 }, (_, index) => {
    const target = widePage(7_000 + index);
    return `GET ${target} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${viewer}\r\n\r\n`;
  });
  socket.write(requests.join(""));
  await poll(responded, (count) => count > before);
  await listOfAnother(10, 7_100);
  // The system buffers the first responses.
  expect((await responded()) - before - 10).toBeLessThan(10);
  socket.destroy();
});
