import type { Day } from "../model/day.js";
import type {
  ExpiredDayQuery,
  ExpiredProject,
  ListedDays,
  StaleDayQuery,
  StaleProject,
} from "../model/due-days.js";
import type { DatedNames, EventNames, NameLimits, ProjectNumber } from "../model/names.js";
import type { Fence } from "./lease-store.js";

/**
 * Time limit from when an append is admitted until its days are marked as stale, in milliseconds. Sealing waits at
 * most this long for an append of a dead process.
 */
export const ADMISSION_MS = 60_000;

/** The right to store events of days that are not sealed. */
export interface Admission {
  readonly id: string;
  /** The last sealed day: events up to this day are too late. Omitted if no day is sealed. */
  readonly sealedUntil?: Day | undefined;
}

/** New events of a day. */
export interface DayChange {
  /** Project number, in decimal. */
  readonly project: string;
  readonly day: Day;
  /** Number of events. */
  readonly events: number;
}

/** A day's changes so far. */
export interface DayChanges {
  /** Number of the last marked change, in order; 0 before the first. */
  readonly changes: number;
  /** Number of events in these changes, including duplicates. */
  readonly events: number;
}

/** A run that computes entries of a project's days, then publishes them. */
export interface DayRun {
  /** Project number, in decimal. */
  readonly project: string;
  /**
   * The version under which the run stores its entries. It is unique and higher than all earlier ones, even if the
   * ledger has lost its last commits.
   */
  readonly version: number;
  /**
   * The days to roll up in requested order, with their changes when the run began. Settled days are omitted, and
   * their entries stay as they are.
   */
  readonly days: ReadonlyMap<Day, DayChanges>;
  /** Start of the run on the ledger's clock, in milliseconds since the Unix epoch. */
  readonly beganAt: number;
  readonly fence?: Fence | undefined;
}

/** A day that a run publishes. */
export interface DayPublication {
  readonly day: Day;
  /** True if the day has no entries. Readers then no longer see it. */
  readonly isEmpty: boolean;
}

/** A day from another store. Its data was stored under a run. */
export interface FormerDay {
  readonly day: Day;
  /** True if its entries come from a rollup, or states of a rollup remain. */
  readonly isRolledUp: boolean;
  /** Number of message states that rollups have stored. */
  readonly states: number;
  /** Number of events that no rollup has seen. */
  readonly waitingEvents: number;
  /** Time at which the oldest waiting event was stored, in milliseconds since the Unix epoch. */
  readonly waitingSince: number;
  /** True if the day has no entries. */
  readonly isEmpty: boolean;
}

/** A published day with its entries' version. */
export interface DayVersion {
  readonly day: Day;
  readonly version: number;
}

/** Amounts of waiting and finished work in a ledger. */
export interface LedgerFigures {
  /** Number of events that no rollup has seen. */
  readonly waitingEvents: number;
  /** Number of project days with waiting events. */
  readonly waitingDays: number;
  /** Time at which the oldest waiting event was marked, in milliseconds since the Unix epoch. */
  readonly waitingSince: number | undefined;
  /** Number of sealed project days that had events. */
  readonly sealedDays: number;
}

/**
 * Coordinates event days and delivery data days across processes, for store engines that cannot do so. Calls come in
 * these orders. The store does the indented steps.
 *
 * ```text
 * an append                 a rollup                      retention
 * ─────────                 ────────                      ─────────
 * admitNames                staleProjects, staleDays      seal
 * admit                     begin → version, changes      expiredProjects, expiredDays
 *   insert events             store entries under         closeDays
 * markStale                   that version                  remove states
 *   acknowledge             publish                       forgetStates
 * ```
 *
 * An append is acknowledged after `markStale`, so that no acknowledged event misses the next rollup. A rollup stores
 * its entries under a new version. No reader selects it before `publish`, so that a failed attempt does no harm.
 * `publish` ends staleness only for days without changes since `begin`. Readers select entries of published versions
 * (`published`). `publish` skips days that were closed after `begin`, so that a rollup never counts states that
 * retention is removing. A mirror and a copy begin without days to roll up. A copy ends with `takeOver` instead of
 * `publish`.
 *
 * Every method throws `StoreUnavailableError` if the ledger cannot be reached. The change may have been made, and the
 * call can be repeated. All processes share the ledger's clock.
 */
export interface DayLedger {
  /** Admits an append. It must mark its days within {@link ADMISSION_MS}. */
  admit(): Promise<Admission>;

  /**
   * Counts a change of each day, which makes the day stale, and ends the admission. The change survives a crash once
   * this resolves.
   *
   * @param changes distinct days; empty if nothing was stored.
   * @throws StoreUnavailableError if the admission has expired, or an earlier call has ended it. The events may still
   *   enter the delivery data with a later change.
   */
  markStale(admission: Admission, changes: readonly DayChange[]): Promise<void>;

  /**
   * Counts the names in new events of a project, all or none. Names of sealed days are skipped. A name counts until
   * its last day is sealed and has no data left. Processes that count at the same moment may exceed the limits
   * together.
   *
   * @returns the new names beyond the limits; `undefined` if all fit.
   */
  admitNames(project: string, names: DatedNames, limits: NameLimits): Promise<EventNames | undefined>;

  /** Returns true if no change was ever marked. */
  isEmpty(): Promise<boolean>;

  /** Lists the projects with stale days that are listed. */
  staleProjects(listed?: ListedDays): Promise<readonly StaleProject[]>;

  /** Lists the stale listed days of a project, newest first. */
  staleDays(query: StaleDayQuery): Promise<readonly Day[]>;

  /**
   * Begins a run of a project.
   *
   * @param rolledUp the days to roll up; empty if the entries do not come from a rollup.
   * @throws FencedError if a run has begun under the same lease with a higher fencing number.
   */
  begin(project: string, rolledUp: readonly Day[], fence?: Fence): Promise<DayRun>;

  /**
   * Publishes a run's entries for all these days together. Ends the staleness of each rolled-up day that has not
   * changed since the run began. Skips days that a later run has published, and days that were closed since the run
   * began.
   *
   * @param days distinct days.
   * @throws FencedError if a run has begun under the same lease with a higher fencing number. Nothing is published.
   */
  publish(run: DayRun, days: readonly DayPublication[]): Promise<void>;

  /**
   * Adds the days of another store in one step. Their entries, states and waiting events must already be stored. Days
   * with waiting events are stale, and all entries are published. Days in the ledger stay unchanged.
   *
   * @param run a run without days to roll up.
   * @param days distinct days.
   */
  takeOver(run: DayRun, days: readonly FormerDay[]): Promise<void>;

  /**
   * Lists a project's published days with entries up to `until`, newest first. Shows publications of this object
   * immediately, and publications of other processes after a second.
   */
  published(project: string, until: Day): Promise<readonly DayVersion[]>;

  /**
   * Returns a version for a project's entries, up to and including `until`. Processes that show the same publications
   * return the same version. Different publications have different versions. It is as current as {@link published}.
   */
  version(project: string, until: Day): Promise<string>;

  /**
   * Returns the versions of those days that were published at least `graceMs` ago, with or without entries. Entries
   * of a day with lower versions can be removed, because their readers are done.
   */
  versionsBefore(project: string, days: readonly Day[], graceMs: number): Promise<readonly DayVersion[]>;

  /**
   * Seals all days up to and including `until`, in every project. Resolves when all earlier appends have marked their
   * days, or their admission has expired. Sealed days stay sealed.
   */
  seal(until: Day): Promise<void>;

  /**
   * Lists the projects with settled days (sealed, not stale) that have data to remove: message states, and entries up
   * to `entriesUntil`.
   *
   * @param entriesUntil omitted to keep all entries.
   */
  expiredProjects(entriesUntil?: Day): Promise<readonly ExpiredProject[]>;

  /** Lists a project's expired days, oldest first. */
  expiredDays(query: ExpiredDayQuery): Promise<readonly Day[]>;

  /**
   * Closes the settled days among these. A rollup of closed days is no longer published, even if it has begun.
   *
   * @returns the closed days, including earlier closed ones. Their message states can be removed.
   */
  closeDays(project: string, days: readonly Day[]): Promise<readonly Day[]>;

  /** Records that the message states of closed days were removed. */
  forgetStates(project: string, days: readonly Day[]): Promise<void>;

  /**
   * Erases some days and names of a deleted project, a small number in each call. Versions of its entries change
   * ({@link version}). Seals remain.
   *
   * @returns true if nothing was left.
   */
  erase(project: ProjectNumber): Promise<boolean>;

  /** Counts waiting events and sealed days. */
  figures(): Promise<LedgerFigures>;
}
