/** Processes `items`, `concurrency` at a time. @returns the mean time of an item in milliseconds. */
export async function meanTime<T>(
  items: readonly T[],
  concurrency: number,
  work: (item: T, worker: number) => Promise<void>,
): Promise<number> {
  const queue = items.values();
  let sum = 0;
  const workers = Array.from({ length: concurrency }, async (_, worker) => {
    for (const item of queue) {
      const start = performance.now();
      await work(item, worker);
      sum += performance.now() - start;
    }
  });
  await Promise.all(workers);
  return sum / items.length;
}
