/** What the soak tells its server: how far the clock is off in milliseconds, or to settle and measure its memory. */
export type Instruction = { readonly clockOffset: number } | { readonly measure: true };

/** The memory of a process after garbage was collected, in bytes. */
export interface MemoryUsage {
  readonly rss: number;
  readonly heapUsed: number;
  readonly external: number;
}
