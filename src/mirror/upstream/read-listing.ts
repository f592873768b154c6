import { printable } from "../../limits/excerpt.js";
import { isJsonObject, type PageProblems } from "./known-fields.js";
import { UpstreamError } from "./upstream.js";

/** A page of any list (AIP-158). */
export interface Listing {
  readonly items: readonly unknown[];
  /** Empty on the last page. */
  readonly nextPageToken: string;
}

/** The field of page tokens, by its name in ProtoJSON and in the contract. */
const NEXT_PAGE_TOKEN = ["nextPageToken", "next_page_token"];

/** Longest beginning of an unreadable answer that is decoded for its excerpt, in bytes. */
const MAX_BEGINNING_BYTES = 256;

/**
 * Reads the JSON of a page of a list. A page without the field of the items has none.
 *
 * @param names names that the field of the items may have.
 * @param problems is told of other fields.
 * @throws UpstreamError with the fault `form` if the body is no such page.
 */
export function readListing(body: Uint8Array, names: readonly string[], problems: PageProblems): Listing {
  const page = parse(body);
  if (!isJsonObject(page)) throw new UpstreamError("form", "the answer is not a JSON object");
  for (const name of Object.keys(page)) {
    if (!names.includes(name) && !NEXT_PAGE_TOKEN.includes(name)) {
      problems.tell(`unknown field ${printable(name)}`);
    }
  }
  const items = fieldOf(page, names) ?? [];
  if (!Array.isArray(items)) throw new UpstreamError("form", `${names[0]} of the answer is not an array`);
  const nextPageToken = fieldOf(page, NEXT_PAGE_TOKEN) ?? "";
  if (typeof nextPageToken !== "string") {
    throw new UpstreamError("form", "nextPageToken of the answer is not a text");
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
    if (body.length === 0) throw new UpstreamError("form", "the answer is empty");
    const beginning = printable(Buffer.from(body.subarray(0, MAX_BEGINNING_BYTES)).toString());
    throw new UpstreamError("form", `the answer is not whole JSON; it begins with ${beginning}`);
  }
}
