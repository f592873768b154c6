import type { Day } from "../model/day.js";
import type { ProjectNumber } from "../model/names.js";

/**
 * Ratio of a day's pause to the preceding work's duration. If a day changes continuously, work on it uses at most a
 * fifth of the time.
 */
const REST_FACTOR = 4;
/** Default maximum pause after successful work, in milliseconds. */
const MAX_REST = 2_000;
/**
 * Ratio of a day's pause in a busy project to the duration of all work on the project since the day's last slot. It
 * limits the work on the project to a tenth of the time. A day without a slot so far pauses like the day with the last
 * slot. Otherwise, an import with many days would get a slot for each new day immediately.
 */
const BUSY_REST_FACTOR = 9;
/** Maximum pause in a busy project, in milliseconds. */
const MAX_BUSY_REST = 120_000;
const FIRST_RETRY = 1_000;
const MAX_RETRY = 30_000;
/** Maximum pause after a slow failure, in milliseconds. */
const MAX_LONG_RETRY = 600_000;

interface Rest {
  readonly until: number;
  /** Time at which the pause ends if the project is busy. */
  readonly busyUntil: number;
  /** Total duration of work on the project when the pause started, in milliseconds. */
  readonly worked: number;
  /** Pause after the next failure, in milliseconds. Omitted if the last work was successful. */
  readonly retry?: number;
}

/** All work on a project so far. */
interface Work {
  /** Total duration of the work, in milliseconds. */
  readonly workMs: number;
  /** Time at which the pause ends for days without a slot so far, if the project is busy. */
  readonly busyUntil: number;
}

/** Days that pause after work on them, whether the work was successful or has failed. */
export class RestingDays {
  readonly #maxRest: number;
  readonly #rests = new Map<string, Rest>();
  readonly #work = new Map<string, Work>();

  /** @param maxRest maximum pause after successful work, in milliseconds. */
  constructor(maxRest = MAX_REST) {
    this.#maxRest = maxRest;
  }

  /**
   * Returns the time at which a day may be processed again, on the monotonic clock. Returns `undefined` if the day may
   * be processed now.
   *
   * @param isBusy true if new work for the project keeps arriving.
   */
  restUntil(project: ProjectNumber, day: Day, now: number, isBusy = false): number | undefined {
    const rest =
      this.#rests.get(nameOf(project, day)) ?? (isBusy ? this.#firstRest(project, day, now) : undefined);
    const until = isBusy ? rest?.busyUntil : rest?.until;
    return until !== undefined && until > now ? until : undefined;
  }

  /** Returns true if any day is pausing after successful work. */
  isAnyResting(now: number): boolean {
    return [...this.#rests.values()].some(({ until, retry }) => retry === undefined && until > now);
  }

  /** Records successful work. @param workMs duration of the work on these days, in milliseconds. */
  succeeded(project: ProjectNumber, days: readonly Day[], now: number, workMs: number): void {
    const before = this.#work.get(project)?.workMs ?? 0;
    const worked = before + workMs;
    let longest = now;
    const until = now + Math.min(REST_FACTOR * workMs, this.#maxRest);
    for (const day of days) {
      const name = nameOf(project, day);
      const since = worked - (this.#rests.get(name)?.worked ?? before);
      const busyUntil = Math.max(until, now + Math.min(BUSY_REST_FACTOR * since, MAX_BUSY_REST));
      this.#rests.set(name, { until, busyUntil, worked });
      longest = Math.max(longest, busyUntil);
    }
    this.#work.set(project, { workMs: worked, busyUntil: longest });
  }

  /**
   * Sets the first pause for a day without a slot so far, in a busy project. Work on other days does not extend this
   * pause.
   */
  #firstRest(project: ProjectNumber, day: Day, now: number): Rest | undefined {
    const work = this.#work.get(project);
    if (work === undefined) return undefined;
    const rest = { until: now, busyUntil: work.busyUntil, worked: work.workMs };
    this.#rests.set(nameOf(project, day), rest);
    return rest;
  }

  /**
   * Records failed work on a day. The pause grows with each failure, and in proportion to the work. In a store outage,
   * the pause is only a second, so that the day is processed soon after the outage.
   *
   * @param failure duration of the work, in milliseconds, and true for an outage.
   */
  failed(project: ProjectNumber, day: Day, now: number, { workMs = 0, isOutage = false } = {}): void {
    const name = nameOf(project, day);
    const next = this.#rests.get(name)?.retry ?? FIRST_RETRY;
    const rest = isOutage ? FIRST_RETRY : Math.max(next, Math.min(REST_FACTOR * workMs, MAX_LONG_RETRY));
    const until = now + rest;
    const retry = isOutage ? next : Math.min(2 * next, MAX_RETRY);
    const worked = this.#work.get(project)?.workMs ?? 0;
    this.#rests.set(name, { until, busyUntil: until, worked, retry });
  }

  /** Ends all pauses. */
  clear(): void {
    this.#rests.clear();
    this.#work.clear();
  }

  /** Drops days some time after their pause has ended, when earlier work no longer matters. */
  dropRested(now: number): void {
    for (const [name, { busyUntil, retry }] of this.#rests) {
      if (busyUntil + (retry === undefined ? MAX_BUSY_REST : MAX_RETRY) <= now) this.#rests.delete(name);
    }
    if (this.#rests.size === 0) this.#work.clear();
  }
}

const nameOf = (project: ProjectNumber, day: Day): string => `${project}/${day}`;
