/** The right to do some work, held by one holder at a time. */
export interface Lease {
  /**
   * Fencing number: higher than that of every earlier holder, the same for as long as a holder extends its
   * lease in time. A store can refuse work under a lower number than the last it has seen, which stops a
   * holder that did not notice the end of its lease.
   */
  readonly fence: number;
}

/** The right to write under a lease, until a later holder of the lease has written. */
export interface Fence {
  /** Name of the lease. */
  readonly lease: string;
  /** Fencing number of its holder. */
  readonly number: number;
}

/** Leases, by which processes agree on who does a piece of work. */
export interface LeaseStore {
  /**
   * Takes a lease that is free, or extends the lease of the same holder.
   *
   * @param holder unique among all processes.
   * @param ttlMs time until the lease ends unless it is extended, in milliseconds.
   * @returns the lease; `undefined` if another holder has it.
   * @throws StoreUnavailableError if the leases cannot be reached.
   */
  acquire(name: string, holder: string, ttlMs: number): Promise<Lease | undefined>;

  /**
   * Ends a lease before its time. Changes nothing if another holder has it.
   *
   * @throws StoreUnavailableError if the leases cannot be reached.
   */
  release(name: string, holder: string): Promise<void>;
}
