/** The exclusive right to do some work for a limited time. */
export interface Lease {
  /**
   * Number that increases with each new holder. It stays the same while a holder extends its lease in time. A store can
   * reject writes with a lower number than it has already seen. This stops a process that has not noticed that its
   * lease has expired.
   */
  readonly fence: number;
}

/** Identifies a lease holder in writes, so that a store can reject writes of former holders. */
export interface Fence {
  readonly lease: string;
  /** The holder's {@link Lease.fence}. */
  readonly number: number;
}

/** Leases, with which processes agree on which of them does a piece of work. */
export interface LeaseStore {
  /**
   * Acquires a free lease, or extends a lease that the holder already has.
   *
   * @param holder name that is unique among all processes.
   * @param ttlMs lifetime of the lease, in milliseconds.
   * @returns the lease; `undefined` if another holder has it.
   * @throws StoreUnavailableError if the leases cannot be read or written.
   */
  acquire(name: string, holder: string, ttlMs: number): Promise<Lease | undefined>;

  /**
   * Ends a lease before it expires. Does nothing if another holder has the lease.
   *
   * @throws StoreUnavailableError if the leases cannot be read or written.
   */
  release(name: string, holder: string): Promise<void>;
}
