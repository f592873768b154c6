import { expectHeld, type HeldLease } from "../../jobs/lease-holder.js";
import { SerialQueue } from "../../limits/pacing.js";
import { groupBy } from "../../model/collections.js";
import type { UpstreamError } from "../upstream/upstream.js";
import { publishRows } from "./published-entries.js";
import { type AppWalk, type WalkParts, walkApp } from "./walk-app.js";

/** Maximum number of apps that are read at the same time. */
const MAX_WALKS = 4;
/** Number of consecutive failing apps after which the round ends. */
const MAX_FAILURES_IN_A_ROW = 5;
/** Number of pending entries that triggers a publication. One app may add more. About 100 MB. */
const MAX_ROWS = 200_000;
/** Number of replaced versions per write. */
const VERSIONS_AT_A_TIME = 10_000;

/** Observer of a round. */
export interface RoundObserver {
  /** Called after each walk. */
  walked(walk: AppWalk): void;
  /** Called when all entries of these walks are published. */
  published(walks: readonly AppWalk[]): Promise<void>;
}

/** Dependencies of a round. */
export interface RoundParts extends WalkParts {
  /** Lease for changes of entries. The store checks its fence. */
  readonly lease: HeldLease;
  readonly observer: RoundObserver;
}

/**
 * Reads all pages of apps, several apps at a time, and publishes new and changed entries. A day is published as rarely
 * as possible. A round can be repeated at any time, because it does not publish entries again.
 *
 * @returns the error that keeps the remaining apps from being read.
 * @throws StoreUnavailableError if the store cannot be reached; FencedError if another process may have published
 *   since; the reason of `signal` once it has aborted.
 */
export async function walkApps(
  apps: readonly string[],
  parts: RoundParts,
  signal: AbortSignal,
): Promise<UpstreamError | undefined> {
  const failing = new AbortController();
  const either = AbortSignal.any([signal, failing.signal]);
  const pending = new PendingWalks(parts, either);
  const left = [...apps].reverse();
  let stopped: UpstreamError | undefined;
  let failures = 0;
  const walkNext = async (): Promise<void> => {
    for (;;) {
      const appId = stopped === undefined ? left.pop() : undefined;
      if (appId === undefined) return;
      const walk = await walkApp(parts, appId, either);
      parts.observer.walked(walk);
      failures = walk.error?.kind === "unavailable" ? failures + 1 : 0;
      if (walk.error !== undefined && concernsAll(walk.error, failures)) stopped ??= walk.error;
      await pending.add(walk);
    }
  };
  const walks = Array.from({ length: Math.min(MAX_WALKS, apps.length) }, () =>
    walkNext().catch((error: unknown) => {
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

/** Returns true if an error concerns all of upstream, not only one app. */
const concernsAll = ({ kind, retryAfterMs }: UpstreamError, failures: number): boolean =>
  kind === "credentials" ||
  (kind === "unavailable" && (retryAfterMs !== undefined || failures >= MAX_FAILURES_IN_A_ROW));

/** Collects walks to publish their entries together: a publication rewrites a whole day of all apps. */
class PendingWalks {
  readonly #parts: RoundParts;
  readonly #signal: AbortSignal;
  readonly #publications = new SerialQueue();
  #walks: AppWalk[] = [];
  #rows = 0;

  constructor(parts: RoundParts, signal: AbortSignal) {
    this.#parts = parts;
    this.#signal = signal;
  }

  /** Adds a walk, and publishes all pending entries if there are many. @throws the same errors as {@link publish}. */
  async add(walk: AppWalk): Promise<void> {
    this.#walks.push(walk);
    this.#rows += walk.changes.rows.length;
    if (this.#rows >= MAX_ROWS) await this.publish();
  }

  /**
   * Publishes the pending entries. Stores the versions that they replace first, so that a retry after a crash finds the
   * same ones.
   *
   * @throws StoreUnavailableError if the store cannot be reached; FencedError.
   */
  publish(): Promise<void> {
    const walks = this.#walks;
    this.#walks = [];
    this.#rows = 0;
    return this.#publications.run(() => this.#publish(walks));
  }

  async #publish(walks: readonly AppWalk[]): Promise<void> {
    const { store, project, lease, observer } = this.#parts;
    const replaced = walks.flatMap(({ changes }) => changes.replaced);
    for (let start = 0; start < replaced.length; start += VERSIONS_AT_A_TIME) {
      expectHeld(lease);
      await store.keepVersions(project, replaced.slice(start, start + VERSIONS_AT_A_TIME));
    }
    const rows = walks.flatMap(({ changes }) => changes.rows);
    for (const [day, ofDay] of groupBy(rows, (row) => row.day)) {
      this.#signal.throwIfAborted();
      expectHeld(lease);
      await publishRows(store, project, day, ofDay, lease.fence, this.#signal);
    }
    if (walks.length > 0) await observer.published(walks);
  }
}
