import type { LeaseStore } from "../control/lease-store.js";
import { type Job, type JobRun, JobRunner, type NextRun } from "../jobs/job-runner.js";
import { retryDelay } from "../jobs/retry-delay.js";
import { printable } from "../limits/excerpt.js";
import { entriesUntilAt, type Retention, type RetentionTime } from "../messaging-data/jobs/retention.js";
import { type Day, LAST_DAY } from "../model/day.js";
import type { Store } from "../store/store.js";
import { inJob } from "../telemetry/tracing.js";
import { KnownMirror, type KnownMirrorDependencies } from "./known-mirror.js";
import type { Failure, Moment, ProjectMirror } from "./mirror-state.js";
import { walkApps } from "./round/round.js";
import { type AppWalk, RoundCounts, type RoundSummary } from "./round/walk-app.js";
import { type Upstream, UpstreamError } from "./upstream/upstream.js";

/** Default interval between checks whether an app is due, in milliseconds. */
const LOOK_INTERVAL = 1_000;
/** Age at which the state is read again, in milliseconds. Another process may have changed it. */
const MAX_KNOWN_AGE = 15_000;
/** Minimum pause after an error of the store or the records, in milliseconds. */
const MIN_PAUSE_AFTER_ERROR = 5_000;

/** Callbacks that report a mirror's progress. */
export interface MirrorObserver {
  /** Called after an app was read. @param before earlier failures, if the previous attempt failed. */
  walked(walk: AppWalk, before: Failure | undefined): void;
  /**
   * Called when upstream's app list could not be read.
   *
   * @param before earlier failures, if the previous attempt failed.
   */
  unlisted(error: UpstreamError, before: Failure | undefined): void;
  /** Called when a round ends. @param stopped error that prevented reading some apps, or the app list. */
  ended(summary: RoundSummary, milliseconds: number, stopped: UpstreamError | undefined): void;
  /** Called after an error of the store or the records. The job tries again later. */
  failed(error: unknown): void;
}

export interface MirrorDependencies extends KnownMirrorDependencies {
  readonly upstream: Upstream;
  readonly retention: Retention;
  readonly retentionTime: RetentionTime;
  readonly store: Store;
  readonly leases: LeaseStore;
  readonly observer: MirrorObserver;
  /** Interval between checks whether an app is due, in milliseconds; a second by default. */
  readonly lookInterval?: number;
}

export interface RequestedRound {
  /** App to read. If omitted, reads all apps. */
  readonly appId?: string | undefined;
  /** Called before the first app is read, with the number of apps. */
  readonly onBegin: (apps: number) => void;
  /** Called after each app was read. */
  readonly onWalked: (walk: AppWalk) => void;
  /** Called when the round ends. */
  readonly onEnd: (summary: RoundSummary) => void;
}

/**
 * Mirrors one project. Reads due apps while this process holds the project's lease. Records an app's new state after
 * its entries were published.
 */
export class MirrorJob implements Job {
  readonly runner: JobRunner;
  readonly name: string;
  readonly interval: number;
  readonly #dependencies: MirrorDependencies;
  readonly #known: KnownMirror;

  constructor(dependencies: MirrorDependencies) {
    this.name = `mirror.${dependencies.project}`;
    this.interval = dependencies.lookInterval ?? LOOK_INTERVAL;
    this.#dependencies = dependencies;
    this.#known = new KnownMirror(dependencies);
    this.runner = new JobRunner(this, dependencies.leases);
  }

  /** State of the mirror. It is at most some seconds old. */
  get known(): ProjectMirror {
    return this.#known.current;
  }

  async isDue(): Promise<boolean> {
    if (this.#known.age > MAX_KNOWN_AGE) await this.#known.read();
    return this.#known.isAnyDue();
  }

  async run(run: JobRun): Promise<NextRun> {
    await this.#known.read();
    if (this.#known.isAnyDue()) await this.#round(run);
    return { after: this.interval };
  }

  release(): void {
    this.#known.release();
  }

  failed(error: unknown): void {
    this.#dependencies.observer.failed(error);
  }

  /** The pause grows with each failure, because a round reads all pages before its entries can be published. */
  pauseAfter(failures: number): number {
    return retryDelay(failures, MIN_PAUSE_AFTER_ERROR);
  }

  /**
   * Reads apps now, even if they are not due. Waits for a round in progress, in this process or in a different one.
   *
   * @returns the error that prevented reading some apps, or the app list.
   * @throws StoreUnavailableError if the store or the records cannot be reached; the abort reason of `signal`.
   */
  runNow(request: RequestedRound, signal: AbortSignal): Promise<UpstreamError | undefined> {
    return this.runner.runNow(async (run) => {
      await this.#known.read();
      return this.#round(run, request);
    }, signal);
  }

  #round(run: JobRun, request?: RequestedRound): Promise<UpstreamError | undefined> {
    const attributes = { "waybill.project": this.#dependencies.project };
    return inJob("mirror round", attributes, () => this.#readApps(run, request));
  }

  async #readApps(
    { lease, signal }: JobRun,
    request: RequestedRound | undefined,
  ): Promise<UpstreamError | undefined> {
    const { upstream, store, project, observer } = this.#dependencies;
    const start = performance.now();
    const round = this.#known.now;
    const requested = request?.appId;
    const isKnown = requested !== undefined && this.#known.apps.includes(requested);
    const unlisted = isKnown ? undefined : await this.#listApps(round, signal, request !== undefined);
    const all = this.#known.apps;
    if (requested !== undefined && !all.includes(requested)) {
      return unlisted ?? new UpstreamError("form", `${printable(requested)} is not among the mirrored apps`);
    }
    const counts = new RoundCounts();
    const end = async (
      apps: number,
      error: UpstreamError | undefined,
    ): Promise<UpstreamError | undefined> => {
      await this.#known.paused(error, round);
      const summary = counts.summary(apps);
      observer.ended(summary, performance.now() - start, error ?? unlisted);
      request?.onEnd(summary);
      return error;
    };
    if (unlisted !== undefined && (all.length === 0 || unlisted.kind === "credentials")) {
      return end(all.length, unlisted);
    }
    const apps = request === undefined ? this.#known.dueApps() : requested === undefined ? all : [requested];
    request?.onBegin(apps.length);
    const isFirst = await this.#hasNoEntries();
    const stopped = await walkApps(
      apps,
      {
        upstream,
        store,
        project,
        // A round that an operator has requested compares all entries, even if a page has not changed.
        known: request === undefined ? this.known.apps : new Map(),
        isFirst,
        firstDay: await this.#firstDay(),
        lease,
        observer: {
          walked: (walk) => {
            counts.add(walk);
            observer.walked(walk, this.known.apps.get(walk.appId)?.failure);
            request?.onWalked(walk);
          },
          published: (walks) => this.#known.walked(walks, round, isFirst),
        },
      },
      signal,
    );
    return end(apps.length, stopped);
  }

  /** Returns true if the project has no entries. The store is asked only if no app has recorded days. */
  async #hasNoEntries(): Promise<boolean> {
    if ([...this.known.apps.values()].some(({ days }) => days.length > 0)) return false;
    const { store, project } = this.#dependencies;
    return (await store.listApps({ project, until: LAST_DAY, limit: 1 })).length === 0;
  }

  /**
   * Returns the first day that retention keeps. Returns `undefined` if all days are kept, or if the day is not known
   * yet.
   */
  async #firstDay(): Promise<Day | undefined> {
    const { retentionTime, retention } = this.#dependencies;
    const entriesUntil = entriesUntilAt(await retentionTime(), retention);
    return entriesUntil === undefined ? undefined : entriesUntil + 1;
  }

  /**
   * Reads upstream's app list if the mirror uses the list and it is due.
   *
   * @returns the error if the list could not be read.
   */
  async #listApps(now: Moment, signal: AbortSignal, always: boolean): Promise<UpstreamError | undefined> {
    const { upstream, observer, apps } = this.#dependencies;
    if (apps !== undefined || !(always || this.#known.isListDue())) return undefined;
    try {
      await this.#known.listed(await upstream.apps(signal), now);
      return undefined;
    } catch (error) {
      if (!(error instanceof UpstreamError)) throw error;
      observer.unlisted(error, this.known.listing.failure);
      await this.#known.unlisted(error, now);
      return error;
    }
  }
}
