import { pause } from "./abortable.js";
import { WaybillError } from "./waybill-error.js";

/** When failed calls are made again. */
export interface RetryOptions {
  /** How often a call is tried in all; 6 if it is left out, 1 for no retries. */
  readonly attempts?: number | undefined;
  /** Milliseconds to wait after the first failure, about; each further pause is twice as long. 500 if it is left out. */
  readonly firstPauseMs?: number | undefined;
  /** The longest pause in milliseconds. A server that asks for a longer one is not asked again. 60,000 if it is left out. */
  readonly maxPauseMs?: number | undefined;
  /** Told of each failure after which the call is tried again, and how many milliseconds from then. */
  readonly onRetry?: ((error: WaybillError, pauseMs: number) => void) | undefined;
}

/** {@link RetryOptions} with nothing left out. */
export type RetryPolicy = { readonly [K in keyof RetryOptions]-?: NonNullable<RetryOptions[K]> };

/** @throws RangeError if an option makes no sense. */
export function retryPolicy(options: RetryOptions = {}): RetryPolicy {
  const { attempts = 6, firstPauseMs = 500, maxPauseMs = 60_000, onRetry = () => {} } = options;
  if (!Number.isInteger(attempts) || attempts < 1) throw new RangeError("retry.attempts must be 1 or more");
  if (!(firstPauseMs >= 0)) throw new RangeError("retry.firstPauseMs must not be negative");
  if (!(maxPauseMs >= 0)) throw new RangeError("retry.maxPauseMs must not be negative");
  return { attempts, firstPauseMs, maxPauseMs, onRetry };
}

/** A call as far as repeating it goes. */
export interface RetriedCall {
  /** Whether carrying it out twice is the same as once. Else it is not repeated when it may have been carried out. */
  readonly repeatable: boolean;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Tries until there is an answer, a failure that will not pass by itself, or enough attempts were made. The error of a
 * later attempt has that of the one before as its `cause`, if it has none of its own.
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
 * Milliseconds from an attempt that failed to the next: what the server asked for, and in addition a random part of a
 * pause that doubles, so that clients who failed together do not come back together.
 *
 * @param made how many attempts were made.
 * @param random from 0 to 1.
 * @returns undefined if there must be no other.
 */
export function pauseAfter(
  made: number,
  { code, retryAfterMs = 0 }: Pick<WaybillError, "code" | "retryAfterMs">,
  { attempts, firstPauseMs, maxPauseMs }: Omit<RetryPolicy, "onRetry">,
  random = Math.random(),
): number | undefined {
  const passing = code === "UNAVAILABLE" || code === "RESOURCE_EXHAUSTED";
  if (!passing || made >= attempts || retryAfterMs > maxPauseMs) return undefined;
  const backoff = Math.min(maxPauseMs, firstPauseMs * 2 ** (made - 1));
  return Math.min(maxPauseMs, retryAfterMs + backoff * (0.5 + random / 2));
}
