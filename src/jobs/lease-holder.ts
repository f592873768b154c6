import { randomUUID } from "node:crypto";
import type { Fence, LeaseStore } from "../control/lease-store.js";
import { FencedError } from "../model/store-error.js";

/** Time until a lease ends that is not extended, because its process has died or was suspended. */
const LEASE_MS = 10_000;
/** Number of times that a lease is extended before it would end. */
const EXTENSIONS = 3;

/** A lease that is extended until the work under it ends. */
export interface HeldLease {
  readonly fence: Fence;
  /** True once the lease was released or could not be extended, or its fence was rejected: another process may hold it. */
  isLost: boolean;
}

/** @throws FencedError if another process may hold the lease. */
export function expectHeld(lease: HeldLease): void {
  if (lease.isLost) throw new FencedError(`another process holds the lease ${lease.fence.lease} now`);
}

/** Holder of leases, on behalf of one runner of jobs. */
export class LeaseHolder {
  readonly #leases: LeaseStore;
  readonly #holder = randomUUID();

  constructor(leases: LeaseStore) {
    this.#leases = leases;
  }

  /**
   * Does work under a lease, which it extends meanwhile and releases afterwards.
   *
   * @returns the result; `undefined` if another holder has the lease.
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
      // One at a time: none may come after the release, where it would acquire the lease again.
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
      // A lease that cannot be released ends automatically.
      await this.#leases.release(name, this.#holder).catch(() => {});
    }
  }
}
