import { expect, test } from "vitest";
import { Code } from "../gen/google/rpc/code_pb.js";
import { NoSlotError, WaitTimeoutError } from "../limits/limit-wait.js";
import { StoreBrokenError, StoreUnavailableError } from "../model/store-error.js";
import { asApiError, requestAborted } from "./errors.js";

test.each([
  ["an unavailable store", new StoreUnavailableError("full"), Code.UNAVAILABLE, "STORE_UNAVAILABLE"],
  ["a broken store", new StoreBrokenError("invalidated"), Code.UNAVAILABLE, "STORE_UNAVAILABLE"],
  ["a full queue", new NoSlotError("too many"), Code.UNAVAILABLE, "RESPONSE_QUEUE_FULL"],
  ["a timeout in the queue", new WaitTimeoutError("no slot"), Code.UNAVAILABLE, "RESPONSE_QUEUE_FULL"],
  ["an unexpected error", new TypeError("secret of the inside"), Code.INTERNAL, "INTERNAL_ERROR"],
])("asApiError converts %s, and keeps it as the cause", (_, cause, code, reason) => {
  const error = asApiError(cause, "id-1");
  expect(error).toMatchObject({ code, reason, cause });
  expect(error.message).not.toContain(cause.message);
});

test.each([
  ["an unavailable store", new StoreUnavailableError("full"), "5"],
  ["a full queue", new NoSlotError("too many"), "1"],
])("asApiError sets Retry-After for %s", (_, cause, seconds) => {
  expect(asApiError(cause, "id-1").headers).toEqual({ "retry-after": seconds });
});

test("asApiError returns an ApiError unchanged", () => {
  const error = requestAborted();
  expect(asApiError(error, "id-1")).toBe(error);
});
