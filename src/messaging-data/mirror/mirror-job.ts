import { setTimeout as sleep } from "node:timers/promises";
import type { DocumentStore } from "../../control/document-store.js";
import type { LeaseStore } from "../../control/lease-store.js";
import { SerialQueue } from "../../limits/serial-queue.js";
import type { Clock } from "../../model/clock.js";
import { dayOf, LAST_DAY } from "../../model/day.js";
import { FencedError } from "../../model/store-error.js";
import type { Store } from "../../store/store.js";
import { type ExtendedLease, LeaseHolder } from "../jobs/lease-holder.js";
import { type DayRuns, runsOf } from "./day-runs.js";
import { MirrorDocument } from "./mirror-document.js";
import { isDue, isWaiting, type MirrorSchedule } from "./mirror-schedule.js";
import {
  type AppMirror,
  type Failure,
  failedAgain,
  type Moment,
  NEW_MIRROR,
  type ProjectMirror,
} from "./mirror-state.js";
import { type Original, OriginalError } from "./original/original.js";
import { afterFailure, afterWalk, delayAfter, REMEMBERED_DAYS } from "./round/after-walk.js";
import { RoundCounts, type RoundSummary } from "./round/round-summary.js";
import type { AppWalk } from "./round/walk-app.js";
import { walkApps } from "./round/walk-apps.js";

/** Interval at which the clocks are compared with the schedule, in milliseconds. */
const LOOK_INTERVAL = 1_000;
/** Age at which what is known is read again, because another process may have changed it, in milliseconds. */
const MAX_KNOWN_AGE = 15_000;
/** Pause after the store or the documents failed, in milliseconds. */
const PAUSE_AFTER_ERROR = 5_000;
/** Pause before the lease is asked for again that another process has, in milliseconds. */
const PAUSE_WITHOUT_LEASE = 1_000;

/** Most days with entries that are read of an app, whatever dates its entries have. */
const MAX_HELD_DAYS = 10_000;

/** Observer of a mirror. */
export interface MirrorObserver {
  /** An app was read. @param before failures in a row of earlier rounds. */
  walked(walk: AppWalk, before: Failure | undefined): void;
  /** The list of apps could not be read. @param before as in {@link walked}. */
  unlisted(error: OriginalError, before: Failure | undefined): void;
  /** A round has ended. @param stopped the fault that kept some of its apps from being read. */
  ended(summary: RoundSummary, milliseconds: number, stopped: OriginalError | undefined): void;
  /** The store or the documents failed; it will be tried again. */
  failed(error: unknown): void;
}

/** Dependencies of a {@link MirrorJob}. */
export interface MirrorDependencies {
  /** Project number, in decimal. */
  readonly project: string;
  readonly original: Original;
  /** The apps; missing for all that the original lists. */
  readonly apps?: readonly string[] | undefined;
  readonly schedule: MirrorSchedule;
  readonly store: Store;
  readonly documents: DocumentStore;
  readonly leases: LeaseStore;
  /** The clock of the machine. */
  readonly clock: Clock;
  /** The clock that days follow. */
  readonly dayClock: Clock;
  readonly observer: MirrorObserver;
}

/** A round that somebody asked for. */
export interface RequestedRound {
  /** Missing for all apps. */
  readonly appId?: string | undefined;
  /** Called before the first app is read. */
  readonly onBegin: (apps: number) => void;
  /** Called for each app that was read. */
  readonly onWalked: (walk: AppWalk) => void;
  /** Called at the end. */
  readonly onEnd: (summary: RoundSummary) => void;
}

/**
 * Mirrors the original of a project, whenever apps are due and while this process holds the project's lease. What is
 * known of the apps is kept in a document when their entries are published.
 */
export class MirrorJob {
  readonly #dependencies: MirrorDependencies;
  readonly #document: MirrorDocument;
  readonly #leases: LeaseHolder;
  readonly #rounds = new SerialQueue();
  readonly #stopping = new AbortController();
  #known: ProjectMirror = NEW_MIRROR;
  /** When it was read, by the monotonic clock; missing before the first time. */
  #knownAt: number | undefined;
  #running: Promise<void> | undefined;

  constructor(dependencies: MirrorDependencies) {
    this.#dependencies = dependencies;
    this.#document = new MirrorDocument(dependencies.documents, dependencies.project);
    this.#leases = new LeaseHolder(dependencies.leases);
  }

  /** What is known of the apps, as of a few seconds ago. */
  get known(): ProjectMirror {
    return this.#known;
  }

  /** Starts to read what is due, now and later. */
  start(): void {
    this.#running ??= this.#run();
  }

  /** Ends the round under way, and begins no other. What it has not published is read again later. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#running;
    await this.#rounds.run(async () => {});
  }

  /**
   * Reads apps at once, due or not. Waits for a round that is under way, in this process or another.
   *
   * @returns the fault that kept some of the apps, or their list, from being read.
   * @throws StoreUnavailableError if the store or the documents cannot be reached; the reason of `signal` once it has
   * aborted.
   */
  async runNow(request: RequestedRound, signal: AbortSignal): Promise<OriginalError | undefined> {
    const either = AbortSignal.any([signal, this.#stopping.signal]);
    for (;;) {
      either.throwIfAborted();
      const done = await this.#rounds.run(() => this.#underLease(either, request));
      if (done !== undefined) return done.stopped;
      await pause(PAUSE_WITHOUT_LEASE, either);
    }
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      const wait = await this.#rounds
        .run(() => this.#look(signal))
        .catch((error: unknown) => {
          if (!signal.aborted) this.#dependencies.observer.failed(error);
          return PAUSE_AFTER_ERROR;
        });
      await pause(wait, signal);
    }
  }

  /** Reads what is due. @returns the time until the next look, in milliseconds. */
  async #look(signal: AbortSignal): Promise<number> {
    const age = performance.now() - (this.#knownAt ?? Number.NEGATIVE_INFINITY);
    if (age > MAX_KNOWN_AGE) await this.#read();
    if (!this.#isAnyDue()) return LOOK_INTERVAL;
    const done = await this.#underLease(signal);
    return done === undefined ? PAUSE_WITHOUT_LEASE : LOOK_INTERVAL;
  }

  async #read(): Promise<void> {
    this.#known = await this.#document.read();
    this.#knownAt = performance.now();
  }

  #underLease(
    signal: AbortSignal,
    request?: RequestedRound,
  ): Promise<{ stopped: OriginalError | undefined } | undefined> {
    return this.#leases.under(`mirror.${this.#dependencies.project}`, async (lease) => {
      await this.#read();
      if (request === undefined && !this.#isAnyDue()) return { stopped: undefined };
      return { stopped: await this.#round(lease, signal, request) };
    });
  }

  get #now(): Moment {
    const { clock, dayClock } = this.#dependencies;
    return { wall: dayClock.wall(), machine: clock.wall() };
  }

  #isAnyDue(): boolean {
    const { pause, listing, apps } = this.#known;
    if (pause !== undefined && isWaiting(pause, this.#now)) return false;
    if (this.#dependencies.apps === undefined && this.#isDue(listing)) return true;
    return this.#dueAmong(this.#dependencies.apps ?? apps.keys()).length > 0;
  }

  #isDue(attempts: ProjectMirror["listing"]): boolean {
    const { schedule, project } = this.#dependencies;
    return isDue(attempts, schedule, project, this.#now);
  }

  #dueAmong(apps: Iterable<string>): string[] {
    return [...apps].filter((appId) => this.#isDue(this.#known.apps.get(appId) ?? {}));
  }

  async #round(
    lease: ExtendedLease,
    signal: AbortSignal,
    request?: RequestedRound,
  ): Promise<OriginalError | undefined> {
    const { original, store, project, observer } = this.#dependencies;
    const start = performance.now();
    const round = this.#now;
    const unlisted =
      request?.appId === undefined ? await this.#listApps(round, signal, request !== undefined) : undefined;
    const all = this.#dependencies.apps ?? [...this.#known.apps.keys()];
    if (unlisted !== undefined && (all.length === 0 || unlisted.fault === "credentials")) {
      await this.#paused(unlisted, round);
      return unlisted;
    }
    const apps =
      request === undefined ? this.#dueAmong(all) : request.appId === undefined ? all : [request.appId];
    request?.onBegin(apps.length);
    const held = new Map<string, DayRuns>();
    const counts = new RoundCounts();
    const stopped = await walkApps(
      apps,
      {
        original,
        store,
        project,
        // A round that somebody asks for compares all entries.
        knownDigest: (appId) => (request === undefined ? this.#known.apps.get(appId)?.digest : undefined),
        onWalked: (walk) => {
          counts.add(walk);
          observer.walked(walk, this.#known.apps.get(walk.appId)?.failure);
          request?.onWalked(walk);
        },
        onPublished: async (walks) => {
          for (const { appId } of walks) {
            if (!this.#known.apps.get(appId)?.days.length) held.set(appId, await this.#heldDays(appId));
          }
          await this.#walked(walks, held, round);
        },
        expectLease: () => {
          if (lease.isLost) throw new FencedError("another process mirrors this project now");
        },
      },
      signal,
    );
    await this.#paused(stopped, round);
    const summary = counts.summary(apps.length);
    observer.ended(summary, performance.now() - start, stopped);
    request?.onEnd(summary);
    return stopped;
  }

  /** Reads the list of apps, if there is one and it is due. @returns the fault that it met. */
  async #listApps(now: Moment, signal: AbortSignal, always: boolean): Promise<OriginalError | undefined> {
    const { original, observer, apps } = this.#dependencies;
    const { listing } = this.#known;
    if (apps !== undefined || !(always || this.#isDue(listing))) return undefined;
    try {
      const listed = await original.apps(signal);
      const known = new Map(this.#known.apps);
      for (const appId of listed) {
        if (!known.has(appId)) known.set(appId, { since: now.wall, days: [] });
      }
      await this.#write({ ...this.#known, listing: { round: now.wall }, apps: known });
      return undefined;
    } catch (error) {
      if (!(error instanceof OriginalError)) throw error;
      observer.unlisted(error, listing.failure);
      await this.#write({ ...this.#known, listing: afterFailure(listing, error, now) });
      return error;
    }
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

  async #walked(walks: readonly AppWalk[], held: ReadonlyMap<string, DayRuns>, round: Moment): Promise<void> {
    const apps = new Map<string, AppMirror>(this.#known.apps);
    const today = dayOf(round.wall);
    // The failure counts from now: the walk may have taken long.
    const now = { wall: round.wall, machine: this.#now.machine };
    for (const walk of walks) {
      apps.set(walk.appId, afterWalk(apps.get(walk.appId), walk, now, held.get(walk.appId) ?? [], today));
    }
    await this.#write({ ...this.#known, apps });
  }

  /** Remembers whether all apps have to wait. */
  async #paused(fault: OriginalError | undefined, round: Moment): Promise<void> {
    const { pause, ...others } = this.#known;
    if (fault === undefined && pause === undefined) return;
    const now = { wall: round.wall, machine: this.#now.machine };
    const failure = fault && failedAgain(pause, fault, now, delayAfter(fault));
    await this.#write(failure === undefined ? others : { ...others, pause: failure });
  }

  async #write(mirror: ProjectMirror): Promise<void> {
    await this.#document.write(mirror);
    this.#known = mirror;
    this.#knownAt = performance.now();
  }
}

/** Waits until the time has passed or a signal aborts. */
async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  // A pause that is cut short has ended all the same.
  await sleep(milliseconds, undefined, { signal }).catch(() => {});
}
