import type { ServerResponse } from "node:http";
import { requestAborted } from "../api/http-errors.js";
import { isGone } from "./http2.js";

/** A signal that aborts when the client has gone before the response was complete. */
export function responseSignal(response: ServerResponse): AbortSignal {
  if (isGone(response)) return AbortSignal.abort(requestAborted());
  const controller = new AbortController();
  response.once("close", () => {
    if (!response.writableEnded) controller.abort(requestAborted());
  });
  return controller.signal;
}
