import { printable } from "../../limits/excerpt.js";
import { isJsonObject, type PageProblems } from "./known-fields.js";
import { UpstreamError } from "./upstream.js";

/** A page of a list with any kind of items (AIP-158). */
export interface Listing {
  readonly items: readonly unknown[];
  /** Token of the next page. Empty on the last page. */
  readonly nextPageToken: string;
}

/** Names of the field with the page token, in ProtoJSON and in the contract. */
const NEXT_PAGE_TOKEN = ["nextPageToken", "next_page_token"];

/** Maximum number of bytes of an unreadable response to show in an error. */
const MAX_BEGINNING_BYTES = 256;

/**
 * Parses a page of a list. If the field with the items is absent, the page has no items.
 *
 * @param names names that the field with the items may have.
 * @param problems collects unknown fields.
 * @throws UpstreamError of kind `form` if the body is not a page.
 */
export function readListing(body: Uint8Array, names: readonly string[], problems: PageProblems): Listing {
  return listingOf(parse(body), names, problems);
}

/** Reads a parsed page, like {@link readListing}. */
export function listingOf(page: unknown, names: readonly string[], problems: PageProblems): Listing {
  if (!isJsonObject(page)) throw new UpstreamError("form", "the response is not a JSON object");
  for (const name of Object.keys(page)) {
    if (!names.includes(name) && !NEXT_PAGE_TOKEN.includes(name)) {
      problems.add(`unknown field ${printable(name)}`);
    }
  }
  const items = fieldOf(page, names) ?? [];
  if (!Array.isArray(items)) throw new UpstreamError("form", `${names[0]} in the response is not an array`);
  const nextPageToken = fieldOf(page, NEXT_PAGE_TOKEN) ?? "";
  if (typeof nextPageToken !== "string") {
    throw new UpstreamError("form", "nextPageToken in the response is not a string");
  }
  return { items, nextPageToken };
}

function fieldOf(page: Readonly<Record<string, unknown>>, names: readonly string[]): unknown {
  const name = names.find((name) => page[name] !== undefined && page[name] !== null);
  return name === undefined ? undefined : page[name];
}

function parse(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(body));
  } catch {
    if (body.length === 0) throw new UpstreamError("form", "the response is empty");
    const beginning = printable(Buffer.from(body.subarray(0, MAX_BEGINNING_BYTES)).toString());
    throw new UpstreamError("form", `the response is not complete JSON: it begins with ${beginning}`);
  }
}
