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
 * Maximum time from when an append is admitted until it marks its days as stale, in milliseconds. If a process dies
 * during an append, sealing waits at most this long for the append.
 */
export const ADMISSION_MS = 60_000;

/** Permission for an append to store events of days that are not sealed. */
export interface Admission {
  readonly id: string;
  /** The last sealed day. Events of this day and earlier days are too late. Omitted if no day is sealed. */
  readonly sealedUntil?: Day | undefined;
}

/** A number of new events on a day. */
export interface DayChange {
  readonly project: ProjectNumber;
  readonly day: Day;
  readonly events: number;
}

/** All changes of a day up to a moment. */
export interface DayChanges {
  /** Sequence number of the last change; 0 if the day has not changed yet. */
  readonly changes: number;
  /** Number of events in these changes, including duplicates. */
  readonly events: number;
}

/** An attempt to compute and publish the entries of some days in one project. */
export interface DayRun {
  readonly project: ProjectNumber;
  /**
   * Version number for the entries that the run stores. It is unique and higher than all earlier numbers, even if the
   * ledger has lost its last commits.
   */
  readonly version: number;
  /**
   * The days to roll up, in requested order, each with the changes made before the run began. Settled days are omitted,
   * because their entries do not change any more.
   */
  readonly days: ReadonlyMap<Day, DayChanges>;
  /** Time at which the run began, by the ledger's clock, in milliseconds since the Unix epoch. */
  readonly beganAt: number;
  readonly fence?: Fence | undefined;
}

export interface DayPublication {
  readonly day: Day;
  /** True if the day has no entries, so that readers no longer see the day. */
  readonly isEmpty: boolean;
}

/** A day with data from another store. A copy has stored the data under a run. */
export interface FormerDay {
  readonly day: Day;
  /** True if the day's entries come from a rollup, or all its states were rolled up. */
  readonly isRolledUp: boolean;
  /** Number of states that are stored for the day. */
  readonly states: number;
  /** Number of events that were stored after the last rollup. */
  readonly waitingEvents: number;
  /** Time at which the oldest waiting event was stored, in milliseconds since the Unix epoch. */
  readonly waitingSince: number;
  /** True if the day has no entries. */
  readonly isEmpty: boolean;
}

/** A published day, with its entries' version. */
export interface DayVersion {
  readonly day: Day;
  readonly version: number;
}

/** Amounts of pending and finished work in a ledger. */
export interface LedgerFigures {
  /** Number of events that no rollup has processed. */
  readonly waitingEvents: number;
  /** Number of days with such events, summed over projects. */
  readonly waitingDays: number;
  /** Time at which the oldest of these events was marked, in milliseconds since the Unix epoch. */
  readonly waitingSince: number | undefined;
  /** Number of sealed days that had events, summed over projects. */
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
  /** Admits an append. The append must then mark its days within {@link ADMISSION_MS}. */
  admit(): Promise<Admission>;

  /**
   * Records a change of each day, and ends the admission. The days become stale. When the call resolves, the change is
   * durable.
   *
   * @param changes distinct days; empty if nothing was stored.
   * @throws StoreUnavailableError if the admission has expired, or an earlier call has ended it. The next change of a
   * day then adds these events to the delivery data, too.
   */
  markStale(admission: Admission, changes: readonly DayChange[]): Promise<void>;

  /**
   * Counts the apps and labels in new events of a project, either all of them or none. Skips names that only occur on
   * sealed days. A name counts until its last day is sealed and has no data left. Processes that count at the same
   * moment may exceed the limits together.
   *
   * @returns the new names that exceed the limits; `undefined` if all names fit.
   */
  admitNames(project: ProjectNumber, names: DatedNames, limits: NameLimits): Promise<EventNames | undefined>;

  /** Returns true if no change has ever been recorded. */
  isEmpty(): Promise<boolean>;

  /** Lists projects that have stale days among the listed days. */
  staleProjects(listed?: ListedDays): Promise<readonly StaleProject[]>;

  /** Lists the stale days of a project, newest first. */
  staleDays(query: StaleDayQuery): Promise<readonly Day[]>;

  /**
   * Begins a run.
   *
   * @param rolledUp days to roll up; empty if the entries do not come from a rollup.
   * @throws FencedError if another process has acquired the lease since and has begun a run.
   */
  begin(project: ProjectNumber, rolledUp: readonly Day[], fence?: Fence): Promise<DayRun>;

  /**
   * Publishes a run's entries for all these days in one step. A rolled-up day is no longer stale if it has not changed
   * since the run began. Skips days that a later run has published, and days that were closed since the run began.
   *
   * @param days distinct days.
   * @throws FencedError if another process has acquired the lease since and has begun a run. Nothing is published then.
   */
  publish(run: DayRun, days: readonly DayPublication[]): Promise<void>;

  /**
   * Adds the days of another store in one step. Their entries, states and events must already be stored. Publishes all
   * entries, and marks days with unprocessed events as stale. Days that the ledger already has stay unchanged.
   *
   * @param run a run that began without days to roll up.
   * @param days distinct days.
   */
  takeOver(run: DayRun, days: readonly FormerDay[]): Promise<void>;

  /**
   * Lists the days up to `until` that have published entries, newest first. The list includes all publications by this
   * process, and other processes' publications up to a second ago.
   */
  published(project: ProjectNumber, until: Day): Promise<readonly DayVersion[]>;

  /** Lists the projects with published days, which may have no entries. It is as current as {@link published}. */
  publishedProjects(): Promise<readonly string[]>;

  /**
   * Returns a string that identifies the published entries of a project up to and including `until`. Two processes that
   * see the same publications return the same string. After a further publication, the string is different. It is as
   * current as {@link published}.
   */
  version(project: ProjectNumber, until: Day): Promise<string>;

  /**
   * Returns the versions of days that were published at least `graceMs` ago, with or without entries. Entries of such a
   * day with a lower version have no readers any more, and can be removed.
   */
  versionsBefore(
    project: ProjectNumber,
    days: readonly Day[],
    graceMs: number,
  ): Promise<readonly DayVersion[]>;

  /**
   * Seals all days up to and including `until`, in every project. Resolves when all earlier appends have marked their
   * days, or their admission has expired. Sealing cannot be undone.
   */
  seal(until: Day): Promise<void>;

  /**
   * Lists projects with data to remove from settled days, which are sealed and not stale. Such data are message states,
   * and entries up to `entriesUntil`.
   *
   * @param entriesUntil last day of entries to remove; omitted to keep all entries.
   */
  expiredProjects(entriesUntil?: Day): Promise<readonly ExpiredProject[]>;

  /** Lists a project's expired days, oldest first. */
  expiredDays(query: ExpiredDayQuery): Promise<readonly Day[]>;

  /**
   * Closes settled days. From then on, a rollup of these days cannot be published, even if it has already begun.
   *
   * @returns the days that are closed, including days that were closed before. Their message states can be removed.
   */
  closeDays(project: ProjectNumber, days: readonly Day[]): Promise<readonly Day[]>;

  /** Records that the message states of closed days have been removed. */
  forgetStates(project: ProjectNumber, days: readonly Day[]): Promise<void>;

  /**
   * Erases some days and names of a deleted project. Each call erases only a few. Changes the {@link version} of the
   * project's entries. Days stay sealed.
   *
   * @returns true if the project has nothing left.
   */
  erase(project: ProjectNumber): Promise<boolean>;

  /** Counts unprocessed events and sealed days. */
  figures(): Promise<LedgerFigures>;
}
