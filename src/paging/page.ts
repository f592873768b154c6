import { ApiError } from "../api/api-error.js";
import { at } from "../model/collections.js";
import type { PageTokens } from "./page-tokens.js";

export interface PageSizes {
  /** Page size for requests that omit it or set it to 0. */
  readonly usual: number;
  /** Maximum page size. If a request has a larger one, this size is used. */
  readonly max: number;
}

/** Page sizes unless the contract defines others. */
const USUAL: PageSizes = { usual: 100, max: 1_000 };

/**
 * Returns the page size to use for a requested `page_size` (AIP-158).
 *
 * @throws ApiError `INVALID_PAGE_SIZE` if the requested size is negative.
 */
export function effectivePageSize(pageSize: number, sizes: PageSizes = USUAL): number {
  if (pageSize < 0)
    throw ApiError.invalidArgument("INVALID_PAGE_SIZE", "pageSize", "it must not be negative");
  return pageSize === 0 ? sizes.usual : Math.min(pageSize, sizes.max);
}

/** A request for one page of a list (AIP-158). */
export interface PageRequest {
  readonly pageSize: number;
  readonly pageToken: string;
}

export interface PagedList<Item> {
  /** Name of the listing method in the contract. */
  readonly operation: string;
  /** Resource name of the parent. Empty if the list has no parent. */
  readonly parent: string;
  /** Text that identifies the filter, if any. */
  readonly filter?: string | undefined;
  /** Reads items after a position in list order. It may stop after `limit` items. */
  readonly read: (after: string | undefined, limit: number) => Promise<readonly Item[]>;
  /** Returns an item's position, for {@link read}. */
  readonly positionOf: (item: Item) => string;
}

export interface Page<Item> {
  readonly items: readonly Item[];
  /** Token of the next page. Empty on the last page. */
  readonly nextPageToken: string;
}

/**
 * Reads a list's requested page.
 *
 * @throws the errors of {@link effectivePageSize} and {@link PageTokens.read}, before anything is read.
 */
export async function readPageOf<Item>(
  { operation, parent, filter, read, positionOf }: PagedList<Item>,
  request: PageRequest,
  tokens: PageTokens,
): Promise<Page<Item>> {
  const pageSize = effectivePageSize(request.pageSize);
  const list = { operation, parent, filter, pageSize };
  const after = tokens.read(request.pageToken, list);
  // An additional item shows that another page follows.
  const found = await read(after, pageSize + 1);
  const items = found.slice(0, pageSize);
  const last = found.length > pageSize ? items.at(-1) : undefined;
  return { items, nextPageToken: last === undefined ? "" : tokens.tokenOf(list, positionOf(last)) };
}

/**
 * Returns the first `limit` items after a position in a sorted list.
 *
 * @param isAfter returns true for items after the position. They are at the list's end.
 * @param isListed if set, omits items for which it returns false.
 */
export function itemsAfter<T>(
  sorted: readonly T[],
  isAfter: (item: T) => boolean,
  limit: number,
  isListed: (item: T) => boolean = () => true,
): readonly T[] {
  let [first, end] = [0, sorted.length];
  while (first < end) {
    const middle = (first + end) >> 1;
    if (isAfter(at(sorted, middle))) end = middle;
    else first = middle + 1;
  }
  const found: T[] = [];
  for (let index = first; index < sorted.length && found.length < limit; index++) {
    const item = at(sorted, index);
    if (isListed(item)) found.push(item);
  }
  return found;
}
