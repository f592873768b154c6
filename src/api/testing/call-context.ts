import { Readable } from "node:stream";
import { NO_PRECONDITIONS } from "../preconditions.js";
import type { CallContext } from "../service.js";
import { ResourceName } from "../service.js";

/** Parses a resource name such as `projects/p/apps/a`. */
export function resourceName(text: string): ResourceName {
  const [, ...ids] = text
    .split("/")
    .map((id, index, parts): [string, string] => [String(parts[index - 1]), id]);
  return new ResourceName(ids);
}

export function callContext<A>(caller: A, more: Partial<CallContext<A>> = {}): CallContext<A> {
  return {
    caller,
    resource: resourceName(""),
    requestId: "1",
    signal: new AbortController().signal,
    waitForSlot: async () => {},
    format: "json",
    preconditions: NO_PRECONDITIONS,
    body: Readable.from([]),
    ...more,
  };
}
