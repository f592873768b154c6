import type { Clock } from "../../model/clock.js";
import type { Lease, LeaseStore } from "../lease-store.js";

interface HeldLease extends Lease {
  readonly holder: string;
  /** Time at which the lease ends, on the monotonic clock. */
  readonly until: number;
}

/**
 * Leases in memory, for holders in this process only. This is sufficient if a lock on the data excludes other
 * processes.
 */
export class ProcessLeases implements LeaseStore {
  readonly #clock: Clock;
  readonly #leases = new Map<string, HeldLease>();
  #fence = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  async acquire(name: string, holder: string, ttlMs: number): Promise<Lease | undefined> {
    const now = this.#clock.monotonic();
    const held = this.#leases.get(name);
    const isHeld = held !== undefined && held.until > now;
    if (isHeld && held.holder !== holder) return undefined;
    const fence = isHeld ? held.fence : ++this.#fence;
    this.#leases.set(name, { fence, holder, until: now + ttlMs });
    return { fence };
  }

  async release(name: string, holder: string): Promise<void> {
    if (this.#leases.get(name)?.holder === holder) this.#leases.delete(name);
  }
}
