import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { LeaseStore } from "../../../control/lease-store.js";

/** Time in milliseconds after which a slot expires if its process has died. */
const SLOT_MS = 5_000;
/** Maximum pause before a process tries to get the slot again, in milliseconds. */
const PAUSE_MS = 20;

/**
 * Coordinates inserts with a quorum between processes. A shard accepts one such insert at a time. It rejects other
 * inserts, but only after it has received their rows. Slots avoid this wasted work, and are not needed for correctness:
 * an insert without a slot would be repeated until it succeeds.
 */
export class InsertSlots {
  readonly #leases: LeaseStore;
  readonly #name: string;
  readonly #holder = randomUUID();

  /** @param database name of the database with the tables. */
  constructor(leases: LeaseStore, database: string) {
    this.#leases = leases;
    this.#name = `inserts into ${database}`;
  }

  /**
   * Calls `work` while this process has the insert slot.
   *
   * @throws StoreUnavailableError if the leases are unavailable.
   */
  async use<T>(work: () => Promise<T>): Promise<T> {
    while ((await this.#leases.acquire(this.#name, this.#holder, SLOT_MS)) === undefined)
      await sleep(PAUSE_MS * (0.5 + Math.random() / 2));
    try {
      return await work();
    } finally {
      // If the slot cannot be released, it expires.
      await this.#leases.release(this.#name, this.#holder).catch(() => {});
    }
  }
}
