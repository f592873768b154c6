/** The part of a page that leads to the next one (AIP-158). */
export interface ListPage {
  /** Absent on the last page. */
  readonly nextPageToken?: string;
}

/** Reads the page of a token; the first page if the token is undefined. */
export type ReadPage<Page extends ListPage> = (
  pageToken: string | undefined,
  signal: AbortSignal | undefined,
) => Promise<Page>;

/**
 * A list of the service, in its order. Iterating reads it page by page: the first request is sent when the
 * iteration begins, and reading stays at most one page ahead. Leaving the loop stops it. Each iteration
 * starts over from the first page.
 *
 * Reading throws a `WaybillError` if a request fails, and the signal's reason if it aborts.
 *
 * @example
 * const apps = client.listAndroidApps({ project: "shop" });
 * for await (const { appId } of apps) console.log(appId);
 * const [newest] = await client.listDeliveryData({ project: "shop", app: "-" }).toArray();
 */
export class PagedList<Item, Page extends ListPage> implements AsyncIterable<Item> {
  readonly #read: ReadPage<Page>;
  readonly #itemsOf: (page: Page) => readonly Item[] | undefined;
  readonly #signal: AbortSignal | undefined;

  /** @param itemsOf Returns the items of a page; undefined if there are none. */
  constructor(
    read: ReadPage<Page>,
    itemsOf: (page: Page) => readonly Item[] | undefined,
    signal?: AbortSignal,
  ) {
    this.#read = read;
    this.#itemsOf = itemsOf;
    this.#signal = signal;
  }

  /** Yields all items of all pages. */
  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined> {
    for await (const page of this.pages()) yield* this.#itemsOf(page) ?? [];
  }

  /** Reads all items of all pages into memory. */
  async toArray(): Promise<Item[]> {
    const items: Item[] = [];
    for await (const page of this.pages()) {
      for (const item of this.#itemsOf(page) ?? []) items.push(item);
    }
    return items;
  }

  /**
   * Yields the pages as the service sends them.
   *
   * @example
   * const list = client.listDeliveryData({ project: "shop", app: "-", pageSize: 10_000 });
   * for await (const { androidDeliveryData = [] } of list.pages()) console.log(androidDeliveryData.length);
   */
  async *pages(): AsyncGenerator<Page, void, undefined> {
    const left = new AbortController();
    const signal = this.#signal === undefined ? left.signal : AbortSignal.any([this.#signal, left.signal]);
    try {
      let next: Promise<Page> | undefined = this.#read(undefined, signal);
      while (next !== undefined) {
        const page: Page = await next;
        next = page.nextPageToken ? this.#read(page.nextPageToken, signal) : undefined;
        // The next `await` reports its failure; until then, the rejection must not count as unhandled.
        next?.catch(() => {});
        yield page;
      }
    } finally {
      left.abort();
    }
  }

  /**
   * Reads one page, and no other: the first, or the one after the page that had this `nextPageToken`. A token
   * belongs to the list that it came from, with the same filter and page size, and is valid for at least
   * three days. It may be kept and used in another process.
   *
   * @throws WaybillError `INVALID_ARGUMENT` with the reason `PAGE_TOKEN_INVALID` or `PAGE_TOKEN_MISMATCH` if
   *   the service does not accept the token.
   * @example
   * const list = client.listDeliveryData({ project: "shop", app: "-", pageSize: 100 });
   * const { nextPageToken } = await list.readPage();
   * if (nextPageToken !== undefined) console.log(await list.readPage(nextPageToken));
   */
  readPage(pageToken?: string): Promise<Page> {
    return this.#read(pageToken, this.#signal);
  }
}
