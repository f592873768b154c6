import { SerialQueue } from "../../limits/serial-queue.js";
import { groupBy } from "../../model/group-by.js";
import { publishRows } from "./publish-rows.js";
import type { RoundParts } from "./round-parts.js";
import type { AppWalk } from "./walk-app.js";

/** Entries that wait to be published together, at most; one app may bring more. About 100 MB. */
const MAX_ROWS = 200_000;
/** Versions that are kept at a time. */
const VERSIONS_AT_A_TIME = 10_000;

/** Walks whose entries are published together: a publication replaces a day of all apps. */
export class PendingWalks {
  readonly #parts: RoundParts;
  readonly #signal: AbortSignal;
  readonly #publications = new SerialQueue();
  #walks: AppWalk[] = [];
  #rows = 0;

  constructor(parts: RoundParts, signal: AbortSignal) {
    this.#parts = parts;
    this.#signal = signal;
  }

  /** Adds a walk, and publishes what has gathered if it is much. @throws as {@link publish}. */
  async add(walk: AppWalk): Promise<void> {
    this.#walks.push(walk);
    this.#rows += walk.changes.rows.length;
    if (this.#rows >= MAX_ROWS) await this.publish();
  }

  /**
   * Publishes what has gathered. Replaced versions are kept first: after a crash, the same ones are found again.
   *
   * @throws StoreUnavailableError if the store cannot be reached.
   */
  publish(): Promise<void> {
    const walks = this.#walks;
    this.#walks = [];
    this.#rows = 0;
    return this.#publications.run(() => this.#publish(walks));
  }

  async #publish(walks: readonly AppWalk[]): Promise<void> {
    const { store, project, expectLease, fence, onPublished } = this.#parts;
    const replaced = walks.flatMap(({ changes }) => changes.replaced);
    for (let start = 0; start < replaced.length; start += VERSIONS_AT_A_TIME) {
      expectLease();
      await store.keepVersions(project, replaced.slice(start, start + VERSIONS_AT_A_TIME));
    }
    const rows = walks.flatMap(({ changes }) => changes.rows);
    for (const [day, ofDay] of groupBy(rows, (row) => row.day)) {
      this.#signal.throwIfAborted();
      expectLease();
      await publishRows(store, project, day, ofDay, fence, this.#signal);
    }
    if (walks.length > 0) await onPublished(walks);
  }
}
