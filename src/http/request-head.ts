import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import { isIPv6 } from "node:net";
import type { ApiError } from "../api/api-error.js";
import {
  expectationFailed,
  headersTooLarge,
  malformedRequest,
  transferCodingNotImplemented,
  uriTooLong,
} from "../api/http-errors.js";
import { MAX_HEADER_BYTES, MAX_TARGET_BYTES } from "../limits/limits.js";
import { isHttp2 } from "./http2.js";

/** The head of a request by either version of HTTP. */
export interface RequestHead {
  readonly target: string;
  readonly headers: IncomingHttpHeaders;
  /** Names and values in turn, as they came. */
  readonly rawHeaders: readonly string[];
  /** That of the connection, for HTTP/2; else the one that the request line has. */
  readonly version: "2" | `${number}.${number}`;
}

/** The head of a request, whose target a server may have changed meanwhile. */
export function headOf(request: IncomingMessage, target = request.url ?? ""): RequestHead {
  const { headers, rawHeaders, httpVersion } = request;
  const version = isHttp2(request) ? "2" : (httpVersion as RequestHead["version"]);
  return { target, headers, rawHeaders, version };
}

/** What is wrong with the head of a request: it is too large, or breaks a rule of HTTP that the parser leaves to others. */
export function findHeadFault(head: RequestHead): ApiError | undefined {
  if (head.target.length > MAX_TARGET_BYTES) return uriTooLong(MAX_TARGET_BYTES);
  if (!isWithinLimits(head.rawHeaders)) return headersTooLarge(MAX_HEADER_BYTES);
  const malformed = findVersionFault(head) ?? findHostFault(head);
  if (malformed !== undefined) return malformedRequest(malformed);
  const { "transfer-encoding": coding, expect } = head.headers;
  if (coding !== undefined) {
    // RFC 9112 §6.1
    if (head.version === "1.0") return malformedRequest("HTTP/1.0 has no Transfer-Encoding");
    if (coding.toLowerCase() !== "chunked") return transferCodingNotImplemented(coding);
  }
  // RFC 9110 §10.1.1; the server has answered a 100-continue already.
  if (expect !== undefined && expect.toLowerCase() !== "100-continue") return expectationFailed(expect);
  return undefined;
}

/**
 * The credentials of a request. Several make a list (RFC 9110 §5.3), which is no credentials, so that nobody has to choose
 * the ones that count.
 */
export function authorizationOf({ rawHeaders }: Pick<RequestHead, "rawHeaders">): string | undefined {
  const values = valuesOf(rawHeaders, "authorization");
  return values.length === 0 ? undefined : values.join(", ");
}

function isWithinLimits(rawHeaders: readonly string[]): boolean {
  /** What `: ` and the line end add to each header. */
  const LINE_OVERHEAD = 4;
  let size = (rawHeaders.length / 2) * LINE_OVERHEAD;
  for (const text of rawHeaders) size += text.length;
  return size <= MAX_HEADER_BYTES;
}

/** The parser takes any digits for a version. */
function findVersionFault({ version }: RequestHead): string | undefined {
  return ["1.0", "1.1", "2"].includes(version) ? undefined : `HTTP/${version} is not spoken in this form`;
}

const SCHEME = /^[a-z][a-z0-9+.-]*:\/\//i;

/** RFC 9112 §3.2, RFC 9113 §8.3.1 */
function findHostFault({ target, rawHeaders, version }: RequestHead): string | undefined {
  const hosts = valuesOf(rawHeaders, "host");
  const authorities = version === "2" ? valuesOf(rawHeaders, ":authority") : [];
  if (hosts.length > 1) return "there is more than one Host header";
  if (hosts.length + authorities.length === 0 && version !== "1.0") return "there is no Host header";
  if (new Set([...hosts, ...authorities].map((text) => text.toLowerCase())).size > 1) {
    return "Host and :authority differ";
  }
  // The absolute form of a target, which proxies get.
  if (SCHEME.test(target)) authorities.push(/^[^/?#]*/.exec(target.replace(SCHEME, ""))?.[0] ?? "");
  return [...hosts, ...authorities].every(isHost) ? undefined : "its Host is empty, or not a host";
}

function valuesOf(rawHeaders: readonly string[], name: string): string[] {
  const values: string[] = [];
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const given = rawHeaders[at];
    if (given?.length === name.length && given.toLowerCase() === name) values.push(rawHeaders[at + 1] ?? "");
  }
  return values;
}

/** A host and, perhaps, a port (RFC 9110 §7.2, RFC 3986 §3.2.2): an address in brackets, or a name or an address without. */
const HOST = /^(?:\[([^\]]*)\]|(?:[\w.~!$&'()*+,;=-]|%[\da-f]{2})+)(?::(\d*))?$/i;
const FUTURE_ADDRESS = /^v[\da-f]+\.[\w.~!$&'()*+,;=:-]+$/i;
const LARGEST_PORT = 65_535;

/** Whether a text can be the value of `Host` or of `:authority`. */
export function isHost(text: string): boolean {
  const [whole, address, port = ""] = HOST.exec(text) ?? [];
  if (whole === undefined || Number(port) > LARGEST_PORT) return false;
  // An address with a zone means nothing to others (RFC 6874 §1).
  return address === undefined || (isIPv6(address) && !address.includes("%")) || FUTURE_ADDRESS.test(address);
}

/** A request target in its two parts, both raw. */
export interface RequestTarget {
  readonly path: string;
  /** What follows the first `?`; empty if nothing does. */
  readonly query: string;
}

const SCHEME_AND_AUTHORITY = /^[a-z][a-z0-9+.-]*:\/\/[^/]*/i;

/** Splits a request target, in origin form (`/path?query`) or absolute form (`http://host/path?query`; RFC 9112 §3.2). */
export function splitRequestTarget(target: string): RequestTarget {
  const mark = target.indexOf("?");
  const path = mark < 0 ? target : target.slice(0, mark);
  return {
    path: path.startsWith("/") ? path : path.replace(SCHEME_AND_AUTHORITY, ""),
    query: mark < 0 ? "" : target.slice(mark + 1),
  };
}
