import type { EntryColumns } from "../../store/delivery-data-store.js";
import type { EncodedBinary } from "../../transcoding/encoded-binary.js";
import type { EncodedJson } from "../../transcoding/encoded-json.js";

/** A page as it is sent. */
export type EncodedPage = EncodedJson | EncodedBinary;

/** Encodes one `ListAndroidDeliveryDataResponse`, straight from the columns of its entries. */
export interface PageEncoder {
  /** Adds the first `count` of some entries. */
  add(entries: EntryColumns, count: number): void;
  /** @param nextPageToken empty on the last page. */
  finish(nextPageToken: string): EncodedPage;
}
