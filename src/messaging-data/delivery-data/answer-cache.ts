import type { DeliveryDataStore } from "../../store/delivery-data-store.js";
import { VersionedCache } from "../versioned-cache.js";
import type { EncodedRows } from "./encode/row-encoder.js";

const MAX_BYTES = 64 * 1024 * 1024;

/** Caches encoded answers. */
export class AnswerCache extends VersionedCache<EncodedRows> {
  constructor(store: Pick<DeliveryDataStore, "version">) {
    super(store, {
      maxBytes: MAX_BYTES,
      // Compressed forms of the JSON, made on demand, take less than half its size.
      bytesOf: ({ bytes }) => Math.ceil(1.5 * bytes.length),
    });
  }
}
