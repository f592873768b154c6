import { gzipSync } from "node:zlib";
import { create, toBinary, toJsonString } from "@bufbuild/protobuf";
import { describe, expect } from "vitest";
import { errorOf } from "../../src/api/testing/error-of.js";
import { GetAppAttestConfigRequestSchema } from "../../src/gen/waybill/integrity/v1/integrity_pb.js";
import { ImportMessageEventsRequestSchema } from "../../src/gen/waybill/messagingdata/v1beta1/messaging_data_pb.js";
import { nameOf } from "../support/data/integrity.js";
import { type CallFailure, callFailureOf, envelope } from "../support/http/calls.js";
import { send } from "../support/http/exchange.js";
import { exchangeHttp2, type StreamResponse } from "../support/http/http2.js";
import { poll } from "../support/poll.js";
import { test as serving } from "../support/servers/fixtures.js";
import { ANDROID_APP, IOS_APP, PROJECT } from "../support/servers/project.js";

const GET = "/waybill.integrity.v1.IntegrityService/GetAppAttestConfig";
const UPDATE = "/waybill.integrity.v1.IntegrityService/UpdateAppAttestConfig";
const IMPORT = "/waybill.messagingdata.v1beta1.MessagingDataService/ImportMessageEvents";
const LIST = "/waybill.messagingdata.v1beta1.MessagingDataService/ListAndroidDeliveryData";
const REFLECT = "/grpc.reflection.v1.ServerReflection/ServerReflectionInfo";
const MIB = 1024 * 1024;

const REQUEST = create(GetAppAttestConfigRequestSchema, { name: nameOf(IOS_APP) });
const BINARY = Buffer.from(toBinary(GetAppAttestConfigRequestSchema, REQUEST));
const JSON_TEXT = toJsonString(GetAppAttestConfigRequestSchema, REQUEST);
const eventsOf = (data: Buffer): Buffer => {
  const events = { contentType: "application/x-ndjson", data };
  const request = create(ImportMessageEventsRequestSchema, { parent: `projects/${PROJECT.id}`, events });
  return Buffer.from(toBinary(ImportMessageEventsRequestSchema, request));
};
const EVENTS = eventsOf(Buffer.from("\n"));

const test = serving.extend(
  "call",
  ({ server, editor }) =>
    (path: string, headers: Record<string, string>, body?: Buffer | string): Promise<StreamResponse> => {
      const url = path.includes("messagingdata") ? server.messagingDataUrl : server.integrityUrl;
      const all = {
        ":method": "POST",
        ":path": path,
        authorization: `Bearer ${editor}`,
        te: "trailers",
        ...headers,
      };
      return exchangeHttp2(url, all, body);
    },
);

test.afterEach(async ({ call }) => {
  // The server still serves the next call.
  const { trailers } = await call(GET, { "content-type": "application/grpc" }, envelope(BINARY));
  expect(trailers["grpc-status"]).toBe("0");
});

const MALFORMED: CallFailure = { code: "invalid_argument", reason: "MALFORMED_CALL" };
const TOO_LARGE: CallFailure = { code: "resource_exhausted", reason: "MESSAGE_TOO_LARGE" };
const UNKNOWN_CODING: CallFailure = { code: "unimplemented", reason: "MALFORMED_CALL" };
const MEDIA_TYPE: CallFailure = { code: "invalid_argument", reason: "UNSUPPORTED_MEDIA_TYPE" };

describe("a message in a gRPC envelope is rejected", () => {
  const cases = (message: Buffer): [name: string, body: Buffer, failure: CallFailure][] => [
    ["a cut head", envelope(message).subarray(0, 3), MALFORMED],
    ["a cut message", envelope(message).subarray(0, 10), MALFORMED],
    ["a length of 4 GiB", Buffer.from([0, 255, 255, 255, 255, 1]), TOO_LARGE],
    ["a message of 5 MiB", envelope(Buffer.alloc(5 * MIB)), TOO_LARGE],
    ["a compressed message without its coding", envelope(message, 1), MALFORMED],
    ["bytes that are not a message", envelope(Buffer.from("\xff\xff\xff", "latin1")), MALFORMED],
  ];
  const unary = [
    ...cases(BINARY),
    ["two messages", Buffer.concat([envelope(BINARY), envelope(BINARY)])] as const,
  ];

  describe.each([
    ["a call", "application/grpc", GET, unary],
    // Handled by Connect.
    ["a call by gRPC-Web", "application/grpc-web+proto", GET, unary],
    ["a stream", "application/grpc", IMPORT, cases(EVENTS)],
    ["a stream by gRPC-Web", "application/grpc-web+proto", IMPORT, cases(EVENTS)],
    ["a stream by Connect", "application/connect+proto", IMPORT, cases(EVENTS)],
  ] as const)("in %s", (_kind, type, path, rows) => {
    test.for([...rows] as const)("if it is %s", async ([name, body, failure = MALFORMED], { call }) => {
      const reported = callFailureOf(await call(path, { "content-type": type }, body));
      // Connect returns UNIMPLEMENTED if there is more or less than one message.
      if (name === "two messages") expect(reported.reason).toBe("MALFORMED_CALL");
      else expect(reported).toEqual(failure);
    });

    test("if its compression is unknown", async ({ call }) => {
      const coding = type.startsWith("application/connect") ? "connect-content-encoding" : "grpc-encoding";
      const message = path === GET ? BINARY : EVENTS;
      const response = await call(path, { "content-type": type, [coding]: "lzw" }, envelope(message, 1));
      expect(callFailureOf(response)).toEqual(UNKNOWN_CODING);
    });

    test("if it exceeds the limit after decompression", async ({ call }) => {
      const coding = type.startsWith("application/connect") ? "connect-content-encoding" : "grpc-encoding";
      const bomb = envelope(gzipSync(Buffer.alloc(64 * MIB)), 1);
      const response = await call(path, { "content-type": type, [coding]: "gzip" }, bomb);
      expect(callFailureOf(response)).toEqual(TOO_LARGE);
    });

    test("if the deadline is invalid", async ({ call }) => {
      const name = type.startsWith("application/connect") ? "connect-timeout-ms" : "grpc-timeout";
      const message = path === GET ? BINARY : EVENTS;
      const response = await call(path, { "content-type": type, [name]: "soon" }, envelope(message));
      expect(callFailureOf(response)).toEqual(MALFORMED);
    });
  });
});

describe("a Connect message is rejected", () => {
  const json = { "content-type": "application/json" };
  test.for<[name: string, headers: Record<string, string>, body: Buffer | string, failure: CallFailure]>([
    ["JSON that is cut", json, JSON_TEXT.slice(0, -2), MALFORMED],
    ["JSON with an unknown field", json, '{"nope":1}', MALFORMED],
    ["JSON with a field of another type", json, '{"name":1}', MALFORMED],
    ["JSON of another form", json, "[]", MALFORMED],
    ["nothing as JSON", json, "", MALFORMED],
    ["bytes that are not a message", { "content-type": "application/proto" }, "\x0a\x10", MALFORMED],
    ["5 MiB", { "content-type": "application/proto" }, Buffer.alloc(5 * MIB), TOO_LARGE],
    [
      "a decompression bomb",
      { "content-type": "application/proto", "content-encoding": "gzip" },
      gzipSync(Buffer.alloc(64 * MIB)),
      TOO_LARGE,
    ],
    ["data that is not compressed", { ...json, "content-encoding": "gzip" }, JSON_TEXT, MALFORMED],
    ["an unknown coding", { ...json, "content-encoding": "lzw" }, JSON_TEXT, UNKNOWN_CODING],
    ["a deadline that is not a number", { ...json, "connect-timeout-ms": "soon" }, JSON_TEXT, MALFORMED],
    [
      "a deadline that has passed",
      { ...json, "connect-timeout-ms": "0" },
      JSON_TEXT,
      { code: "deadline_exceeded", reason: "DEADLINE_EXCEEDED" },
    ],
  ])("if it is %s", async ([_name, headers, body, failure], { call }) => {
    expect(callFailureOf(await call(GET, headers, body))).toEqual(failure);
  });

  test.for([
    ["no encoding", "?message={}"],
    ["an unknown encoding", "?encoding=yaml&message={}"],
    ["a message that is not JSON", "?encoding=json&message={"],
    ["a message that is not in base64", "?encoding=proto&base64=1&message=*"],
    ["no message", "?encoding=json"],
  ] as const)("by GET with %s", async ([_name, query], { call }) => {
    const response = await call(`${GET}${query}`, { ":method": "GET" });
    expect(callFailureOf(response)).toEqual(MALFORMED);
    expect(response.bytes.toString()).not.toContain("internal");
  });
});

describe.each([
  ["Connect", "application/json", (message: Buffer) => message],
  ["gRPC", "application/grpc+json", envelope],
  ["gRPC-Web", "application/grpc-web+json", envelope],
] as const)("JSON by %s is rejected", (_protocol, type, pack) => {
  const change = (tokenTtl: string) =>
    JSON.stringify({ appAttestConfig: { name: nameOf(IOS_APP), tokenTtl }, updateMask: "tokenTtl" });
  const asOf = (time: string) =>
    JSON.stringify({ parent: `projects/${PROJECT.id}/androidApps/${ANDROID_APP}`, asOf: time });
  test.for([
    ["a duration with trailing text", UPDATE, change("3600s later")],
    ["a duration with too many digits", UPDATE, change("3600.0000000001s")],
    ["a day that does not exist", LIST, asOf("2026-02-30T00:00:00Z")],
    ["the hour 24", LIST, asOf("2026-02-28T24:00:00Z")],
    ["bytes that are not UTF-8", GET, JSON_TEXT.replace("ios", "\xff")],
  ] as const)("if it has %s", async ([_name, path, text], { call }) => {
    const response = await call(path, { "content-type": type }, pack(Buffer.from(text, "latin1")));
    expect(callFailureOf(response)).toEqual(MALFORMED);
  });
});

describe("a malformed message without a token is logged as an error of the caller", () => {
  const CHECK = "/grpc.health.v1.Health/Check";
  const garbage = Buffer.from("\xff\xff\xff", "latin1");
  test.for([
    ["a call by gRPC", CHECK, "application/grpc", {}, envelope(garbage)],
    ["a call by gRPC-Web", CHECK, "application/grpc-web+proto", {}, envelope(garbage)],
    ["a call by Connect", CHECK, "application/proto", {}, garbage],
    [
      "data that is not compressed",
      CHECK,
      "application/json",
      { "content-encoding": "gzip" },
      Buffer.from("{}"),
    ],
    ["a stream to the client", "/grpc.health.v1.Health/Watch", "application/grpc", {}, envelope(garbage)],
    ["a stream both ways", REFLECT, "application/grpc", {}, envelope(garbage)],
    [
      "a later message of a stream",
      REFLECT,
      "application/grpc",
      {},
      Buffer.concat([envelope(Buffer.alloc(0)), envelope(garbage)]),
    ],
    ["a stream by Connect", REFLECT, "application/connect+proto", {}, envelope(garbage)],
  ] as const)("in %s", async ([name, path, type, headers, body], { server, call }) => {
    const response = await call(path, { "content-type": type, authorization: "", ...headers }, body);
    if (name === "a stream by Connect") expect(response.bytes.toString()).toContain('"invalid_argument"');
    else if (name !== "a later message of a stream") expect(callFailureOf(response)).toEqual(MALFORMED);
    else expect(response.trailers["grpc-status"]).toBe("3");
    const line = await poll(
      () =>
        server
          .log()
          .split("\n")
          .findLast((text) => text.includes(`"path":"${path}"`)) ?? "{}",
      (text) => text !== "{}",
    );
    expect(JSON.parse(line)).toMatchObject({ level: "info", status: 400, reason: "MALFORMED_CALL" });
  });
});

describe("a call with an unusual form", () => {
  test.for<
    [name: string, path: string, headers: Record<string, string>, status: number, failure: CallFailure]
  >([
    ["no media type", GET, {}, 415, MEDIA_TYPE],
    ["another media type", GET, { "content-type": "text/plain" }, 415, MEDIA_TYPE],
    [
      "the media type of a stream, for a call",
      GET,
      { "content-type": "application/connect+json" },
      415,
      MEDIA_TYPE,
    ],
    [
      "the media type of a call, for a stream",
      IMPORT,
      { "content-type": "application/json" },
      415,
      MEDIA_TYPE,
    ],
    ["a media type similar to gRPC's", GET, { "content-type": "application/grpc-x" }, 200, MEDIA_TYPE],
    ["gRPC-Web as text", GET, { "content-type": "application/grpc-web-text" }, 200, MEDIA_TYPE],
    [
      "GET for a method that makes changes",
      UPDATE,
      { ":method": "GET" },
      405,
      { code: "unimplemented", reason: "METHOD_NOT_ALLOWED" },
    ],
    [
      "PUT",
      GET,
      { ":method": "PUT", "content-type": "application/json" },
      405,
      { code: "unimplemented", reason: "METHOD_NOT_ALLOWED" },
    ],
    [
      "an unknown method",
      "/waybill.integrity.v1.IntegrityService/X",
      { "content-type": "application/grpc" },
      200,
      { code: "unimplemented", reason: "METHOD_UNKNOWN" },
    ],
    [
      "headers of 33 KiB",
      GET,
      { "content-type": "application/grpc", x: "x".repeat(33 * 1024) },
      200,
      { code: "invalid_argument", reason: "HEADERS_TOO_LARGE" },
    ],
    [
      "headers of 33 KiB, by Connect",
      GET,
      { "content-type": "application/json", x: "x".repeat(33 * 1024) },
      431,
      { code: "invalid_argument", reason: "HEADERS_TOO_LARGE" },
    ],
  ])(
    "gets an error in its protocol's format: %s",
    async ([_name, path, headers, status, failure], { call }) => {
      const response = await call(path, headers, headers[":method"] === "GET" ? undefined : "x");
      expect([response.status, callFailureOf(response)]).toEqual([status, failure]);
    },
  );

  test.for([
    ["too many headers", Object.fromEntries(Array.from({ length: 300 }, (_, at) => [`h${at}`, "x"]))],
    ["headers of 200 KB", { x: "x".repeat(200_000) }],
  ] as const)("is ended by the server if it has %s", async ([_name, headers], { call }) => {
    const { status, resetCode } = await call(GET, { "content-type": "application/grpc", ...headers }, "x");
    expect([status, resetCode > 0]).toEqual([0, true]);
  });

  test("needs HTTP/2 if it is a bidirectional stream", async ({ server }) => {
    for (const type of ["application/connect+json", "application/connect+proto"]) {
      const headers = { "content-type": type };
      const { status, text } = await send(server.integrityUrl, REFLECT, {
        method: "POST",
        headers,
        body: "x",
      });
      expect([status, errorOf(text).reason]).toEqual([505, "HTTP2_REQUIRED"]);
    }
  });

  test("may have a media type in upper case with escaped parameters", async ({ call }) => {
    const { trailers } = await call(GET, { "content-type": "Application/gRPC+Proto" }, envelope(BINARY));
    expect(trailers["grpc-status"]).toBe("0");
    const query = `?message=${encodeURIComponent(JSON_TEXT)}&encoding=%6Ason`;
    const { bytes } = await call(`${GET}${query}`, { ":method": "GET" });
    expect(JSON.parse(bytes.toString())).toMatchObject({ tokenTtl: "3600s" });
  });
});

describe("an HTTP/1.1 connection survives", () => {
  const json = { "content-type": "application/json", authorization: "" };
  test.for<[name: string, path: string, headers: Record<string, string>, body: Buffer, text: string]>([
    ["a call without a token", GET, json, Buffer.from("{}"), "CREDENTIALS_MISSING"],
    [
      "a message that is too large",
      GET,
      { "content-type": "application/proto" },
      Buffer.alloc(20 * MIB),
      "MESSAGE_TOO_LARGE",
    ],
    [
      "a stream without a token",
      IMPORT,
      { "content-type": "application/connect+proto", authorization: "" },
      envelope(eventsOf(Buffer.alloc(3 * MIB, "\n"))),
      "CREDENTIALS_MISSING",
    ],
  ])("%s", async ([_name, path, headers, body, text], { server, editor }) => {
    const url = path === IMPORT ? server.messagingDataUrl : server.integrityUrl;
    const response = await send(url, path, {
      method: "POST",
      headers: { authorization: `Bearer ${editor}`, ...headers },
      body,
    });
    expect(response.text).toContain(text);
  });
});

test("malformed calls are never logged as server errors", ({ server }) => {
  expect(server.log()).not.toContain("INTERNAL_ERROR");
  expect(server.log()).not.toMatch(/Warning|TypeError|ERR_/);
});

test.for([
  ["uncompressed", (message: Buffer) => envelope(message), {}],
  ["packed", (message: Buffer) => envelope(gzipSync(message), 1), { "grpc-encoding": "gzip" }],
] as const)(
  "the error about a message that is too large, without a token, contains the limit: %s",
  async ([_, pack, coding], { call }) => {
    const response = await call(
      REFLECT,
      { "content-type": "application/grpc", authorization: "", ...coding },
      pack(Buffer.alloc(2_000)),
    );
    expect(callFailureOf(response)).toEqual(TOO_LARGE);
    expect({ ...response.headers, ...response.trailers }["grpc-message"]).toContain("larger than 1024 bytes");
  },
);
