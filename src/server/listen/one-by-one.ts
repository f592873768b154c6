import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { MAX_PIPELINED } from "../../limits/limits.js";

type Handle = (request: IncomingMessage, response: ServerResponse) => void;

/**
 * Handles pipelined requests (RFC 9112 §9.3.2) one at a time: each starts when the client has received the
 * previous answer. A client that reads no answers therefore costs at most one. A connection with too many
 * waiting requests is closed.
 */
export function oneByOne(handle: Handle): Handle {
  const waiting = new WeakMap<Socket, number>();
  return (request, response) => {
    // A response has a socket only when its turn has come.
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
