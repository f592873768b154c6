import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { LeaseStore } from "../../../control/lease-store.js";

/** Time after which a slot expires, in milliseconds, in case its process is gone. */
const SLOT_MS = 5_000;
/** Maximum pause before a process tries to get the slot again, in milliseconds. */
const PAUSE_MS = 20;

/**
 * Coordinates inserts with a quorum across processes. A shard accepts one of them at a time, and rejects others
 * only after it has received their rows. Slots merely avoid this waste: an insert without a slot would be repeated
 * until it succeeds.
 */
export class InsertSlots {
  readonly #leases: LeaseStore;
  readonly #name: string;
  readonly #holder = randomUUID();

  /** @param database database of the tables. */
  constructor(leases: LeaseStore, database: string) {
    this.#leases = leases;
    this.#name = `inserts into ${database}`;
  }

  /** Runs `work` in the insert slot. @throws StoreUnavailableError if the leases are unavailable. */
  async use<T>(work: () => Promise<T>): Promise<T> {
    while ((await this.#leases.acquire(this.#name, this.#holder, SLOT_MS)) === undefined)
      await sleep(PAUSE_MS * (0.5 + Math.random() / 2));
    try {
      return await work();
    } finally {
      // A slot that cannot be released expires.
      await this.#leases.release(this.#name, this.#holder).catch(() => {});
    }
  }
}
