import type { AndroidDeliveryDataJson } from "../gen/waybill/messagingdata/v1beta1/delivery_data_pb.js";
import type { ListAndroidDeliveryDataResponseJson } from "../gen/waybill/messagingdata/v1beta1/messaging_data_pb.js";

/** Reads the page of a token, the first one without a token. */
export type ReadPage = (
  pageToken: string | undefined,
  signal: AbortSignal,
) => Promise<ListAndroidDeliveryDataResponseJson>;

/**
 * The delivery data of an app, in the order of the service. Nothing is read before somebody iterates; then one page is
 * read ahead at most. Who leaves the loop ends the reading. Each iteration reads anew, from the first page on.
 */
export class DeliveryDataList implements AsyncIterable<AndroidDeliveryDataJson> {
  readonly #readPage: ReadPage;
  readonly #signal: AbortSignal | undefined;

  constructor(readPage: ReadPage, signal?: AbortSignal) {
    this.#readPage = readPage;
    this.#signal = signal;
  }

  /** All entries, over all pages. */
  async *[Symbol.asyncIterator](): AsyncGenerator<AndroidDeliveryDataJson, void, undefined> {
    for await (const { androidDeliveryData = [] } of this.pages()) yield* androidDeliveryData;
  }

  /** The pages as they come. */
  async *pages(): AsyncGenerator<ListAndroidDeliveryDataResponseJson, void, undefined> {
    const left = new AbortController();
    const signal = this.#signal === undefined ? left.signal : AbortSignal.any([this.#signal, left.signal]);
    try {
      let next: Promise<ListAndroidDeliveryDataResponseJson> | undefined = this.#readPage(undefined, signal);
      while (next !== undefined) {
        const page: ListAndroidDeliveryDataResponseJson = await next;
        next = page.nextPageToken ? this.#readPage(page.nextPageToken, signal) : undefined;
        // Whoever asks for it hears of its failure; until then it must not count as unhandled.
        next?.catch(() => {});
        yield page;
      }
    } finally {
      left.abort();
    }
  }
}
