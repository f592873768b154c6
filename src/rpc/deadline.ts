import { deadlineExceeded } from "../transcoding/http-errors.js";

/** Longer timers fire at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/**
 * Aborts when the deadline of a call has passed.
 *
 * @param milliseconds until then; undefined if there is no deadline.
 * @returns what to call when the call has ended.
 */
export function abortAtDeadline(controller: AbortController, milliseconds: number | undefined): () => void {
  if (milliseconds === undefined) return () => {};
  const abort = (): void => controller.abort(deadlineExceeded());
  if (milliseconds <= 0) abort();
  const timer = setTimeout(abort, Math.min(milliseconds, LONGEST_TIMER_MS));
  return () => clearTimeout(timer);
}
