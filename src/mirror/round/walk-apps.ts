import type { OriginalError } from "../original/original.js";
import { PendingWalks } from "./pending-walks.js";
import type { RoundParts } from "./round-parts.js";
import { walkApp } from "./walk-app.js";

/** Most apps whose pages are read at the same time. */
const MAX_WALKS = 4;
/** Apps in a row that the original could not give, after which it is left alone. */
const MAX_FAILURES_IN_A_ROW = 5;

/**
 * Reads all pages of some apps, several apps at a time, and publishes what is new in them, each day as seldom as possible.
 * It can be repeated at any time: what is published already is not published again.
 *
 * @returns the fault that keeps the rest of the apps from being read.
 * @throws StoreUnavailableError if the store cannot be reached; the reason of `signal` once it has aborted.
 */
export async function walkApps(
  apps: readonly string[],
  parts: RoundParts,
  signal: AbortSignal,
): Promise<OriginalError | undefined> {
  const failing = new AbortController();
  const either = AbortSignal.any([signal, failing.signal]);
  const pending = new PendingWalks(parts, either);
  const left = [...apps].reverse();
  let stopped: OriginalError | undefined;
  let failures = 0;
  const walkInTurn = async (): Promise<void> => {
    for (;;) {
      const appId = stopped === undefined ? left.pop() : undefined;
      if (appId === undefined) return;
      const walk = await walkApp(parts, appId, either);
      parts.onWalked(walk);
      failures = walk.fault?.fault === "unavailable" ? failures + 1 : 0;
      if (walk.fault !== undefined && concernsAll(walk.fault, failures)) stopped ??= walk.fault;
      await pending.add(walk);
    }
  };
  const walks = Array.from({ length: Math.min(MAX_WALKS, apps.length) }, () =>
    walkInTurn().catch((error: unknown) => {
      failing.abort(error);
      throw error;
    }),
  );
  const settled = await Promise.allSettled(walks);
  either.throwIfAborted();
  for (const walk of settled) if (walk.status === "rejected") throw walk.reason;
  await pending.publish();
  return stopped;
}

/** Returns true if a fault is one of the original, and not of an app. */
const concernsAll = ({ fault, retryAfterMs }: OriginalError, failures: number): boolean =>
  fault === "credentials" ||
  (fault === "unavailable" && (retryAfterMs !== undefined || failures >= MAX_FAILURES_IN_A_ROW));
