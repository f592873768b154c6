import { LRUCache } from "lru-cache";
import type { Day } from "../../model/day.js";
import type { ProjectNumber } from "../../model/names.js";
import type { DeliveryDataStore } from "../../store/delivery-data-store.js";
import type { EncodedRows } from "./encode/row-form.js";

interface Versioned<T> {
  readonly value: T;
  /** Version of the days from which the value was computed. */
  readonly version: string;
}

/** The days from which a value is computed. */
export interface ValueDays {
  readonly project: ProjectNumber;
  /** The last of these days. */
  readonly until: Day;
}

export interface CacheSize<T> {
  readonly maxBytes: number;
  /** Returns a value's size, in bytes. */
  bytesOf(value: T): number;
}

/** Estimated overhead for each cached value, in bytes. */
const OVERHEAD_BYTES = 512;

/**
 * Caches values that are computed from delivery data. A value is valid until one of the days from which it was computed
 * changes. Publishing a later day, such as today, does not invalidate it.
 */
export class VersionedCache<T> {
  readonly #store: Pick<DeliveryDataStore, "version">;
  readonly #values: LRUCache<string, Versioned<T>>;

  constructor(store: Pick<DeliveryDataStore, "version">, { maxBytes, bytesOf }: CacheSize<T>) {
    this.#store = store;
    this.#values = new LRUCache({
      maxSize: maxBytes,
      sizeCalculation: ({ value }, key) => bytesOf(value) + key.length + OVERHEAD_BYTES,
    });
  }

  /**
   * Returns a value from the cache, or computes it.
   *
   * @param key everything that determines the value, except the days and their data.
   * @param waitForSlot waits for a slot in the fair queue.
   * @param make computes the value. It receives the outdated value for the same key, if the cache has one.
   */
  async get(
    { project, until }: ValueDays,
    key: readonly unknown[],
    waitForSlot: () => Promise<void>,
    make: (outdated: T | undefined) => Promise<T>,
  ): Promise<T> {
    const text = JSON.stringify([project, until, ...key]);
    const kept = this.#kept(text, await this.#store.version(project, until));
    if (kept !== undefined) return kept.value;
    await waitForSlot();
    const version = await this.#store.version(project, until);
    // While this call waited, another call may have computed the value.
    const made = this.#kept(text, version);
    if (made !== undefined) return made.value;
    const value = await make(this.#values.get(text)?.value);
    this.#values.set(text, { value, version });
    return value;
  }

  #kept(text: string, version: string): Versioned<T> | undefined {
    const cached = this.#values.get(text);
    return cached?.version === version ? cached : undefined;
  }
}

const MAX_BYTES = 64 * 1024 * 1024;

export class ResponseCache extends VersionedCache<EncodedRows> {
  constructor(store: Pick<DeliveryDataStore, "version">) {
    super(store, {
      maxBytes: MAX_BYTES,
      // Compressed forms of the JSON are included. They are created on demand, and are less than half as large.
      bytesOf: ({ bytes }) => Math.ceil(1.5 * bytes.length),
    });
  }
}
