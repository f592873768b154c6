/** One page of a list. */
export interface PageOf<T> {
  readonly items: readonly T[];
  /** The last item of the page if more items follow. */
  readonly last: T | undefined;
}

/** Takes a page from a list in memory: the first `size` items behind a position. */
export function pageOf<T>(sorted: readonly T[], isBehind: (item: T) => boolean, size: number): PageOf<T> {
  const start = sorted.findIndex(isBehind);
  return start < 0 ? { items: [], last: undefined } : cutPage(sorted.slice(start, start + size + 1), size);
}

/** Cuts a page from items that were read with one item to spare, which shows that more follow. */
export function cutPage<T>(read: readonly T[], size: number): PageOf<T> {
  const items = read.slice(0, size);
  return { items, last: read.length > size ? items.at(-1) : undefined };
}
