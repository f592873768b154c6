import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { MAX_PIPELINED } from "../../limits/limits.js";

type Handle = (request: IncomingMessage, response: ServerResponse) => void;

/**
 * Hands on the requests that a client pipelines (RFC 9112 §9.3.2) one by one: each when the client has taken the answer to
 * the one before. So a connection has one answer at a time, and a client that reads none causes no more than one. A connection
 * on which too many requests wait is closed.
 */
export function oneByOne(handle: Handle): Handle {
  const waiting = new WeakMap<Socket, number>();
  return (request, response) => {
    // A response gets its socket when it is its turn.
    if (response.socket !== null) return handle(request, response);
    const { socket } = request;
    const count = (waiting.get(socket) ?? 0) + 1;
    if (count > MAX_PIPELINED) {
      socket.destroy();
      return;
    }
    waiting.set(socket, count);
    response.once("socket", () => {
      waiting.set(socket, (waiting.get(socket) ?? 1) - 1);
      handle(request, response);
    });
  };
}
