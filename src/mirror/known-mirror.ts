import type { Records } from "../control/records.js";
import { MAX_ORIGINAL_APPS } from "../limits/limits.js";
import type { Clock } from "../model/clock.js";
import { dayOf, LAST_DAY } from "../model/day.js";
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

/** Most days with entries that are read of an app, whatever dates its entries have. */
const MAX_HELD_DAYS = 10_000;

/** Dependencies of a {@link KnownMirror}. */
export interface KnownMirrorDependencies {
  /** Project number, in decimal. */
  readonly project: string;
  /** Apps to mirror. If omitted, all apps that upstream lists. */
  readonly apps?: readonly string[] | undefined;
  readonly schedule: MirrorSchedule;
  readonly store: Pick<Store, "sumEntries">;
  readonly records: Pick<Records, "get" | "change">;
  /** The clock of the machine. */
  readonly clock: Clock;
  /** The clock that days follow. */
  readonly dayClock: Clock;
}

/** The state of the mirror of a project, as last read or written, and the apps that are due by it. */
export class KnownMirror {
  readonly #dependencies: KnownMirrorDependencies;
  readonly #document: MirrorDocument;
  #current: ProjectMirror = NEW_MIRROR;
  /** Time of the last read or write, by the monotonic clock. */
  #at = Number.NEGATIVE_INFINITY;
  #releasedAt: number | undefined;

  constructor(dependencies: KnownMirrorDependencies) {
    this.#dependencies = dependencies;
    const { records, project, apps } = dependencies;
    this.#document = new MirrorDocument(records, project, apps);
  }

  get current(): ProjectMirror {
    return this.#current;
  }

  /** Time since it was read or written, in milliseconds. */
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

  /** The apps that are mirrored. */
  get apps(): readonly string[] {
    return this.#dependencies.apps ?? [...this.#current.apps.keys()];
  }

  /** Makes due what waits after a failure so far. */
  release(): void {
    this.#releasedAt = this.#dependencies.clock.wall();
  }

  /** @throws StoreUnavailableError if it cannot be read; Error if it is damaged. */
  async read(): Promise<void> {
    this.#set(await this.#document.read());
  }

  /** Returns true if something is to be read now. */
  isAnyDue(): boolean {
    const { pause } = this.#current;
    if (pause !== undefined && isWaiting(pause, this.now)) return false;
    return this.isListDue() || this.apps.some((appId) => this.#isAppDue(appId));
  }

  /** Returns true if the list of apps is to be read now. */
  isListDue(): boolean {
    return this.#dependencies.apps === undefined && this.#isDue(this.#current.listing);
  }

  /** Returns the apps that are to be read now, unless all have to wait. */
  dueApps(): readonly string[] {
    return this.apps.filter((appId) => this.#isAppDue(appId));
  }

  /**
   * Remembers the list of apps; those that it names no more stay.
   *
   * @throws UpstreamError if lists have named too many; otherwise as {@link read}.
   */
  async listed(appIds: readonly string[], now: Moment): Promise<void> {
    const apps = new Map(this.#current.apps);
    for (const appId of appIds) {
      if (!apps.has(appId)) apps.set(appId, { since: now.wall, days: [] });
    }
    // Lists that name others each time would have more read in each round.
    if (apps.size > MAX_ORIGINAL_APPS) {
      throw new UpstreamError("form", `its lists have named more than ${MAX_ORIGINAL_APPS} apps`);
    }
    await this.#write({ ...this.#current, listing: { round: now.wall }, apps });
  }

  /** Remembers that the list of apps could not be read. @throws as {@link read}. */
  unlisted(fault: UpstreamError, now: Moment): Promise<void> {
    const { listing } = this.#current;
    const failure = failedAgain(listing.failure, fault, now);
    return this.#write({ ...this.#current, listing: { ...listing, failure } });
  }

  /**
   * Remembers walks whose entries are published.
   *
   * @param round start of the round.
   * @throws as {@link read}.
   */
  async walked(walks: readonly AppWalk[], round: Moment): Promise<void> {
    const apps = new Map(this.#current.apps);
    const now = this.#endOf(round);
    for (const walk of walks) {
      const before = apps.get(walk.appId);
      const held = before === undefined || before.days.length === 0 ? await this.#heldDays(walk.appId) : [];
      apps.set(walk.appId, afterWalk(before, walk, now, held));
    }
    await this.#write({ ...this.#current, apps });
  }

  /** Remembers whether all apps have to wait. @throws as {@link read}. */
  async paused(fault: UpstreamError | undefined, round: Moment): Promise<void> {
    const { pause, ...others } = this.#current;
    if (fault === undefined && pause === undefined) return;
    const failure = fault && failedAgain(pause, fault, this.#endOf(round));
    await this.#write(failure === undefined ? others : { ...others, pause: failure });
  }

  /** The moment from which failures of a round wait: it may have taken long. */
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

  /** Reads the days of late that have entries, of an app that nothing is remembered of. */
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
