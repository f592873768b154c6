import type { Clock } from "../../model/clock.js";
import { BEFORE_ALL_DAYS, type Day, LAST_DAY } from "../../model/day.js";
import type {
  ExpiredDayQuery,
  ExpiredProject,
  ListedDays,
  StaleDayQuery,
  StaleProject,
} from "../../model/due-days.js";
import type { DatedNames, EventNames, NameLimits, ProjectNumber } from "../../model/names.js";
import { FencedError } from "../../model/store-error.js";
import {
  ADMISSION_MS,
  type Admission,
  type DayChange,
  type DayChanges,
  type DayLedger,
  type DayPublication,
  type DayRun,
  type DayVersion,
  type FormerDay,
  type LedgerFigures,
} from "../day-ledger.js";
import type { Fence } from "../lease-store.js";
import { ProcessAdmissions } from "./process-admissions.js";
import { ProcessNames } from "./process-names.js";

/** A day of a project that was published or had changes. */
interface LedgerDay {
  /** Marked changes, and changes that the last rollup has seen. */
  marked: DayChanges;
  rolledUp: DayChanges;
  /** Time of the oldest change that no rollup has seen. */
  since: number;
  /** True if the engine has states of the day's messages. */
  hasStates: boolean;
  isClosed: boolean;
  published?: Publication;
}

interface Publication {
  readonly version: number;
  readonly isEmpty: boolean;
  /** Position among all publications. */
  readonly number: number;
  readonly at: number;
}

const NOTHING: DayChanges = { changes: 0, events: 0 };
const UNTOUCHED = { marked: NOTHING, rolledUp: NOTHING, since: 0, hasStates: false, isClosed: false };

/** A day ledger in memory, for tests and benchmarks of store engines. */
export class ProcessDayLedger implements DayLedger {
  readonly #clock: Clock;
  readonly #projects = new Map<string, Map<Day, LedgerDay>>();
  /** The highest fencing number of each lease. */
  readonly #fences = new Map<string, number>();
  readonly #names = new ProcessNames();
  readonly #admissions: ProcessAdmissions;
  #lastVersion = 0;
  #lastPublication = 0;

  constructor(clock: Clock, admissionMs = ADMISSION_MS) {
    this.#clock = clock;
    this.#admissions = new ProcessAdmissions(clock, admissionMs);
  }

  async admit(): Promise<Admission> {
    return this.#admissions.admit();
  }

  async markStale({ id }: Admission, changes: readonly DayChange[]): Promise<void> {
    this.#admissions.end(id);
    for (const { project, day, events } of changes) {
      const of = this.#day(project, day);
      if (!isStale(of)) of.since = this.#clock.wall();
      of.marked = { changes: of.marked.changes + 1, events: of.marked.events + events };
      of.hasStates = true;
    }
  }

  async admitNames(project: string, names: DatedNames, limits: NameLimits): Promise<EventNames | undefined> {
    return this.#names.admit(project, names, limits, {
      isOpen: (day) => !this.#admissions.isExcluded(day),
      isRemoved: (day) => this.#isRemoved(project, day),
    });
  }

  async isEmpty(): Promise<boolean> {
    return this.#all().every(([, , { marked }]) => marked.changes === 0);
  }

  async staleProjects(listed?: ListedDays): Promise<readonly StaleProject[]> {
    return [...this.#projects.keys()].flatMap((project) => {
      const due = this.#staleDays(project, listed);
      const since = due.map(([day, of]) =>
        day === listed?.until ? Math.max(of.since, listed.since) : of.since,
      );
      return due.length === 0 ? [] : [{ project, days: due.length, since: Math.min(...since) }];
    });
  }

  async staleDays({ project, listed, before = LAST_DAY + 1, limit }: StaleDayQuery): Promise<readonly Day[]> {
    const due = this.#staleDays(project, listed).map(([day]) => day);
    return due
      .filter((day) => day < before)
      .sort((a, b) => b - a)
      .slice(0, limit);
  }

  async begin(project: string, rolledUp: readonly Day[], fence?: Fence): Promise<DayRun> {
    this.#rejectBelow(fence);
    const open = rolledUp.filter((day) => !this.#isSettled(project, day));
    const days = new Map(open.map((day) => [day, this.#find(project, day)?.marked ?? NOTHING]));
    return { project, version: ++this.#lastVersion, days, beganAt: this.#clock.wall(), fence };
  }

  async publish({ project, version, days, beganAt, fence }: DayRun, publications: readonly DayPublication[]) {
    this.#rejectBelow(fence);
    const number = ++this.#lastPublication;
    for (const { day, isEmpty } of publications) {
      const of = this.#day(project, day);
      const seen = days.get(day);
      if (seen !== undefined && of.isClosed) continue;
      if (version > (of.published?.version ?? 0)) of.published = this.#publication(version, isEmpty, number);
      if (seen === undefined || seen.changes <= of.rolledUp.changes) continue;
      of.rolledUp = seen;
      of.since = Math.max(of.since, beganAt);
    }
  }

  async takeOver({ project, version }: DayRun, days: readonly FormerDay[]): Promise<void> {
    const number = ++this.#lastPublication;
    for (const { day, isRolledUp, states, waitingEvents, waitingSince, isEmpty } of days) {
      if (this.#find(project, day) !== undefined) continue;
      const of = this.#day(project, day);
      of.rolledUp = { changes: Number(isRolledUp), events: states };
      of.marked = {
        changes: of.rolledUp.changes + Number(waitingEvents > 0),
        events: states + waitingEvents,
      };
      of.since = waitingSince;
      of.hasStates = of.marked.events > 0;
      of.published = this.#publication(version, isEmpty, number);
    }
  }

  async published(project: string, until: Day): Promise<readonly DayVersion[]> {
    return this.#daysOf(project)
      .flatMap(([day, { published }]) =>
        published === undefined || published.isEmpty || day > until
          ? []
          : [{ day, version: published.version }],
      )
      .sort((a, b) => b.day - a.day);
  }

  async publishedProjects(): Promise<readonly string[]> {
    return [...this.#projects]
      .filter(([, days]) => [...days.values()].some(({ published }) => published !== undefined))
      .map(([project]) => project);
  }

  async version(project: string, until: Day): Promise<string> {
    const numbers = this.#daysOf(project)
      .filter(([day]) => day <= until)
      .map(([, { published }]) => published?.number ?? 0);
    return String(numbers.reduce((latest, number) => Math.max(latest, number), 0));
  }

  async versionsBefore(
    project: string,
    days: readonly Day[],
    graceMs: number,
  ): Promise<readonly DayVersion[]> {
    const before = this.#clock.wall() - graceMs;
    return days.flatMap((day) => {
      const published = this.#find(project, day)?.published;
      return published === undefined || published.at > before ? [] : [{ day, version: published.version }];
    });
  }

  seal(until: Day): Promise<void> {
    return this.#admissions.seal(until);
  }

  async expiredProjects(entriesUntil?: Day): Promise<readonly ExpiredProject[]> {
    return [...this.#projects.keys()].flatMap((project) => {
      const days = this.#expiredDays(project, entriesUntil);
      return days.length === 0 ? [] : [{ project, days: days.length, oldest: Math.min(...days) }];
    });
  }

  async expiredDays({ project, entriesUntil, after, limit }: ExpiredDayQuery): Promise<readonly Day[]> {
    const days = this.#expiredDays(project, entriesUntil).filter((day) => after === undefined || day > after);
    return days.sort((a, b) => a - b).slice(0, limit);
  }

  async closeDays(project: string, days: readonly Day[]): Promise<readonly Day[]> {
    return days.filter((day) => {
      const of = this.#find(project, day);
      if (of === undefined || !this.#isSettled(project, day)) return false;
      of.isClosed = true;
      return true;
    });
  }

  async forgetStates(project: string, days: readonly Day[]): Promise<void> {
    for (const day of days) {
      const of = this.#find(project, day);
      if (of?.isClosed) of.hasStates = false;
    }
  }

  async erase(project: ProjectNumber): Promise<boolean> {
    const days = this.#daysOf(project).filter(([day]) => day > BEFORE_ALL_DAYS);
    const hadNames = this.#names.erase(project);
    if (days.length === 0) return !hadNames;
    this.#projects.delete(project);
    // Changes the project's version.
    this.#day(project, BEFORE_ALL_DAYS).published = this.#publication(0, true);
    return false;
  }

  async figures(): Promise<LedgerFigures> {
    const stale = this.#all().filter(([, , day]) => isStale(day));
    const events = stale.map(([, , { marked, rolledUp }]) => marked.events - rolledUp.events);
    const sealed = this.#all().filter(
      ([, day, { marked }]) => marked.changes > 0 && this.#admissions.isSealed(day),
    );
    return {
      waitingEvents: events.reduce((sum, count) => sum + count, 0),
      waitingDays: stale.length,
      waitingSince: stale.length === 0 ? undefined : Math.min(...stale.map(([, , { since }]) => since)),
      sealedDays: sealed.length,
    };
  }

  #rejectBelow(fence: Fence | undefined): void {
    if (fence === undefined) return;
    const { lease, number } = fence;
    const last = this.#fences.get(lease) ?? number;
    if (number < last) throw new FencedError(`fencing number ${number} of ${lease} is below ${last}`);
    this.#fences.set(lease, number);
  }

  /** Returns true if a day is sealed and has neither states nor entries. */
  #isRemoved(project: string, day: Day): boolean {
    const of = this.#find(project, day);
    return this.#admissions.isSealed(day) && !of?.hasStates && of?.published?.isEmpty !== false;
  }

  #isSettled(project: string, day: Day): boolean {
    const of = this.#find(project, day);
    return this.#admissions.isSealed(day) && !(of !== undefined && isStale(of));
  }

  #staleDays(project: string, listed: ListedDays | undefined): [Day, LedgerDay][] {
    const until = listed?.until ?? LAST_DAY;
    return this.#daysOf(project).filter(([day, of]) => isStale(of) && day <= until);
  }

  #expiredDays(project: string, entriesUntil = Number.NEGATIVE_INFINITY): Day[] {
    return this.#daysOf(project)
      .filter(([day, { hasStates, published }]) => {
        const hasEntries = published?.isEmpty === false && day <= entriesUntil;
        return this.#isSettled(project, day) && (hasStates || hasEntries);
      })
      .map(([day]) => day);
  }

  #publication(version: number, isEmpty: boolean, number = ++this.#lastPublication): Publication {
    return { version, isEmpty, number, at: this.#clock.wall() };
  }

  #find(project: string, day: Day): LedgerDay | undefined {
    return this.#projects.get(project)?.get(day);
  }

  #day(project: string, day: Day): LedgerDay {
    const days = this.#projects.get(project) ?? new Map<Day, LedgerDay>();
    this.#projects.set(project, days);
    const of: LedgerDay = days.get(day) ?? { ...UNTOUCHED };
    days.set(day, of);
    return of;
  }

  #daysOf(project: string): [Day, LedgerDay][] {
    return [...(this.#projects.get(project) ?? [])];
  }

  #all(): [string, Day, LedgerDay][] {
    return [...this.#projects].flatMap(([project, days]) =>
      [...days].map(([day, of]): [string, Day, LedgerDay] => [project, day, of]),
    );
  }
}

const isStale = ({ marked, rolledUp }: LedgerDay): boolean => marked.changes > rolledUp.changes;
