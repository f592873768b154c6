import type { LeaseStore } from "../control/lease-store.js";
import { printable } from "../limits/excerpt.js";
import { SerialQueue } from "../limits/serial-queue.js";
import { type ExtendedLease, LeaseHolder } from "../messaging-data/jobs/lease-holder.js";
import { pause } from "../messaging-data/jobs/pause.js";
import { retryDelay } from "../messaging-data/jobs/retry-delay.js";
import { expiredAt, type Retention } from "../messaging-data/retention/expired-days.js";
import type { Day } from "../model/day.js";
import { FencedError } from "../model/store-error.js";
import type { Store } from "../store/store.js";
import { KnownMirror, type KnownMirrorDependencies } from "./known-mirror.js";
import type { Failure, Moment, ProjectMirror } from "./mirror-state.js";
import { type Original, OriginalError } from "./original/original.js";
import { RoundCounts, type RoundSummary } from "./round/round-summary.js";
import type { AppWalk } from "./round/walk-app.js";
import { walkApps } from "./round/walk-apps.js";

/** Interval at which the clocks are compared with the schedule unless another is given, in milliseconds. */
const LOOK_INTERVAL = 1_000;
/** Age at which what is known is read again, because another process may have changed it, in milliseconds. */
const MAX_KNOWN_AGE = 15_000;
/** Shortest pause after the store or the documents failed, in milliseconds. */
const LEAST_PAUSE_AFTER_ERROR = 5_000;
/** Pause before the lease is asked for again that another process has, in milliseconds. */
const PAUSE_WITHOUT_LEASE = 1_000;

/** Observer of a mirror. */
export interface MirrorObserver {
  /** An app was read. @param before failures in a row of earlier rounds. */
  walked(walk: AppWalk, before: Failure | undefined): void;
  /** The list of apps could not be read. @param before as in {@link walked}. */
  unlisted(error: OriginalError, before: Failure | undefined): void;
  /** A round has ended. @param stopped the fault that kept some of its apps, or their list, from being read. */
  ended(summary: RoundSummary, milliseconds: number, stopped: OriginalError | undefined): void;
  /** The store or the documents failed; it will be tried again. */
  failed(error: unknown): void;
}

/** Dependencies of a {@link MirrorJob}. */
export interface MirrorDependencies extends KnownMirrorDependencies {
  readonly original: Original;
  readonly retention: Retention;
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
 * Mirrors the original of a project, whenever apps are due and while this process holds the project's lease. What is
 * known of the apps is kept in a document when their entries are published.
 */
export class MirrorJob {
  readonly #dependencies: MirrorDependencies;
  readonly #known: KnownMirror;
  readonly #leases: LeaseHolder;
  readonly #rounds = new SerialQueue();
  readonly #stopping = new AbortController();
  /** Aborts to end the pause before the next look. */
  #wake = new AbortController();
  #running: Promise<void> | undefined;

  constructor(dependencies: MirrorDependencies) {
    this.#dependencies = dependencies;
    this.#known = new KnownMirror(dependencies);
    this.#leases = new LeaseHolder(dependencies.leases);
  }

  /** The state of the mirror, as of a few seconds ago. */
  get known(): ProjectMirror {
    return this.#known.current;
  }

  /** Starts to read what is due, now and later. */
  start(): void {
    this.#running ??= this.#run();
  }

  /** Reads at once what waits after a failure. */
  retryNow(): void {
    this.#known.release();
    this.#wake.abort();
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
   * @throws StoreUnavailableError if the store or the documents cannot be reached; Error if the project mirrors no such
   * app; the reason of `signal` once it has aborted.
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
    for (let failures = 0; !signal.aborted; ) {
      this.#wake = new AbortController();
      let wait: number;
      try {
        wait = await this.#rounds.run(() => this.#look(signal));
        failures = 0;
      } catch (error) {
        if (!signal.aborted) this.#dependencies.observer.failed(error);
        // Longer each time: a round that cannot be published has read all of its pages.
        wait = retryDelay(++failures, LEAST_PAUSE_AFTER_ERROR);
      }
      await pause(wait, AbortSignal.any([signal, this.#wake.signal]));
    }
  }

  /** Reads what is due. @returns the time until the next look, in milliseconds. */
  async #look(signal: AbortSignal): Promise<number> {
    const { lookInterval = LOOK_INTERVAL } = this.#dependencies;
    if (this.#known.age > MAX_KNOWN_AGE) await this.#known.read();
    if (!this.#known.isAnyDue()) return lookInterval;
    const done = await this.#underLease(signal);
    return done === undefined ? PAUSE_WITHOUT_LEASE : lookInterval;
  }

  #underLease(
    signal: AbortSignal,
    request?: RequestedRound,
  ): Promise<{ stopped: OriginalError | undefined } | undefined> {
    return this.#leases.under(`mirror.${this.#dependencies.project}`, async (lease) => {
      await this.#known.read();
      if (request === undefined && !this.#known.isAnyDue()) return { stopped: undefined };
      return { stopped: await this.#round(lease, signal, request) };
    });
  }

  async #round(
    lease: ExtendedLease,
    signal: AbortSignal,
    request?: RequestedRound,
  ): Promise<OriginalError | undefined> {
    const { original, store, project, observer } = this.#dependencies;
    const start = performance.now();
    const round = this.#known.now;
    const asked = request?.appId;
    const isKnown = asked !== undefined && this.#known.apps.includes(asked);
    const unlisted = isKnown ? undefined : await this.#listApps(round, signal, request !== undefined);
    const all = this.#known.apps;
    if (asked !== undefined && !all.includes(asked)) {
      return unlisted ?? new OriginalError("form", `${printable(asked)} is not among the mirrored apps`);
    }
    const counts = new RoundCounts();
    const end = async (
      apps: number,
      fault: OriginalError | undefined,
    ): Promise<OriginalError | undefined> => {
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
        original,
        store,
        project,
        // A round that somebody asks for compares all entries.
        knownDigest: (appId) => (request === undefined ? this.known.apps.get(appId)?.digest : undefined),
        firstDay: () => this.#firstDay(),
        onWalked: (walk) => {
          counts.add(walk);
          observer.walked(walk, this.known.apps.get(walk.appId)?.failure);
          request?.onWalked(walk);
        },
        onPublished: (walks) => this.#known.walked(walks, round),
        fence: lease.fence,
        expectLease: () => {
          if (lease.isLost) throw new FencedError("another process mirrors this project now");
        },
      },
      signal,
    );
    return end(apps.length, stopped);
  }

  /** Returns the first day that the retention has not ended; `undefined` if it ends none. */
  #firstDay(): Day | undefined {
    const { dayClock, retention } = this.#dependencies;
    const { entriesUntil } = expiredAt(dayClock.wall(), retention) ?? {};
    return entriesUntil === undefined ? undefined : entriesUntil + 1;
  }

  /** Reads the list of apps, if there is one and it is due. @returns the fault that it met. */
  async #listApps(now: Moment, signal: AbortSignal, always: boolean): Promise<OriginalError | undefined> {
    const { original, observer, apps } = this.#dependencies;
    if (apps !== undefined || !(always || this.#known.isListDue())) return undefined;
    try {
      await this.#known.listed(await original.apps(signal), now);
      return undefined;
    } catch (error) {
      if (!(error instanceof OriginalError)) throw error;
      observer.unlisted(error, this.known.listing.failure);
      await this.#known.unlisted(error, now);
      return error;
    }
  }
}
