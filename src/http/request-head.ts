import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import { isIPv6 } from "node:net";
import type { ApiError } from "../api/api-error.js";
import { MAX_HEADER_BYTES, MAX_TARGET_BYTES } from "../limits/limits.js";
import {
  expectationFailed,
  headersTooLarge,
  malformedRequest,
  transferCodingNotImplemented,
  uriTooLong,
} from "./errors.js";
import { isHttp2 } from "./peer.js";

/** The head of a request by HTTP/1.1 or HTTP/2. */
export interface RequestHead {
  readonly target: string;
  readonly headers: IncomingHttpHeaders;
  /** Alternating names and values, as received. */
  readonly rawHeaders: readonly string[];
  /** The version of the connection for HTTP/2; otherwise, the version in the request line. */
  readonly version: "2" | `${number}.${number}`;
}

/** The head of a request. */
export function headOf(request: IncomingMessage): RequestHead {
  const { url: target = "", headers, rawHeaders, httpVersion } = request;
  const version = isHttp2(request) ? "2" : (httpVersion as RequestHead["version"]);
  return { target, headers, rawHeaders, version };
}

/** Finds an error in the head of a request: its size, or a rule of HTTP that the parser does not check. */
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
  // RFC 9110 §10.1.1; the server has already answered `100-continue`.
  if (expect !== undefined && expect.toLowerCase() !== "100-continue") return expectationFailed(expect);
  return undefined;
}

/**
 * The credentials of a request. Several `Authorization` headers form a list (RFC 9110 §5.3), which is not
 * valid as credentials; no code has to choose among them.
 */
export function authorizationOf({ rawHeaders }: Pick<RequestHead, "rawHeaders">): string | undefined {
  const values = valuesOf(rawHeaders, "authorization");
  return values.length === 0 ? undefined : values.join(", ");
}

function isWithinLimits(rawHeaders: readonly string[]): boolean {
  /** Bytes of `: ` and the line end, for each header. */
  const LINE_OVERHEAD = 4;
  let size = (rawHeaders.length / 2) * LINE_OVERHEAD;
  for (const text of rawHeaders) size += text.length;
  return size <= MAX_HEADER_BYTES;
}

/** Checks the HTTP version; the parser accepts any digits. */
function findVersionError({ version }: RequestHead): string | undefined {
  return ["1.0", "1.1", "2"].includes(version) ? undefined : `HTTP/${version} is not spoken in this form`;
}

/** The host that a request is for, without its port and in lowercase; `undefined` if it names none (HTTP/1.0). */
export function hostOfRequest({ target, rawHeaders }: RequestHead): string | undefined {
  const host = authorityOf(target) ?? valuesOf(rawHeaders, "host")[0];
  return host?.replace(/:\d*$/, "").toLowerCase();
}

/** The authority of a target in absolute form, as proxies receive it. It counts instead of `Host` (RFC 9112 §3.2.2). */
const authorityOf = (target: string): string | undefined =>
  SCHEME.test(target) ? (/^[^/?#]*/.exec(target.replace(SCHEME, ""))?.[0] ?? "") : undefined;

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
  return hosts.every(isHost) ? undefined : "its Host is empty, or not a host";
}

function valuesOf(rawHeaders: readonly string[], name: string): string[] {
  const values: string[] = [];
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const given = rawHeaders[at];
    if (given?.length === name.length && given.toLowerCase() === name) values.push(rawHeaders[at + 1] ?? "");
  }
  return values;
}

/**
 * A host with an optional port (RFC 9110 §7.2, RFC 3986 §3.2.2): an address in brackets, or a name or IPv4
 * address.
 */
const HOST = /^(?:\[([^\]]*)\]|(?:[\w.~!$&'()*+,;=-]|%[\da-f]{2})+)(?::(\d*))?$/i;
const FUTURE_ADDRESS = /^v[\da-f]+\.[\w.~!$&'()*+,;=:-]+$/i;
const MAX_PORT = 65_535;

/** Returns true if a text is a valid value of `Host` or `:authority`. */
export function isHost(text: string): boolean {
  const [whole, address, port = ""] = HOST.exec(text) ?? [];
  if (whole === undefined || Number(port) > MAX_PORT) return false;
  // The zone of an address is meaningless to other hosts (RFC 6874 §1).
  return address === undefined || (isIPv6(address) && !address.includes("%")) || FUTURE_ADDRESS.test(address);
}

/** The two parts of a request target, both raw. */
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
