import type { Records } from "../control/records.js";
import { MAX_UPSTREAM_APPS } from "../limits/data-limits.js";
import type { Clock } from "../model/clock.js";
import { dayOf, LAST_DAY } from "../model/day.js";
import type { ProjectNumber } from "../model/names.js";
import type { Store } from "../store/store.js";
import { type DayRuns, runsOf } from "./day-runs.js";
import { MirrorDocument } from "./mirror-document.js";
import {
  afterWalk,
  failedAgain,
  isDue,
  isWaiting,
  type MirrorSchedule,
  type Moment,
  NEW_MIRROR,
  type ProjectMirror,
  REMEMBERED_DAYS,
} from "./mirror-state.js";
import type { AppWalk } from "./round/walk-app.js";
import { UpstreamError } from "./upstream/upstream.js";

/**
 * Maximum number of days that are read for an app without recorded days. Upstream may send entries with any date.
 */
const MAX_HELD_DAYS = 10_000;

export interface KnownMirrorDependencies {
  readonly project: ProjectNumber;
  /** Apps to mirror. If omitted, all apps that upstream lists are mirrored. */
  readonly apps?: readonly string[] | undefined;
  readonly schedule: MirrorSchedule;
  readonly store: Pick<Store, "sumEntries">;
  readonly records: Pick<Records, "get" | "change">;
  /** The machine's clock. */
  readonly clock: Clock;
  /** The clock that days follow. */
  readonly dayClock: Clock;
}

/** State of a project's mirror when it was last read or written. Determines which apps are due. */
export class KnownMirror {
  readonly #dependencies: KnownMirrorDependencies;
  readonly #document: MirrorDocument;
  #current: ProjectMirror = NEW_MIRROR;
  /** Time of the last read or write, on the monotonic clock. */
  #at = Number.NEGATIVE_INFINITY;
  #releasedAt: number | undefined;
  /** Apps that this process has recorded. If one has no recorded days, the store has no recent ones either. */
  readonly #recorded = new Set<string>();

  constructor(dependencies: KnownMirrorDependencies) {
    this.#dependencies = dependencies;
    const { records, project, apps } = dependencies;
    this.#document = new MirrorDocument(records, project, apps);
  }

  get current(): ProjectMirror {
    return this.#current;
  }

  /** Milliseconds since the state was last read or written. */
  get age(): number {
    return performance.now() - this.#at;
  }

  get now(): Moment {
    const { clock, dayClock } = this.#dependencies;
    const releasedAt = this.#releasedAt;
    return {
      wall: dayClock.wall(),
      machine: clock.wall(),
      ...(releasedAt !== undefined && { releasedAt }),
    };
  }

  /** Ids of the mirrored apps. */
  get apps(): readonly string[] {
    return this.#dependencies.apps ?? [...this.#current.apps.keys()];
  }

  /** Makes all apps due that are waiting after a failure. */
  release(): void {
    this.#releasedAt = this.#dependencies.clock.wall();
    // The clock that days follow may have been set.
    this.#recorded.clear();
  }

  /** Reads the state. @throws StoreUnavailableError if the state cannot be read; Error if it is damaged. */
  async read(): Promise<void> {
    this.#set(await this.#document.read());
  }

  /** Returns true if an app is due, or the app list. */
  isAnyDue(): boolean {
    const { pause } = this.#current;
    if (pause !== undefined && isWaiting(pause, this.now)) return false;
    return this.isListDue() || this.apps.some((appId) => this.#isAppDue(appId));
  }

  /** Returns true if the app list is due. */
  isListDue(): boolean {
    return this.#dependencies.apps === undefined && this.#isDue(this.#current.listing);
  }

  /** Returns the apps that are due. Ignores a pause of the whole project. */
  dueApps(): readonly string[] {
    return this.apps.filter((appId) => this.#isAppDue(appId));
  }

  /**
   * Records upstream's app list. Apps that are no longer in the list stay.
   *
   * @throws UpstreamError if all lists together have contained too many apps. Otherwise, the same errors as
   * {@link read}.
   */
  async listed(appIds: readonly string[], now: Moment): Promise<void> {
    const apps = new Map(this.#current.apps);
    for (const appId of appIds) {
      if (!apps.has(appId)) apps.set(appId, { since: now.wall, days: [] });
    }
    // If each list had different apps, every round would be longer than the round before.
    if (apps.size > MAX_UPSTREAM_APPS) {
      throw new UpstreamError(
        "form",
        `its app lists have contained more than ${MAX_UPSTREAM_APPS} apps so far`,
      );
    }
    await this.#write({ ...this.#current, listing: { round: now.wall }, apps });
  }

  /** Records that upstream's app list could not be read. @throws the same errors as {@link read}. */
  unlisted(error: UpstreamError, now: Moment): Promise<void> {
    const { listing } = this.#current;
    const failure = failedAgain(listing.failure, error, now);
    return this.#write({ ...this.#current, listing: { ...listing, failure } });
  }

  /**
   * Records walks through apps. Must be called after their entries were published.
   *
   * @param round time at which the round started.
   * @param isFirst true if the project had no entries before the round.
   * @throws the same errors as {@link read}.
   */
  async walked(walks: readonly AppWalk[], round: Moment, isFirst: boolean): Promise<void> {
    const apps = new Map(this.#current.apps);
    const now = this.#endOf(round);
    for (const walk of walks) {
      const before = apps.get(walk.appId);
      const isKnown = isFirst || (before?.days.length ?? 0) > 0 || this.#recorded.has(walk.appId);
      const held = isKnown ? [] : await this.#heldDays(walk.appId);
      apps.set(walk.appId, afterWalk(before, walk, now, held));
    }
    await this.#write({ ...this.#current, apps });
    for (const { appId } of walks) this.#recorded.add(appId);
  }

  /** Records an error that makes all apps wait, or that there is none. @throws the same errors as {@link read}. */
  async paused(error: UpstreamError | undefined, round: Moment): Promise<void> {
    const { pause, ...others } = this.#current;
    if (error === undefined && pause === undefined) return;
    const failure = error && failedAgain(pause, error, this.#endOf(round));
    await this.#write(failure === undefined ? others : { ...others, pause: failure });
  }

  /**
   * Returns the current time for recording failures. Their wait starts when the round ends, which may be long after its
   * start.
   */
  #endOf({ wall }: Moment): Moment {
    return { wall, machine: this.now.machine };
  }

  #isAppDue(appId: string): boolean {
    return this.#isDue(this.#current.apps.get(appId) ?? {});
  }

  #isDue(attempts: ProjectMirror["listing"]): boolean {
    const { schedule, project } = this.#dependencies;
    return isDue(attempts, schedule, project, this.now);
  }

  /** Reads which recent days have entries, for an app without recorded days. */
  async #heldDays(appId: string): Promise<DayRuns> {
    const { store, project, dayClock } = this.#dependencies;
    const since = dayOf(dayClock.wall()) - REMEMBERED_DAYS;
    const groups = await store.sumEntries({
      project,
      appId,
      until: LAST_DAY,
      filter: { kind: "day", comparison: ">=", day: since },
      groupBy: new Set(["day"] as const),
      limit: MAX_HELD_DAYS,
    });
    return runsOf(groups.flatMap(({ days }) => (days === undefined ? [] : Array.from(days))));
  }

  async #write(mirror: ProjectMirror): Promise<void> {
    await this.#document.write(mirror);
    this.#set(mirror);
  }

  #set(mirror: ProjectMirror): void {
    this.#current = mirror;
    this.#at = performance.now();
  }
}
