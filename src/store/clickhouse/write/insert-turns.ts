import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { LeaseStore } from "../../../control/lease-store.js";

/** Time after which others no longer wait for the end of a turn, in milliseconds: its process may be gone. */
const TURN_MS = 5_000;
/** Longest pause before a process asks again whether it has its turn, in milliseconds. */
const PAUSE_MS = 20;

/**
 * Turns of processes at inserts with a quorum, of which a shard takes one at a time and refuses others after it has
 * received them. Turns only spare this work: an insert out of turn is repeated until it succeeds.
 */
export class InsertTurns {
  readonly #leases: LeaseStore;
  readonly #name: string;
  readonly #holder = randomUUID();

  /** @param database the database of the tables. */
  constructor(leases: LeaseStore, database: string) {
    this.#leases = leases;
    this.#name = `inserts into ${database}`;
  }

  /** Does work in a turn of this process. @throws StoreUnavailableError if the leases cannot be reached. */
  async take<T>(work: () => Promise<T>): Promise<T> {
    while ((await this.#leases.acquire(this.#name, this.#holder, TURN_MS)) === undefined)
      await sleep(PAUSE_MS * (0.5 + Math.random() / 2));
    try {
      return await work();
    } finally {
      // A turn that cannot be ended ends by itself.
      await this.#leases.release(this.#name, this.#holder).catch(() => {});
    }
  }
}
