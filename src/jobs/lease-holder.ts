import { randomUUID } from "node:crypto";
import type { Fence, LeaseStore } from "../control/lease-store.js";
import { FencedError } from "../model/store-error.js";

/**
 * Time after which a lease expires in milliseconds, if its process has died or was suspended and does not extend it.
 */
const LEASE_MS = 10_000;
/** Number of times that a lease is extended within its lifetime. */
const EXTENSIONS = 3;

/** A lease that is extended until the work under it ends. */
export interface HeldLease {
  readonly fence: Fence;
  /**
   * True if another process may hold the lease: it was released, could not be extended, or its fencing number was
   * rejected.
   */
  isLost: boolean;
}

/** Checks that the lease is still held. @throws FencedError if another process may hold it. */
export function expectHeld(lease: HeldLease): void {
  if (lease.isLost) throw new FencedError(`another process holds the lease ${lease.fence.lease} now`);
}

/** Holds leases on behalf of a job runner. */
export class LeaseHolder {
  readonly #leases: LeaseStore;
  readonly #holder = randomUUID();

  constructor(leases: LeaseStore) {
    this.#leases = leases;
  }

  /**
   * Does work under a lease. Extends the lease until the work ends, and then releases it.
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
      // Extensions run one at a time, and end before the release. An extension after the release would acquire the
      // lease again.
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
      // If the lease cannot be released, it expires.
      await this.#leases.release(name, this.#holder).catch(() => {});
    }
  }
}
