import type { Random } from "../../src/simulator/random.js";

/** The same items in random order (Fisher–Yates). */
export function shuffled<T>(items: readonly T[], random: Random): T[] {
  const result = [...items];
  for (let end = result.length - 1; end > 0; end--) {
    const chosen = random.below(end + 1);
    [result[end], result[chosen]] = [result[chosen] as T, result[end] as T];
  }
  return result;
}
