/** Options of every call. */
export interface CallOptions {
  /** Aborts the call, also between attempts. The call then throws the abort reason. */
  readonly signal?: AbortSignal | undefined;
}

/** A call over HTTP/JSON (`google.api.http`), without address and token. */
export interface Call {
  readonly httpMethod: "DELETE" | "GET" | "PATCH" | "POST";
  /** Percent-encoded, without a leading slash. */
  readonly path: string;
  /** Query parameters by name; undefined ones are omitted. */
  readonly query?: Readonly<Record<string, string | number | readonly string[] | undefined>>;
  readonly body?: { readonly type: string; readonly content: string | Uint8Array<ArrayBuffer> };
  /** True if the call is idempotent. */
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

/** Returns a call that changes nothing. */
export const read = (path: string, query: NonNullable<Call["query"]>): Call => ({
  httpMethod: "GET",
  path,
  query,
  repeatable: true,
});

/** Returns a JSON body. */
export const jsonBody = (value: object): NonNullable<Call["body"]> => ({
  type: "application/json",
  content: JSON.stringify(value),
});
