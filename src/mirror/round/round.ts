import { expectHeld, type HeldLease } from "../../jobs/lease-holder.js";
import { SerialQueue } from "../../limits/pacing.js";
import type { UpstreamError } from "../upstream/upstream.js";
import { publishRows } from "./published-entries.js";
import { type AppWalk, type WalkParts, walkApp } from "./walk-app.js";

/** Maximum number of apps to read at the same time. */
const MAX_WALKS = 4;
/** Number of consecutive apps with errors after which the round ends. */
const MAX_FAILURES_IN_A_ROW = 5;
/** Number of pending entries that causes a publication. They need about 100 MB. A single app may exceed this number. */
const MAX_ROWS = 200_000;
const VERSIONS_AT_A_TIME = 10_000;

/** Callbacks that report a round's progress. */
export interface RoundObserver {
  /** Called after an app was read. */
  walked(walk: AppWalk): void;
  /** Called after all entries of these walks were published. */
  published(walks: readonly AppWalk[]): Promise<void>;
}

export interface RoundParts extends WalkParts {
  /** Lease that permits changes to entries. The store checks its fencing number. */
  readonly lease: HeldLease;
  readonly observer: RoundObserver;
}

/**
 * Reads all pages of several apps at a time, and publishes new and changed entries. Publishes each day as rarely as
 * possible. A round can be repeated at any time, because unchanged entries are not published again.
 *
 * @returns the error that prevented reading the remaining apps.
 * @throws StoreUnavailableError if the store cannot be reached; FencedError if another process may have published
 * entries since; the abort reason of `signal`.
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

/** Returns true if an error concerns upstream as a whole, and not only one app. */
const concernsAll = ({ kind, retryAfterMs }: UpstreamError, failures: number): boolean =>
  kind === "credentials" ||
  (kind === "unavailable" && (retryAfterMs !== undefined || failures >= MAX_FAILURES_IN_A_ROW));

/**
 * Collects walks, to publish their entries together. Each publication rewrites a whole day with the entries of all
 * apps, so fewer publications cost less.
 */
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

  /** Adds a walk. Publishes all pending entries if there are too many. @throws the same errors as {@link publish}. */
  async add(walk: AppWalk): Promise<void> {
    this.#walks.push(walk);
    this.#rows += walk.changes.rows.length;
    if (this.#rows >= MAX_ROWS) await this.publish();
  }

  /**
   * Publishes the pending entries. Stores the versions that they replace first, so that a retry after a crash finds the
   * same versions.
   *
   * @throws StoreUnavailableError if the store cannot be reached; FencedError if another process may have published
   * entries since.
   */
  publish(): Promise<void> {
    const walks = this.#walks;
    this.#walks = [];
    this.#rows = 0;
    return this.#publications.run(() => this.#publish(walks));
  }

  async #publish(walks: readonly AppWalk[]): Promise<void> {
    const { store, project, lease, isFirst, observer } = this.#parts;
    const replaced = walks.flatMap(({ changes }) => changes.replaced);
    for (let start = 0; start < replaced.length; start += VERSIONS_AT_A_TIME) {
      expectHeld(lease);
      await store.keepVersions(project, replaced.slice(start, start + VERSIONS_AT_A_TIME));
    }
    const rows = walks.flatMap(({ changes }) => changes.rows);
    await publishRows(store, project, rows, { lease, isFirst, signal: this.#signal });
    if (walks.length > 0) await observer.published(walks);
  }
}
