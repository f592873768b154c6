/**
 * Instructions to the server under soak: shift the clock by milliseconds, or settle and measure the memory.
 */
export type Instruction = { readonly clockOffset: number } | { readonly measure: true };

/** Memory of a process after garbage collection, in bytes. */
export interface MemoryUsage {
  readonly rss: number;
  readonly heapUsed: number;
  readonly external: number;
}
