import { inspect, isDeepStrictEqual } from "node:util";

/**
 * Time limit for a condition, in milliseconds. Only failing tests should reach it: one machine may be many times slower
 * than another.
 */
export const PATIENCE_MS = 240_000;
/**
 * First and maximum pause between two calls, in milliseconds. The pause grows, because expensive calls would slow down
 * the awaited work.
 */
const FIRST_PAUSE_MS = 20;
const MAX_PAUSE_MS = 500;
/** Maximum length of a value in an error. */
const MAX_VALUE_LENGTH = 2_000;

/**
 * Repeats a call until it returns an expected value, or a value that `expected` accepts; by default, any truthy value.
 *
 * @returns the accepted value.
 * @throws Error after {@link PATIENCE_MS}, with the condition and the last value.
 */
export async function poll<T>(
  ask: () => T | Promise<T>,
  expected: T | ((value: T) => boolean) = Boolean,
): Promise<T> {
  const accept = expected instanceof Function ? expected : (value: T) => isDeepStrictEqual(value, expected);
  const deadline = performance.now() + PATIENCE_MS;
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(1.5 * pause, MAX_PAUSE_MS)) {
    const value = await ask();
    if (accept(value)) return value;
    if (performance.now() > deadline) {
      const condition = expected === Boolean ? ask : expected;
      const last = inspect(value, { depth: 5 }).slice(0, MAX_VALUE_LENGTH);
      throw new Error(`not met after ${PATIENCE_MS} ms: ${condition}; the last value is ${last}`);
    }
    await new Promise((resolve) => setTimeout(resolve, pause));
  }
}

/** Repeats work until it succeeds. */
export async function pollUntilSuccess(work: () => Promise<unknown>): Promise<void> {
  const DONE = Symbol("done");
  const outcome = () =>
    work()
      .then((): unknown => DONE)
      .catch((error: unknown) => error);
  await poll(outcome, DONE);
}
