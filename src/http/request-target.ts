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
