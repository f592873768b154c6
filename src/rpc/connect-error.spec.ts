import { Code as ConnectCode } from "@connectrpc/connect";
import { setTrailerStatus } from "@connectrpc/connect/protocol-grpc";
import { expect, it, test } from "vitest";
import { Code } from "../gen/google/rpc/code_pb.js";
import { BadRequestSchema, ErrorInfoSchema } from "../gen/google/rpc/error_details_pb.js";
import { ApiError, type ApiErrorInit } from "../transcoding/api-error.js";
import { connectError } from "./connect-error.js";

const errorOf = (init: Partial<ApiErrorInit>) =>
  connectError(new ApiError({ code: Code.INVALID_ARGUMENT, reason: "R", message: "M", ...init }), "d.test");

it("says what the failure says by HTTP/JSON", () => {
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

it("has no violations where there are none", () => {
  expect(errorOf({}).details).toHaveLength(1);
});

it("never tells the cause", () => {
  const trailer = setTrailerStatus(new Headers(), errorOf({ cause: new Error("secret") }));
  expect(JSON.stringify([...trailer])).not.toContain("secret");
});

test("many violations are cut to what a header holds", () => {
  const violations = Array.from({ length: 100 }, (_, index) => ({
    field: `lines[${index + 1}].eventType`,
    description: `is not a type of event: ${"é".repeat(50)}`,
  }));
  const error = errorOf({ violations });
  const [badRequest] = error.findDetails(BadRequestSchema);
  const told = badRequest?.fieldViolations.map(({ field, description }) => ({ field, description })) ?? [];
  expect(told).toEqual(violations.slice(0, told.length));
  expect(told.length).toBeGreaterThan(20);
  const size = [...setTrailerStatus(new Headers(), error)].join("").length;
  expect(size).toBeLessThan(8 * 1024);
});

test("a message that no header can hold is mended", () => {
  const trailer = setTrailerStatus(new Headers(), errorOf({ message: "not \ud800 text" }));
  expect(decodeURIComponent(trailer.get("grpc-message") ?? "")).toBe("not \ufffd text");
});
