import { backoffMs, pause } from "./support/waiting.js";
import { WaybillError } from "./waybill-error.js";

/** Options for retrying failed calls. */
export interface RetryOptions {
  /** Maximum number of attempts, including the first; 6 by default, 1 for no retries. */
  readonly attempts?: number | undefined;
  /** Approximate pause after the first failure, in milliseconds; 500 by default. It doubles with each further failure. */
  readonly firstPauseMs?: number | undefined;
  /**
   * Maximum pause, in milliseconds; 60,000 by default. If the server requests a longer pause, the call fails without a
   * retry.
   */
  readonly maxPauseMs?: number | undefined;
  /** Called before each retry with the error and the pause until the next attempt, in milliseconds. */
  readonly onRetry?: ((error: WaybillError, pauseMs: number) => void) | undefined;
}

export type RetryPolicy = { readonly [K in keyof RetryOptions]-?: NonNullable<RetryOptions[K]> };

/** Sets the default of each omitted option. @throws RangeError if an option is out of range. */
export function retryPolicy(options: RetryOptions = {}): RetryPolicy {
  const { attempts = 6, firstPauseMs = 500, maxPauseMs = 60_000, onRetry = () => {} } = options;
  if (!Number.isInteger(attempts) || attempts < 1) throw new RangeError("retry.attempts must be 1 or more");
  if (!(firstPauseMs >= 0)) throw new RangeError("retry.firstPauseMs must not be negative");
  if (!(maxPauseMs >= 0)) throw new RangeError("retry.maxPauseMs must not be negative");
  return { attempts, firstPauseMs, maxPauseMs, onRetry };
}

/** Properties of a call that determine whether it is retried. */
export interface RetriedCall {
  /** True if the call is idempotent. Other calls are not retried when their outcome is unknown. */
  readonly repeatable: boolean;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Repeats a call until it succeeds, fails permanently, or has used all its attempts. If the last error has no `cause`,
 * the previous attempt's error becomes its cause.
 */
export async function retrying<T>(
  attempt: () => Promise<T>,
  policy: RetryPolicy,
  { repeatable, signal }: RetriedCall,
): Promise<T> {
  let before: WaybillError | undefined;
  for (let made = 1; ; made++) {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof WaybillError)) throw error;
      if (before !== undefined) error.cause ??= before;
      const pauseMs = pauseAfter(made, error, policy);
      if (pauseMs === undefined || (error.outcomeUnknown && !repeatable)) throw error;
      policy.onRetry(error, pauseMs);
      await pause(pauseMs, signal);
      before = error;
    }
  }
}

/**
 * Returns the pause until the next attempt, in milliseconds: the server's `Retry-After` plus a random part of a
 * doubling backoff. The random part spreads the retries of clients that failed at the same time.
 *
 * @param made number of attempts so far.
 * @param random from 0 to 1.
 * @returns undefined if the call must not be retried.
 */
export function pauseAfter(
  made: number,
  { code, retryAfterMs = 0 }: Pick<WaybillError, "code" | "retryAfterMs">,
  { attempts, firstPauseMs, maxPauseMs }: Omit<RetryPolicy, "onRetry">,
  random = Math.random(),
): number | undefined {
  const passing = code === "UNAVAILABLE" || code === "RESOURCE_EXHAUSTED";
  if (!passing || made >= attempts || retryAfterMs > maxPauseMs) return undefined;
  const backoff = backoffMs(made, { firstMs: firstPauseMs, maxMs: maxPauseMs }, random);
  return Math.min(maxPauseMs, retryAfterMs + backoff);
}
