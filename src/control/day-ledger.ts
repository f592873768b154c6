import type { Day } from "../model/day.js";
import type {
  ExpiredDayQuery,
  ExpiredProject,
  ListedDays,
  StaleDayQuery,
  StaleProject,
} from "../model/due-days.js";
import type { DatedNames, EventNames, NameLimits } from "../model/names.js";
import type { Fence } from "./lease-store.js";

/**
 * Time that an append has from its admission until its days are marked as stale, in milliseconds: the longest
 * that sealing waits for an append whose process is gone.
 */
export const ADMISSION_MS = 60_000;

/** The right to store events of days that are not sealed. */
export interface Admission {
  readonly id: string;
  /** The last sealed day, whose events and those of earlier days are too late; missing if no day is sealed. */
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

/** The changes of a day so far. */
export interface DayChanges {
  /** Number of the last change that was marked, in the order in which they were; 0 before the first. */
  readonly changes: number;
  /** Number of events that came with them, repeated ones included. */
  readonly events: number;
}

/** A run that computes entries of days of a project, and then publishes them. */
export interface DayRun {
  /** Project number, in decimal. */
  readonly project: string;
  /**
   * The version under which the run stores its entries: higher than that of every earlier run, and of no other run, even
   * if the ledger has lost its last commits.
   */
  readonly version: number;
  /**
   * What had changed on the days that the run rolls up, in their given order, when it began. Days whose events cannot change any
   * more are missing: their entries stay as they are.
   */
  readonly days: ReadonlyMap<Day, DayChanges>;
  /** Time at which the run began, by the clock of the ledger, in milliseconds since the Unix epoch. */
  readonly beganAt: number;
  readonly fence?: Fence | undefined;
}

/** A day that a run publishes. */
export interface DayPublication {
  readonly day: Day;
  /** True if the day has no entries, which removes it from what readers see. */
  readonly isEmpty: boolean;
}

/** A day as another store had it, with what was stored of it under a run. */
export interface FormerDay {
  readonly day: Day;
  /** True if its entries are those of a rollup, or states are left of one. */
  readonly isRolledUp: boolean;
  /** Number of states of messages that rollups have left. */
  readonly states: number;
  /** Number of events that no rollup has seen. */
  readonly waitingEvents: number;
  /** Time at which the oldest of these was stored, in milliseconds since the Unix epoch. */
  readonly waitingSince: number;
  /** True if the day has no entries. */
  readonly isEmpty: boolean;
}

/** A published day with the version under which its entries are stored. */
export interface DayVersion {
  readonly day: Day;
  readonly version: number;
}

/** Sizes of the waiting and of the finished work in a ledger. */
export interface LedgerFigures {
  /** Number of events that no rollup has seen yet. */
  readonly waitingEvents: number;
  /** Number of days of projects with such events. */
  readonly waitingDays: number;
  /** Time at which the oldest of these events was marked, in milliseconds since the Unix epoch. */
  readonly waitingSince: number | undefined;
  /** Number of days of projects that are sealed, among those that had events. */
  readonly sealedDays: number;
}

/**
 * Agreement of all processes on days of message events and delivery data, for store engines that cannot keep it themselves. Calls
 * come in these orders, where a store does the indented steps:
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
 * An append is acknowledged after `markStale`, so that no acknowledged event misses the next rollup. A rollup stores its entries under a
 * version that no reader selects before `publish`: a failed attempt does no harm. `publish` ends staleness only for days without
 * changes since `begin`. Readers select entries of published versions (`published`). `publish` leaves days alone that were closed
 * after `begin`, so that a rollup never counts states that retention removes at the same time. A mirror and a copy begin
 * without days to roll up; a copy ends with `takeOver` instead of `publish`.
 *
 * Every method throws `StoreUnavailableError` if the ledger cannot be reached. The change may have
 * happened, and the call may be repeated. Times are by the ledger's clock, which all processes share.
 */
export interface DayLedger {
  /** Admits an append. It has {@link ADMISSION_MS} to mark what it stores. */
  admit(): Promise<Admission>;

  /**
   * Counts a change of each day, which makes it stale, and ends the admission. The change survives a crash once
   * this resolves.
   *
   * @param changes distinct days; empty if nothing was stored.
   * @throws StoreUnavailableError if the admission has ended, after its time or by an earlier call. The events
   * may still enter the delivery data with a later change.
   */
  markStale(admission: Admission, changes: readonly DayChange[]): Promise<void>;

  /**
   * Counts the names of events of a project that are to be stored, all or none, without those of sealed days alone. A name counts until its last day is sealed and
   * nothing is left of that day. Processes that count names of a project at the same moment may exceed its limits together.
   *
   * @returns the new names that the project has no room for; `undefined` if it has room for all.
   */
  admitNames(project: string, names: DatedNames, limits: NameLimits): Promise<EventNames | undefined>;

  /** Returns true if no change was ever marked. */
  isEmpty(): Promise<boolean>;

  /** Lists the projects with stale days that are due: those that are listed. */
  staleProjects(listed?: ListedDays): Promise<readonly StaleProject[]>;

  /** Lists stale days of a project that are due, newest first. */
  staleDays(query: StaleDayQuery): Promise<readonly Day[]>;

  /**
   * Begins a run of a project.
   *
   * @param rolledUp the days to roll up; empty if the entries come from elsewhere.
   * @throws FencedError if a run has begun under the same lease with a higher fencing number.
   */
  begin(project: string, rolledUp: readonly Day[], fence?: Fence): Promise<DayRun>;

  /**
   * Publishes the entries that a run has stored, of all these days together, and ends the staleness of each
   * rolled-up day that has not changed since the run began. A day stays as it is if a later run has published
   * it, or if it was closed since this one began to roll it up.
   *
   * @param days distinct days.
   * @throws FencedError if a run has begun under the same lease with a higher fencing number. Nothing is published.
   */
  publish(run: DayRun, days: readonly DayPublication[]): Promise<void>;

  /**
   * Takes over days of another store, all together, once their entries, states and waiting events are stored: days with
   * waiting events are stale, and the entries of all are published. A day that is known here stays as it is.
   *
   * @param run a run without days to roll up.
   * @param days distinct days.
   */
  takeOver(run: DayRun, days: readonly FormerDay[]): Promise<void>;

  /**
   * Lists the published days of a project that have entries, up to `until`, newest first. It shows what another
   * process has published a second ago, or earlier, and all that was published through this object.
   */
  published(project: string, until: Day): Promise<readonly DayVersion[]>;

  /**
   * Returns the version of a project's entries up to and including the day `until`, which is the same in all
   * processes as long as they show the same publications, and never that of others. It follows like {@link published}.
   */
  version(project: string, until: Day): Promise<string>;

  /**
   * Returns the versions under which these days were published at least `graceMs` ago, of those that were; also of
   * days that were published without entries. Entries of the day under lower versions may then be removed: readers
   * that selected them are done.
   */
  versionsBefore(project: string, days: readonly Day[], graceMs: number): Promise<readonly DayVersion[]>;

  /**
   * Seals all days up to and including `until`, of every project. Resolves when all appends that were admitted
   * before have marked their days, or lost their admission. Sealed days stay sealed.
   */
  seal(until: Day): Promise<void>;

  /**
   * Lists the projects with settled days, which are sealed and not stale, of which something is to be removed:
   * the states of messages, and the entries of days up to `entriesUntil`.
   *
   * @param entriesUntil missing to keep all entries.
   */
  expiredProjects(entriesUntil?: Day): Promise<readonly ExpiredProject[]>;

  /** Lists such days of a project, oldest first. */
  expiredDays(query: ExpiredDayQuery): Promise<readonly Day[]>;

  /**
   * Closes the settled ones among these days: a rollup of them is not published any more, even if it has begun.
   *
   * @returns the closed ones of the days, including those that were closed before. The states of their messages
   * may be removed.
   */
  closeDays(project: string, days: readonly Day[]): Promise<readonly Day[]>;

  /** Records that the states of the messages of closed days are gone. */
  forgetStates(project: string, days: readonly Day[]): Promise<void>;

  /** Counts what waits and what is sealed. */
  figures(): Promise<LedgerFigures>;
}
