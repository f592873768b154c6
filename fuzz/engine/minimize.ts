/** So many attempts are made to leave parts of an input out. */
const MAX_ATTEMPTS = 400;
/** And for so long, in milliseconds. */
const MAX_MS = 10_000;

/**
 * Leaves out of an input what it can do without.
 *
 * @param isSame whether a smaller input still shows the same.
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
