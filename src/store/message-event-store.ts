import type { Day } from "./day.js";
import type { EventBlock } from "./event-block.js";

/** One day of one project: what a rollup computes at a time. */
export interface ProjectDay {
  /** Project number, in decimal. */
  readonly project: string;
  readonly day: Day;
}

/** A day whose events have changed since it was last rolled up. */
export interface StaleDay extends ProjectDay {
  /** When the first of those changes was stored, in milliseconds since the Unix epoch. */
  readonly since: number;
}

/**
 * The message events, and their rollup into delivery data inside the store's engine. Events are a set: storing one
 * again changes nothing that the rollup sees, so an `append` whose outcome is unknown may be repeated.
 */
export interface MessageEventStore {
  /**
   * Stores the events of one project, all or none. When it resolves they are on disk and survive any crash, and their
   * days are stale.
   *
   * @param signal gives it up when it aborts, unless the events are being written already.
   * @throws StoreUnavailableError if the store cannot be reached or is full. The events may or may not be stored.
   * @throws the reason of `signal` if it has given up. None of the events are stored.
   */
  append(project: string, events: readonly EventBlock[], signal?: AbortSignal): Promise<void>;

  /** Whether no event was ever stored. */
  isEmpty(): Promise<boolean>;

  /** The days that have to be rolled up, also those from before a restart. */
  staleDays(): Promise<readonly StaleDay[]>;

  /**
   * Computes the delivery data of one day from the set of its events (decisions: rollup) and publishes it as a whole.
   * The day stays stale if events came in meanwhile.
   *
   * @throws StoreUnavailableError if the store cannot be reached.
   */
  rollUp(day: ProjectDay): Promise<void>;
}
