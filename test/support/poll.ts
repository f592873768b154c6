import { inspect } from "node:util";

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
/** Maximum length of a result in an error. */
const MAX_RESPONSE_LENGTH = 2_000;

/**
 * Repeats a call until `accept` returns true. @returns the accepted result.
 * @throws Error after {@link PATIENCE_MS}, with the condition and the last result.
 */
export async function poll<T>(ask: () => Promise<T>, accept: (response: T) => boolean): Promise<T> {
  const deadline = performance.now() + PATIENCE_MS;
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(1.5 * pause, MAX_PAUSE_MS)) {
    const response = await ask();
    if (accept(response)) return response;
    if (performance.now() > deadline) {
      const last = inspect(response, { depth: 5 }).slice(0, MAX_RESPONSE_LENGTH);
      throw new Error(`waited ${PATIENCE_MS} ms in vain for ${accept}; the last response is ${last}`);
    }
    await new Promise((resolve) => setTimeout(resolve, pause));
  }
}
