import { expectHeld, type HeldLease } from "../../jobs/lease-holder.js";
import { SerialQueue } from "../../limits/pacing.js";
import { groupBy } from "../../model/collections.js";
import type { UpstreamError } from "../upstream/upstream.js";
import { publishRows } from "./published-entries.js";
import { type AppWalk, type WalkParts, walkApp } from "./walk-app.js";

/** Maximum number of apps whose pages are read at the same time. */
const MAX_WALKS = 4;
/** Number of apps in a row that fail, after which the upstream is left alone. */
const MAX_FAILURES_IN_A_ROW = 5;
/** Number of entries at which they are published; one app may add more. About 100 MB. */
const MAX_ROWS = 200_000;
/** Number of versions that are kept at a time. */
const VERSIONS_AT_A_TIME = 10_000;

/** Observer of a round. */
export interface RoundObserver {
  /** Called at the end of each walk. */
  walked(walk: AppWalk): void;
  /** Called when all entries of some walks are published. */
  published(walks: readonly AppWalk[]): Promise<void>;
}

/** Parts of a round of some apps. */
export interface RoundParts extends WalkParts {
  /** The lease under which entries may change; the store checks its fence. */
  readonly lease: HeldLease;
  readonly observer: RoundObserver;
}

/**
 * Reads all pages of some apps, several apps at a time, and publishes new and changed entries, each day as seldom as
 * possible. It can be repeated at any time: published entries are not published again.
 *
 * @returns the fault that keeps the rest of the apps from being read.
 * @throws StoreUnavailableError if the store cannot be reached; FencedError if another process may have published since;
 * the reason of `signal` once it has aborted.
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
      failures = walk.fault?.fault === "unavailable" ? failures + 1 : 0;
      if (walk.fault !== undefined && concernsAll(walk.fault, failures)) stopped ??= walk.fault;
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

/** Returns true if a fault is about the whole upstream, not about an app. */
const concernsAll = ({ fault, retryAfterMs }: UpstreamError, failures: number): boolean =>
  fault === "credentials" ||
  (fault === "unavailable" && (retryAfterMs !== undefined || failures >= MAX_FAILURES_IN_A_ROW));

/** Walks whose entries are published together: a publication replaces a day of all apps. */
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

  /** Adds a walk, and publishes all pending entries if they are many. @throws as {@link publish}. */
  async add(walk: AppWalk): Promise<void> {
    this.#walks.push(walk);
    this.#rows += walk.changes.rows.length;
    if (this.#rows >= MAX_ROWS) await this.publish();
  }

  /**
   * Publishes all pending entries. Replaced versions are kept first: after a crash, the same ones are found again.
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
