import type { AndroidDeliveryDataJson } from "../gen/waybill/messagingdata/v1beta1/delivery_data_pb.js";
import type { ListAndroidDeliveryDataResponseJson } from "../gen/waybill/messagingdata/v1beta1/messaging_data_pb.js";

/** Reads the page for a token; the first page if the token is undefined. */
export type ReadPage = (
  pageToken: string | undefined,
  signal: AbortSignal,
) => Promise<ListAndroidDeliveryDataResponseJson>;

/**
 * Delivery data of an app, in the service's order. Reading starts with the iteration and stays at most one
 * page ahead. Leaving the loop stops it. Each iteration starts over from the first page.
 */
export class DeliveryDataList implements AsyncIterable<AndroidDeliveryDataJson> {
  readonly #readPage: ReadPage;
  readonly #signal: AbortSignal | undefined;

  constructor(readPage: ReadPage, signal?: AbortSignal) {
    this.#readPage = readPage;
    this.#signal = signal;
  }

  /** Yields all entries of all pages. */
  async *[Symbol.asyncIterator](): AsyncGenerator<AndroidDeliveryDataJson, void, undefined> {
    for await (const { androidDeliveryData = [] } of this.pages()) yield* androidDeliveryData;
  }

  /** Yields the pages. */
  async *pages(): AsyncGenerator<ListAndroidDeliveryDataResponseJson, void, undefined> {
    const left = new AbortController();
    const signal = this.#signal === undefined ? left.signal : AbortSignal.any([this.#signal, left.signal]);
    try {
      let next: Promise<ListAndroidDeliveryDataResponseJson> | undefined = this.#readPage(undefined, signal);
      while (next !== undefined) {
        const page: ListAndroidDeliveryDataResponseJson = await next;
        next = page.nextPageToken ? this.#readPage(page.nextPageToken, signal) : undefined;
        // The next `await` reports its failure; until then, the rejection must not count as unhandled.
        next?.catch(() => {});
        yield page;
      }
    } finally {
      left.abort();
    }
  }
}
