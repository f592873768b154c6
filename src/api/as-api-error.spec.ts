import { expect, test } from "vitest";
import { Code } from "../gen/google/rpc/code_pb.js";
import { StoreBrokenError, StoreUnavailableError } from "../model/store-error.js";
import { asApiError } from "./as-api-error.js";
import { requestAborted } from "./call-errors.js";

test.each([
  ["an unavailable store", new StoreUnavailableError("full"), Code.UNAVAILABLE, "STORE_UNAVAILABLE"],
  ["a broken store", new StoreBrokenError("invalidated"), Code.UNAVAILABLE, "STORE_UNAVAILABLE"],
  ["an unexpected error", new TypeError("secret of the inside"), Code.INTERNAL, "INTERNAL_ERROR"],
])("translates %s, and keeps it as the cause", (_, cause, code, reason) => {
  const error = asApiError(cause, "id-1");
  expect(error).toMatchObject({ code, reason, cause });
  expect(error.message).not.toContain(cause.message);
});

test("asks callers of an unavailable store to retry later", () => {
  expect(asApiError(new StoreUnavailableError("full"), "id-1").headers).toEqual({ "retry-after": "5" });
});

test("passes an ApiError through unchanged", () => {
  const error = requestAborted();
  expect(asApiError(error, "id-1")).toBe(error);
});
