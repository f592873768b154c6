import { decodeQueryText } from "./percent-decoding.js";

/** One parameter of a query. */
export interface QueryParameter {
  /** Decoded name; the raw text if it cannot be decoded. */
  readonly name: string;
  /** Decoded value; `undefined` if name or value has a malformed escape or is not UTF-8. */
  readonly value: string | undefined;
}

/** Splits a raw query at `&`. A parameter without `=` has an empty value; empty pieces are ignored. */
export function parseQuery(query: string): QueryParameter[] {
  const parameters: QueryParameter[] = [];
  for (const piece of query.split("&")) {
    if (piece === "") continue;
    const mark = piece.indexOf("=");
    const rawName = mark < 0 ? piece : piece.slice(0, mark);
    const name = decodeQueryText(rawName);
    const value = mark < 0 ? "" : decodeQueryText(piece.slice(mark + 1));
    parameters.push({ name: name ?? rawName, value: name === undefined ? undefined : value });
  }
  return parameters;
}
