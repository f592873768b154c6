import { Code as ConnectCode } from "@connectrpc/connect";
import { setTrailerStatus } from "@connectrpc/connect/protocol-grpc";
import { expect, it, test } from "vitest";
import { ApiError, type ApiErrorInit } from "../../api/api-error.js";
import { Code } from "../../gen/google/rpc/code_pb.js";
import { BadRequestSchema, ErrorInfoSchema } from "../../gen/google/rpc/error_details_pb.js";
import { MAX_ERROR_HEADER_BYTES } from "../../limits/request-limits.js";
import { connectError, grpcMessage, grpcStatus } from "./connect-error.js";

const errorOf = (init: Partial<ApiErrorInit>) =>
  connectError(new ApiError({ code: Code.INVALID_ARGUMENT, reason: "R", message: "M", ...init }), "d.test");

it("connectError has the same content as the HTTP/JSON error", () => {
  const error = errorOf({
    code: Code.RESOURCE_EXHAUSTED,
    reason: "RATE_LIMIT_EXCEEDED",
    message: "Too many.",
    metadata: { a: "1" },
    violations: [{ field: "f", description: "is wrong" }],
    headers: { "retry-after": "7" },
  });
  expect([error.code, error.rawMessage]).toEqual([ConnectCode.ResourceExhausted, "Too many."]);
  expect(error.metadata.get("retry-after")).toBe("7");
  expect(error.findDetails(ErrorInfoSchema)).toMatchObject([
    { reason: "RATE_LIMIT_EXCEEDED", domain: "d.test", metadata: { a: "1" } },
  ]);
  expect(error.findDetails(BadRequestSchema)).toMatchObject([
    { fieldViolations: [{ field: "f", description: "is wrong" }] },
  ]);
});

it("connectError adds no BadRequest detail without violations", () => {
  expect(errorOf({}).details).toHaveLength(1);
});

it("connectError never reveals the cause", () => {
  const trailer = setTrailerStatus(new Headers(), errorOf({ cause: new Error("secret") }));
  expect(JSON.stringify([...trailer])).not.toContain("secret");
});

test("connectError shortens a long list of violations to the header size", () => {
  const violations = Array.from({ length: 100 }, (_, index) => ({
    field: `lines[${index + 1}].eventType`,
    description: `is not a type of event: ${"é".repeat(50)}`,
  }));
  const error = errorOf({ violations });
  const [badRequest] = error.findDetails(BadRequestSchema);
  const reported =
    badRequest?.fieldViolations.map(({ field, description }) => ({ field, description })) ?? [];
  expect(reported).toEqual(violations.slice(0, reported.length));
  expect(reported.length).toBeGreaterThanOrEqual(20);
  const size = [...setTrailerStatus(new Headers(), error)].join("").length;
  expect(size).toBeLessThan(8 * 1024);
});

test.each<[string, Partial<ApiErrorInit>]>([
  ["a message of a megabyte", { message: "x".repeat(2 ** 20) }],
  ["a message of other letters", { message: "世".repeat(2 ** 20) }],
  ["a message of pairs of surrogates", { message: "\u{1f600}".repeat(2 ** 20) }],
  ["a message of percent signs", { message: "%".repeat(2 ** 20) }],
  ["metadata of megabytes", { metadata: { a: "é".repeat(2 ** 20), b: "\u{1f600}".repeat(2 ** 20), c: "d" } }],
  [
    "a violation of megabytes",
    { violations: [{ field: "é".repeat(2 ** 20), description: "x".repeat(2 ** 20) }] },
  ],
  [
    "all of them",
    {
      message: "世".repeat(2 ** 20),
      metadata: {
        field: "世".repeat(2 ** 20),
        description: "y".repeat(2 ** 20),
        alsoInvalid: "z".repeat(2 ** 20),
      },
      violations: Array.from({ length: 500 }, () => ({ field: "f".repeat(30), description: "d".repeat(30) })),
    },
  ],
])("connectError shortens %s to the header size", (_, init) => {
  const error = errorOf(init);
  const status = grpcStatus(error);
  const lines = [...status].map(([name, value]) => `${name}: ${value}\r\n`);
  expect(lines.join("").length).toBeLessThanOrEqual(MAX_ERROR_HEADER_BYTES);
  expect(Buffer.from(error.rawMessage).toString()).toBe(error.rawMessage);
  expect(decodeURIComponent(status.get("grpc-message") ?? "")).toBe(error.rawMessage);
  const [info] = error.findDetails(ErrorInfoSchema);
  expect(Object.keys(info?.metadata ?? {})).toEqual(Object.keys(init.metadata ?? {}));
});

test("connectError replaces a lone surrogate, because headers cannot contain it", () => {
  const trailer = setTrailerStatus(new Headers(), errorOf({ message: "not \ud800 text" }));
  expect(decodeURIComponent(trailer.get("grpc-message") ?? "")).toBe("not \ufffd text");
});

test.each([
  ["", ""],
  ["Send `a: b/c, d;e@f&g=h+i$j#k?` ~", "Send `a: b/c, d;e@f&g=h+i$j#k?` ~"],
  ["100%", "100%25"],
  ["%3A", "%253A"],
  ["é\n\u{1f600}\x7f", "%C3%A9%0A%F0%9F%98%80%7F"],
])("grpcMessage(%j) is %j", (text, sent) => {
  expect(grpcMessage(text)).toBe(sent);
  expect(decodeURIComponent(sent)).toBe(text);
});
