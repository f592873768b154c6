import { expect, test } from "vitest";
import { cutShort, errorOf } from "./failed-responses.js";

const SENDER = { origin: "http://h", service: "messaging-data" };
const NO_REASON = "without a reason. Is it the messaging-data service?";

const status = (error: unknown): string => JSON.stringify({ error });

test.each<[name: string, status: number, text: string, expected: object]>([
  [
    "a complete error",
    400,
    status({
      code: 400,
      message: "No.",
      status: "INVALID_ARGUMENT",
      details: [
        {
          "@type": "type.googleapis.com/google.rpc.ErrorInfo",
          reason: "R",
          domain: "d",
          metadata: { a: "b" },
        },
        {
          "@type": "type.googleapis.com/google.rpc.BadRequest",
          fieldViolations: [{ field: "f", description: "g" }, {}],
        },
      ],
    }),
    {
      code: "INVALID_ARGUMENT",
      message: "No.",
      reason: "R",
      domain: "d",
      metadata: { a: "b" },
      violations: [
        { field: "f", description: "g" },
        { field: "", description: "" },
      ],
      outcomeUnknown: false,
    },
  ],
  [
    "an error without details",
    503,
    status({ message: "Later.", status: "UNAVAILABLE" }),
    { code: "UNAVAILABLE", message: "Later.", reason: undefined, metadata: {}, violations: [] },
  ],
  [
    "details of unknown types",
    404,
    status({ message: "No.", status: "NOT_FOUND", details: [null, 1, "x", { "@type": "y" }] }),
    { code: "NOT_FOUND", reason: undefined },
  ],
  [
    "an internal error",
    500,
    status({ message: "Oh.", status: "INTERNAL" }),
    { code: "INTERNAL", outcomeUnknown: true },
  ],
  [
    "a page",
    502,
    "<html>",
    { code: "UNAVAILABLE", message: `http://h responded with HTTP status 502 ${NO_REASON}` },
  ],
  [
    "nothing",
    404,
    "",
    { code: "UNIMPLEMENTED", message: `http://h responded with HTTP status 404 ${NO_REASON}` },
  ],
  ["JSON from another server", 429, '{"message":"slow down"}', { code: "UNAVAILABLE", outcomeUnknown: true }],
  ["an error in words", 401, status("no"), { code: "UNAUTHENTICATED" }],
  ["an unknown code", 403, status({ message: "No.", status: "NOPE" }), { code: "PERMISSION_DENIED" }],
  [
    "a property name of all objects",
    418,
    status({ message: "No.", status: "toString" }),
    { code: "UNKNOWN" },
  ],
  ["a redirect without an address", 302, "null", { code: "UNKNOWN" }],
])("errorOf converts the response %s", (_, httpStatus, text, expected) => {
  const headers = new Headers({ "x-request-id": "id", "retry-after": "3" });
  expect(errorOf({ status: httpStatus, headers, text }, SENDER)).toMatchObject({
    httpStatus,
    requestId: "id",
    retryAfterMs: 3000,
    ...expected,
  });
});

const failed = (cause: unknown): TypeError => new TypeError("fetch failed", { cause });
const system = (code: string): Error => Object.assign(new Error(`connect ${code}`), { code });

test.each<[name: string, cause: unknown, begun: boolean, message: string, outcomeUnknown: boolean]>([
  ["ECONNREFUSED", failed(system("ECONNREFUSED")), false, "cannot be reached: connect ECONNREFUSED", false],
  [
    "ECONNREFUSED from all addresses",
    failed(new AggregateError([system("ECONNREFUSED"), system("ECONNREFUSED")])),
    false,
    "cannot be reached: connect ECONNREFUSED",
    false,
  ],
  ["reset", failed(system("ECONNRESET")), false, "cannot be reached: connect ECONNRESET", true],
  [
    "a browser's error message",
    new TypeError("Failed to fetch"),
    false,
    "cannot be reached: Failed to fetch",
    true,
  ],
  ["cut", failed(new Error("other side closed")), true, "ended early: other side closed", true],
  ["no error at all", "gone", false, "cannot be reached: gone", true],
])("cutShort explains a failed request: %s", (_, cause, begun, message, outcomeUnknown) => {
  const error = cutShort(cause, SENDER, begun);
  expect(error).toMatchObject({ code: "UNAVAILABLE", httpStatus: undefined, outcomeUnknown, cause });
  expect(error.message).toContain(message);
});
