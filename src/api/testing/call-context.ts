import { Readable } from "node:stream";
import { NO_PRECONDITIONS } from "../preconditions.js";
import type { CallContext } from "../service.js";

/** Creates a call context for tests of handlers. */
export function callContext<A>(caller: A, more: Partial<CallContext<A>> = {}): CallContext<A> {
  return {
    caller,
    requestId: "1",
    signal: new AbortController().signal,
    turn: async () => {},
    format: "json",
    preconditions: NO_PRECONDITIONS,
    body: Readable.from([]),
    ...more,
  };
}
