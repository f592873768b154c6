/** A part of a list. */
export interface PageOf<T> {
  readonly items: readonly T[];
  /** The last item, if more follow. */
  readonly last: T | undefined;
}

/** A page of a list that is in memory: the first `size` of the items behind a position. */
export function pageOf<T>(sorted: readonly T[], isBehind: (item: T) => boolean, size: number): PageOf<T> {
  const start = sorted.findIndex(isBehind);
  return start < 0 ? { items: [], last: undefined } : cutPage(sorted.slice(start, start + size + 1), size);
}

/** Cuts what was read to the size of a page: one item more, if there is one, shows that more follow. */
export function cutPage<T>(read: readonly T[], size: number): PageOf<T> {
  const items = read.slice(0, size);
  return { items, last: read.length > size ? items.at(-1) : undefined };
}
