import { LRUCache } from "lru-cache";
import type { Day } from "../model/day.js";
import type { DeliveryDataStore } from "../store/delivery-data-store.js";

interface Versioned<T> {
  readonly value: T;
  /** Version of the days that the value was made from. */
  readonly version: string;
}

/** Days of a project that a value is made from. */
export interface ValueDays {
  /** Project number, in decimal. */
  readonly project: string;
  /** Last day. */
  readonly until: Day;
}

/** Size of a {@link VersionedCache}. */
export interface CacheSize<T> {
  readonly maxBytes: number;
  /** Bytes that a value takes. */
  bytesOf(value: T): number;
}

/** Bytes that a value takes in the cache besides its own and its key. */
const BYTES_BESIDES = 512;

/**
 * Caches what was made of delivery data for as long as the days that it may have been made from are unchanged.
 * Publications of later days, such as the rollups of today, leave it in the cache.
 */
export class VersionedCache<T> {
  readonly #store: Pick<DeliveryDataStore, "version">;
  readonly #values: LRUCache<string, Versioned<T>>;

  constructor(store: Pick<DeliveryDataStore, "version">, { maxBytes, bytesOf }: CacheSize<T>) {
    this.#store = store;
    this.#values = new LRUCache({
      maxSize: maxBytes,
      sizeCalculation: ({ value }, key) => bytesOf(value) + key.length + BYTES_BESIDES,
    });
  }

  /**
   * Returns what is made of days of a project, from the cache if possible.
   *
   * @param key everything that the value depends on besides the days and their data.
   * @param turn waits for the caller's turn to make the value.
   * @param make makes the value if it is not cached. It gets the last one for the same days, made before they changed.
   */
  async answer(
    { project, until }: ValueDays,
    key: readonly unknown[],
    turn: () => Promise<void>,
    make: (outdated: T | undefined) => Promise<T>,
  ): Promise<T> {
    const text = JSON.stringify([project, until, ...key]);
    const kept = this.#kept(text, await this.#store.version(project, until));
    if (kept !== undefined) return kept.value;
    await turn();
    const version = await this.#store.version(project, until);
    // Another call may have made it meanwhile.
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
