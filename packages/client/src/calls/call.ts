/** Options that every call accepts. */
export interface CallOptions {
  /** Aborts the call, even during a pause between attempts. The call then throws the abort reason. */
  readonly signal?: AbortSignal | undefined;
}

/** A call over HTTP with JSON (`google.api.http`), without the server address and the access token. */
export interface Call {
  readonly httpMethod: "DELETE" | "GET" | "PATCH" | "POST";
  /** Percent-encoded path without a leading slash. */
  readonly path: string;
  /** Query parameters by name. Undefined parameters are omitted. */
  readonly query?: Readonly<Record<string, string | number | readonly string[] | undefined>>;
  readonly body?: { readonly type: string; readonly content: string | Uint8Array<ArrayBuffer> };
  /** True if the call is idempotent, so that it may be repeated. */
  readonly repeatable: boolean;
}

/**
 * Returns a call's URL.
 *
 * @param base base address of the service, with a trailing slash.
 */
export function urlOf({ path, query = {} }: Pick<Call, "path" | "query">, base: URL): URL {
  const url = new URL(path, base);
  for (const [name, value] of Object.entries(query)) {
    for (const item of [value ?? []].flat()) url.searchParams.append(name, String(item));
  }
  return url;
}

/** A resource or a request that may have an etag (AIP-154). */
interface WithEtag {
  readonly etag?: string | undefined;
}

export const read = (path: string, query: NonNullable<Call["query"]>): Call => ({
  httpMethod: "GET",
  path,
  query,
  repeatable: true,
});

export const post = (path: string, body: object, repeatable: boolean): Call => ({
  httpMethod: "POST",
  path,
  body: jsonBody(body),
  repeatable,
});

/**
 * Creates a PATCH call. With an etag (AIP-154), the call may be repeated, because the server rejects the etag once the
 * resource has changed. Without an etag, a repetition could undo another change.
 */
export const patch = <R extends object>(path: string, resource: R & WithEtag, updateMask: string): Call => ({
  httpMethod: "PATCH",
  path,
  query: { updateMask },
  body: jsonBody(resource),
  repeatable: hasEtag(resource),
});

/** Returns true if a change has an etag (AIP-154), so that it can be repeated without undoing another change. */
export const hasEtag = ({ etag }: WithEtag): boolean => etag !== undefined && etag !== "";

/** Encodes a value as a JSON request body. */
const jsonBody = (value: object): NonNullable<Call["body"]> => ({
  type: "application/json",
  content: JSON.stringify(value),
});
