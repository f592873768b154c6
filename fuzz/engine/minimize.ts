/** Maximum number of attempts to shorten an input. */
const MAX_ATTEMPTS = 400;
/** Time limit for shortening an input, in milliseconds. */
const MAX_MS = 10_000;

/**
 * Removes dispensable parts of an input.
 * @param isSame resolves to true if a smaller input still shows the same failure.
 */
export async function minimize(input: Buffer, isSame: (input: Buffer) => Promise<boolean>): Promise<Buffer> {
  let least = input;
  let attempts = 0;
  const deadline = performance.now() + MAX_MS;
  for (let size = Math.ceil(input.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let at = 0; at < least.length; ) {
      if (++attempts > MAX_ATTEMPTS || performance.now() > deadline) return least;
      const smaller = Buffer.concat([least.subarray(0, at), least.subarray(at + size)]);
      if (await isSame(smaller)) least = smaller;
      else at += size;
    }
  }
  return least;
}
