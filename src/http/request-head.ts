import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import { isIPv6 } from "node:net";
import type { ApiError } from "../api/api-error.js";
import { MAX_HEADER_BYTES, MAX_TARGET_BYTES } from "../limits/request-limits.js";
import {
  expectationFailed,
  headersTooLarge,
  malformedRequest,
  transferCodingNotImplemented,
  uriTooLong,
} from "./errors.js";
import { isHttp2 } from "./peer.js";

/** Target, headers and version of a request. */
export interface RequestHead {
  readonly target: string;
  readonly headers: IncomingHttpHeaders;
  /** Alternating header names and values, as received. */
  readonly rawHeaders: readonly string[];
  /** For HTTP/1, the version in the request line. */
  readonly version: "2" | `${number}.${number}`;
}

export function headOf(request: IncomingMessage): RequestHead {
  const { url: target = "", headers, rawHeaders, httpVersion } = request;
  const version = isHttp2(request) ? "2" : (httpVersion as RequestHead["version"]);
  return { target, headers, rawHeaders, version };
}

/** Checks a request head's size, and the HTTP rules that Node.js does not check. */
export function findHeadError(head: RequestHead): ApiError | undefined {
  if (head.target.length > MAX_TARGET_BYTES) return uriTooLong(MAX_TARGET_BYTES);
  if (!isWithinLimits(head.rawHeaders)) return headersTooLarge(MAX_HEADER_BYTES);
  const malformed = findVersionError(head) ?? findHostError(head);
  if (malformed !== undefined) return malformedRequest(malformed);
  const { "transfer-encoding": coding, expect } = head.headers;
  if (coding !== undefined) {
    // RFC 9112 §6.1
    if (head.version === "1.0") return malformedRequest("HTTP/1.0 has no Transfer-Encoding");
    if (coding.toLowerCase() !== "chunked") return transferCodingNotImplemented(coding);
  }
  // RFC 9110 §10.1.1; Node.js has already responded to `100-continue`.
  if (expect !== undefined && expect.toLowerCase() !== "100-continue") return expectationFailed(expect);
  return undefined;
}

/**
 * Returns the `Authorization` header. Several such headers become one list (RFC 9110 §5.3), which is never a valid
 * credential.
 */
export function authorizationOf({ rawHeaders }: Pick<RequestHead, "rawHeaders">): string | undefined {
  const values = valuesOf(rawHeaders, "authorization");
  return values.length === 0 ? undefined : values.join(", ");
}

function isWithinLimits(rawHeaders: readonly string[]): boolean {
  /** Size of `: ` and the line end in a header, in bytes. */
  const LINE_OVERHEAD = 4;
  let size = (rawHeaders.length / 2) * LINE_OVERHEAD;
  for (const text of rawHeaders) size += text.length;
  return size <= MAX_HEADER_BYTES;
}

/** Checks the HTTP version. The parser of Node.js accepts any digits. */
function findVersionError({ version }: RequestHead): string | undefined {
  return ["1.0", "1.1", "2"].includes(version) ? undefined : `HTTP/${version} is not supported`;
}

/**
 * Returns the requested host in lower case, without its port. Returns `undefined` for an HTTP/1.0 request without a
 * host.
 */
export function hostOfRequest({ target, rawHeaders }: RequestHead): string | undefined {
  const host = authorityOf(target) ?? valuesOf(rawHeaders, "host")[0];
  return host?.replace(/:\d*$/, "").toLowerCase();
}

/** Returns the authority in an absolute-form target. It overrides the `Host` header (RFC 9112 §3.2.2). */
const authorityOf = (target: string): string | undefined =>
  SCHEME.test(target) ? target.replace(SCHEME, "").replace(/[/?#][\s\S]*/, "") : undefined;

const SCHEME = /^[a-z][a-z0-9+.-]*:\/\//i;

/** Checks the host (RFC 9112 §3.2, RFC 9113 §8.3.1). */
function findHostError({ target, rawHeaders, version }: RequestHead): string | undefined {
  const hosts = valuesOf(rawHeaders, "host");
  if (hosts.length > 1) return "there is more than one Host header";
  if (version === "2") hosts.push(...valuesOf(rawHeaders, ":authority"));
  if (hosts.length === 0 && version !== "1.0") return "there is no Host header";
  if (hosts.length > 1 && new Set(hosts.map((text) => text.toLowerCase())).size > 1) {
    return "Host and :authority differ";
  }
  const authority = authorityOf(target);
  if (authority !== undefined) hosts.push(authority);
  return hosts.every(isHost) ? undefined : "its host is empty or invalid";
}

function valuesOf(rawHeaders: readonly string[], name: string): string[] {
  const values: string[] = [];
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const [header, value] = [rawHeaders[at], rawHeaders[at + 1]];
    if (header?.length === name.length && header.toLowerCase() === name && value !== undefined)
      values.push(value);
  }
  return values;
}

/**
 * A host with an optional port (RFC 9110 §7.2, RFC 3986 §3.2.2): an IP address in brackets, or a name or IPv4 address.
 */
const HOST = /^(?:\[([^\]]*)\]|(?:[\w.~!$&'()*+,;=-]|%[\da-f]{2})+)(?::(\d*))?$/i;
const FUTURE_ADDRESS = /^v[\da-f]+\.[\w.~!$&'()*+,;=:-]+$/i;
const MAX_PORT = 65_535;

/** The last valid host. Clients of one server nearly always send the same one. */
let lastHost: string | undefined;

/** Returns true if a string is a valid value of `Host` or `:authority`. */
export function isHost(text: string): boolean {
  if (text === lastHost) return true;
  if (!matchesHost(text)) return false;
  lastHost = text;
  return true;
}

function matchesHost(text: string): boolean {
  const [whole, address, port = ""] = HOST.exec(text) ?? [];
  if (whole === undefined || Number(port) > MAX_PORT) return false;
  // Zone ids have no meaning for other hosts (RFC 6874 §1).
  return address === undefined || (isIPv6(address) && !address.includes("%")) || FUTURE_ADDRESS.test(address);
}

/** Path and query of a request target, as received. */
export interface RequestTarget {
  readonly path: string;
  /** Text after the first `?`; empty without a `?`. */
  readonly query: string;
}

const SCHEME_AND_AUTHORITY = /^[a-z][a-z0-9+.-]*:\/\/[^/]*/i;

/**
 * Splits a request target (RFC 9112 §3.2) in origin form (`/path?query`) or absolute form
 * (`http://host/path?query`).
 */
export function splitRequestTarget(target: string): RequestTarget {
  const mark = target.indexOf("?");
  const path = mark < 0 ? target : target.slice(0, mark);
  return {
    path: path.startsWith("/") ? path : path.replace(SCHEME_AND_AUTHORITY, ""),
    query: mark < 0 ? "" : target.slice(mark + 1),
  };
}
