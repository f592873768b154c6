import type { ServerResponse } from "node:http";
import type { Http2ServerRequest } from "node:http2";
import { isIPv6, type Socket } from "node:net";
import { requestAborted } from "../api/errors.js";

/** Returns true if a request came over HTTP/2, through Node's compatibility API. */
export function isHttp2(request: object): request is Http2ServerRequest {
  return "stream" in request;
}

/**
 * Returns true if a response's client has disconnected. On HTTP/2, only the stream knows this. On HTTP/1.1, the socket
 * knows it before the response does.
 */
export function isGone(response: ServerResponse): boolean {
  if (response.destroyed) return true;
  if ("stream" in response) return (response.stream as { destroyed: boolean }).destroyed;
  return response.socket?.destroyed === true;
}

/** Creates a signal that aborts if the client disconnects before the response is complete. */
export function responseSignal(response: ServerResponse): AbortSignal {
  if (isGone(response)) return AbortSignal.abort(requestAborted());
  const controller = new AbortController();
  response.once("close", () => {
    if (!response.writableEnded) controller.abort(requestAborted());
  });
  return controller.signal;
}

/** Number of 16-bit groups in a /64 prefix. A single client may own the whole /64 network (RFC 6177 §2). */
const NETWORK_GROUPS = 4;

/**
 * Returns the network that identifies an unauthenticated client: its IPv4 address or, because a client can use any
 * address of its network, its IPv6 /64 network. Empty if the connection has already ended.
 */
export function remoteNetwork({ remoteAddress = "" }: Pick<Socket, "remoteAddress">): string {
  const [, mapped] = /^::ffff:([\d.]+)$/i.exec(remoteAddress) ?? [];
  if (mapped !== undefined) return mapped;
  return isIPv6(remoteAddress)
    ? `${groupsOf(remoteAddress).slice(0, NETWORK_GROUPS).join(":")}::/64`
    : remoteAddress;
}

/** Expands an IPv6 address to eight groups; `::` stands for groups of zeros (RFC 4291 §2.2). */
function groupsOf(address: string): string[] {
  const [head = "", tail = ""] = address.toLowerCase().split("::");
  const split = (part: string): string[] => (part === "" ? [] : part.split(":"));
  const before = split(head);
  const after = split(tail);
  const zeros = Array.from({ length: Math.max(0, 8 - before.length - after.length) }, () => "0");
  return [...before, ...zeros, ...after];
}
