import { HOUR_MS, MINUTE_MS } from "../model/clock.js";
import type { ProjectNumber } from "../model/names.js";

/** Initial and maximum time limit of an attempt, in milliseconds. */
const FIRST_LIMIT = MINUTE_MS;
const MAX_LIMIT = HOUR_MS;

interface NextSlot {
  /** Sequence number of the project's last slot, counted across all projects. */
  last: number;
  /** Maximum number of days in the project's next slot. */
  size: number;
  /** Time limit of the project's next slot, in milliseconds. */
  limit: number;
}

/**
 * Determines the slots of projects. The number of days in a slot depends on whether the project's earlier slots were
 * successful.
 */
export class ProjectSlots {
  readonly #largest: number;
  readonly #isUnlimited: boolean;
  readonly #projects = new Map<string, NextSlot>();
  #count = 0;

  /**
   * @param largest maximum number of days in a slot.
   * @param isUnlimited true if slots have no time limit.
   */
  constructor(largest: number, isUnlimited = false) {
    this.#largest = largest;
    this.#isUnlimited = isUnlimited;
  }

  /** Sorts projects by their last slot, least recent first. */
  order(projects: readonly string[]): string[] {
    return [...projects].sort((a, b) => this.#nextSlotOf(a).last - this.#nextSlotOf(b).last);
  }

  /** Returns the maximum number of days in a project's next slot. */
  sizeFor(project: ProjectNumber): number {
    return this.#nextSlotOf(project).size;
  }

  /** Returns the time limit of a project's next slot, in milliseconds; `undefined` if it has none. */
  limitFor(project: ProjectNumber): number | undefined {
    return this.#isUnlimited ? undefined : this.#nextSlotOf(project).limit;
  }

  /** Doubles the time limit of the project's next slot, so that long work can complete. */
  reachedLimit(project: ProjectNumber): void {
    const slot = this.#nextSlotOf(project);
    slot.limit = Math.min(2 * slot.limit, MAX_LIMIT);
  }

  /**
   * Records a slot's outcome. After a failure, the next slot has half as many days, but at least one. After a success,
   * it has twice as many.
   */
  used(project: ProjectNumber, days: number, succeeded: boolean): void {
    const slot = this.#nextSlotOf(project);
    slot.last = ++this.#count;
    if (succeeded) slot.limit = FIRST_LIMIT;
    slot.size = succeeded ? Math.min(2 * slot.size, this.#largest) : Math.ceil(days / 2);
  }

  #nextSlotOf(project: ProjectNumber): NextSlot {
    let slot = this.#projects.get(project);
    if (slot === undefined) {
      slot = { last: 0, size: this.#largest, limit: FIRST_LIMIT };
      this.#projects.set(project, slot);
    }
    return slot;
  }
}
