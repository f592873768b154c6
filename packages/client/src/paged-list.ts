import type { Call, CallOptions } from "./calls/call.js";
import type { Transport } from "./transport.js";

/** A page of a list (AIP-158). */
export interface ListPage {
  /** Omitted on the last page. */
  readonly nextPageToken?: string;
}

/** Reads the page for a page token, or the first page without a token. */
export type ReadPage<Page extends ListPage> = (
  pageToken: string | undefined,
  signal: AbortSignal | undefined,
) => Promise<Page>;

/**
 * A list of results. Iterate over it with `for await`: the list sends its first request when the
 * iteration begins, and reads at most one page ahead. Leaving the loop stops reading. Each iteration starts again with
 * the first page.
 *
 * Reading throws a `WaybillError` if a request fails, and the abort reason if the signal aborts.
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

  /** @param itemsOf returns a page's items; undefined for a page without items. */
  constructor(
    read: ReadPage<Page>,
    itemsOf: (page: Page) => readonly Item[] | undefined,
    signal?: AbortSignal,
  ) {
    this.#read = read;
    this.#itemsOf = itemsOf;
    this.#signal = signal;
  }

  /** Yields all items, page by page. */
  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined> {
    for await (const page of this.pages()) yield* this.#itemsOf(page) ?? [];
  }

  /** Reads all items into memory. */
  async toArray(): Promise<Item[]> {
    const items: Item[] = [];
    for await (const page of this.pages()) {
      for (const item of this.#itemsOf(page) ?? []) items.push(item);
    }
    return items;
  }

  /**
   * Yields whole pages.
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
        // The next `await` reports a failure. Until then, the rejection must not count as unhandled.
        next?.catch(() => {});
        yield page;
      }
    } finally {
      left.abort();
    }
  }

  /**
   * Reads a single page: the first one, or the one for a `nextPageToken`. A token is valid for at least three days, and
   * only for a list with the same parameters. You may store it and use it in another process.
   *
   * @throws WaybillError `INVALID_ARGUMENT` with the reason `PAGE_TOKEN_INVALID` or `PAGE_TOKEN_MISMATCH` if the service
   *   rejects the token.
   * @example
   * const list = client.listDeliveryData({ project: "shop", app: "-", pageSize: 100 });
   * const { nextPageToken } = await list.readPage();
   * if (nextPageToken !== undefined) console.log(await list.readPage(nextPageToken));
   */
  readPage(pageToken?: string): Promise<Page> {
    return this.#read(pageToken, this.#signal);
  }
}

/**
 * Creates a list that reads each page with one call.
 *
 * @param transportOf returns the service's transport. If it throws, reading the list fails.
 */
export function listCalls<Request extends CallOptions, Item, Page extends ListPage>(
  transportOf: () => Transport,
  callOf: (request: Request, pageToken?: string) => Call,
  request: Request,
  itemsOf: (page: Page) => readonly Item[] | undefined,
): PagedList<Item, Page> {
  const read: ReadPage<Page> = async (pageToken, signal) =>
    transportOf().call(callOf(request, pageToken), { signal });
  return new PagedList(read, itemsOf, request.signal);
}
