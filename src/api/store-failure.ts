import { Code } from "../gen/google/rpc/code_pb.js";
import { StoreUnavailableError } from "../model/store-error.js";
import { ApiError } from "./api-error.js";

/** What a caller is told when the store fails; any other error passes unchanged. */
export function toApiError(error: unknown): unknown {
  if (!(error instanceof StoreUnavailableError)) return error;
  return new ApiError({
    code: Code.UNAVAILABLE,
    reason: "STORE_UNAVAILABLE",
    message: "The store cannot be reached at the moment: try again after a while.",
    headers: { "retry-after": "5" },
    cause: error,
  });
}
