import { randomUUID } from "node:crypto";
import type { Fence, LeaseStore } from "../control/lease-store.js";
import { FencedError } from "../model/store-error.js";

/** Time until a lease expires if it is not extended, because its process has died or was suspended. */
const LEASE_MS = 10_000;
/** Number of extensions before a lease would expire. */
const EXTENSIONS = 3;

/** A lease that is extended until its work ends. */
export interface HeldLease {
  readonly fence: Fence;
  /**
   * True once the lease was released or could not be extended, or its fence was rejected. Another process may then hold
   * it.
   */
  isLost: boolean;
}

/** @throws FencedError if another process may hold the lease. */
export function expectHeld(lease: HeldLease): void {
  if (lease.isLost) throw new FencedError(`another process holds the lease ${lease.fence.lease} now`);
}

/** Holds leases for a job runner. */
export class LeaseHolder {
  readonly #leases: LeaseStore;
  readonly #holder = randomUUID();

  constructor(leases: LeaseStore) {
    this.#leases = leases;
  }

  /**
   * Does work under a lease, extends the lease until the work ends, and releases it.
   *
   * @returns the work's result; `undefined` if another holder has the lease.
   */
  async under<T>(name: string, work: (lease: HeldLease) => Promise<T>): Promise<T | undefined> {
    const lease = await this.#leases.acquire(name, this.#holder, LEASE_MS);
    if (lease === undefined) return undefined;
    const held: HeldLease = { fence: { lease: name, number: lease.fence }, isLost: false };
    const extend = async (): Promise<void> => {
      const again = await this.#leases.acquire(name, this.#holder, LEASE_MS).catch(() => undefined);
      if (again?.fence !== lease.fence) held.isLost = true;
    };
    let extension: Promise<void> | undefined;
    const extending = setInterval(() => {
      // One at a time. An extension after the release would acquire the lease again.
      extension ??= extend().finally(() => {
        extension = undefined;
      });
    }, LEASE_MS / EXTENSIONS);
    try {
      return await work(held);
    } finally {
      clearInterval(extending);
      await extension;
      held.isLost = true;
      // A lease that cannot be released expires.
      await this.#leases.release(name, this.#holder).catch(() => {});
    }
  }
}
