import type { ServerResponse } from "node:http";
import { requestAborted } from "../api/call-errors.js";
import { isGone } from "./http2.js";

/** Makes a signal that aborts if the client disconnects before the response is complete. */
export function responseSignal(response: ServerResponse): AbortSignal {
  if (isGone(response)) return AbortSignal.abort(requestAborted());
  const controller = new AbortController();
  response.once("close", () => {
    if (!response.writableEnded) controller.abort(requestAborted());
  });
  return controller.signal;
}
