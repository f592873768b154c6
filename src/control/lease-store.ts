/** The right to do some work, for one holder at a time. */
export interface Lease {
  /**
   * Fencing number. It rises with each new holder, and stays the same while the holder extends its lease in time. A
   * store can reject work with a lower number than the last one. That stops a holder that has not noticed the end of
   * its lease.
   */
  readonly fence: number;
}

/** The right to write under a lease, until a later holder has written. */
export interface Fence {
  /** Name of the lease. */
  readonly lease: string;
  /** Fencing number of the holder. */
  readonly number: number;
}

/** Leases let processes agree on who does a piece of work. */
export interface LeaseStore {
  /**
   * Acquires a free lease, or extends the holder's own lease.
   *
   * @param holder unique among all processes.
   * @param ttlMs lifetime of the lease, in milliseconds.
   * @returns the lease; `undefined` if another holder has it.
   * @throws StoreUnavailableError if the leases cannot be reached.
   */
  acquire(name: string, holder: string, ttlMs: number): Promise<Lease | undefined>;

  /**
   * Ends a lease early. Does nothing if another holder has it.
   *
   * @throws StoreUnavailableError if the leases cannot be reached.
   */
  release(name: string, holder: string): Promise<void>;
}
