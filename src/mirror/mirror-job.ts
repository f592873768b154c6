import type { LeaseStore } from "../control/lease-store.js";
import { type Job, type JobRun, JobRunner, type NextRun } from "../jobs/job-runner.js";
import { retryDelay } from "../jobs/retry-delay.js";
import { printable } from "../limits/excerpt.js";
import { entriesUntilAt, type Retention, type RetentionTime } from "../messaging-data/jobs/retention.js";
import type { Day } from "../model/day.js";
import type { Store } from "../store/store.js";
import { KnownMirror, type KnownMirrorDependencies } from "./known-mirror.js";
import type { Failure, Moment, ProjectMirror } from "./mirror-state.js";
import { walkApps } from "./round/round.js";
import { type AppWalk, RoundCounts, type RoundSummary } from "./round/walk-app.js";
import { type Upstream, UpstreamError } from "./upstream/upstream.js";

/** Interval at which the clocks are compared with the schedule unless another is given, in milliseconds. */
const LOOK_INTERVAL = 1_000;
/** Age at which what is known is read again, because another process may have changed it, in milliseconds. */
const MAX_KNOWN_AGE = 15_000;
/** Shortest pause after the store or the documents failed, in milliseconds. */
const LEAST_PAUSE_AFTER_ERROR = 5_000;

/** Observer of a mirror. */
export interface MirrorObserver {
  /** An app was read. @param before failures in a row of earlier rounds. */
  walked(walk: AppWalk, before: Failure | undefined): void;
  /** The list of apps could not be read. @param before as in {@link walked}. */
  unlisted(error: UpstreamError, before: Failure | undefined): void;
  /** A round has ended. @param stopped the fault that kept some of its apps, or their list, from being read. */
  ended(summary: RoundSummary, milliseconds: number, stopped: UpstreamError | undefined): void;
  /** The store or the documents failed; it will be tried again. */
  failed(error: unknown): void;
}

/** Dependencies of a {@link MirrorJob}. */
export interface MirrorDependencies extends KnownMirrorDependencies {
  readonly upstream: Upstream;
  readonly retention: Retention;
  readonly retentionTime: RetentionTime;
  readonly store: Store;
  readonly leases: LeaseStore;
  readonly observer: MirrorObserver;
  /** Interval at which the clocks are compared with the schedule, in milliseconds; a second by default. */
  readonly lookInterval?: number;
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
 * Mirrors the upstream of a project, whenever apps are due and while this process holds the project's lease. What is
 * known of the apps is kept in a document when their entries are published.
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

  /** The state of the mirror, as of a few seconds ago. */
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

  /** Grows: a round that cannot be published has read all of its pages. */
  pauseAfter(failures: number): number {
    return retryDelay(failures, LEAST_PAUSE_AFTER_ERROR);
  }

  /**
   * Reads apps at once, due or not. Waits for a round that is in progress, in this process or another.
   *
   * @returns the fault that kept some of the apps, or their list, from being read.
   * @throws StoreUnavailableError if the store or the documents cannot be reached; the reason of `signal` once it has
   * aborted.
   */
  runNow(request: RequestedRound, signal: AbortSignal): Promise<UpstreamError | undefined> {
    return this.runner.runNow(async (run) => {
      await this.#known.read();
      return this.#round(run, request);
    }, signal);
  }

  async #round({ lease, signal }: JobRun, request?: RequestedRound): Promise<UpstreamError | undefined> {
    const { upstream, store, project, observer } = this.#dependencies;
    const start = performance.now();
    const round = this.#known.now;
    const asked = request?.appId;
    const isKnown = asked !== undefined && this.#known.apps.includes(asked);
    const unlisted = isKnown ? undefined : await this.#listApps(round, signal, request !== undefined);
    const all = this.#known.apps;
    if (asked !== undefined && !all.includes(asked)) {
      return unlisted ?? new UpstreamError("form", `${printable(asked)} is not among the mirrored apps`);
    }
    const counts = new RoundCounts();
    const end = async (
      apps: number,
      fault: UpstreamError | undefined,
    ): Promise<UpstreamError | undefined> => {
      await this.#known.paused(fault, round);
      const summary = counts.summary(apps);
      observer.ended(summary, performance.now() - start, fault ?? unlisted);
      request?.onEnd(summary);
      return fault;
    };
    if (unlisted !== undefined && (all.length === 0 || unlisted.fault === "credentials")) {
      return end(all.length, unlisted);
    }
    const apps = request === undefined ? this.#known.dueApps() : asked === undefined ? all : [asked];
    request?.onBegin(apps.length);
    const stopped = await walkApps(
      apps,
      {
        upstream,
        store,
        project,
        // A requested round compares all entries.
        known: request === undefined ? this.known.apps : new Map(),
        firstDay: await this.#firstDay(),
        lease,
        observer: {
          walked: (walk) => {
            counts.add(walk);
            observer.walked(walk, this.known.apps.get(walk.appId)?.failure);
            request?.onWalked(walk);
          },
          published: (walks) => this.#known.walked(walks, round),
        },
      },
      signal,
    );
    return end(apps.length, stopped);
  }

  /** Returns the first day that the retention has not ended; `undefined` if it has ended none, as far as is known. */
  async #firstDay(): Promise<Day | undefined> {
    const { retentionTime, retention } = this.#dependencies;
    const entriesUntil = entriesUntilAt(await retentionTime(), retention);
    return entriesUntil === undefined ? undefined : entriesUntil + 1;
  }

  /** Reads the list of apps, if there is one and it is due. @returns the fault that it met. */
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
