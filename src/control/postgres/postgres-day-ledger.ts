import { setTimeout as sleep } from "node:timers/promises";
import { BEFORE_ALL_DAYS, type Day, LAST_DAY } from "../../model/day.js";
import type {
  ExpiredDayQuery,
  ExpiredProject,
  ListedDays,
  StaleDayQuery,
  StaleProject,
} from "../../model/due-days.js";
import type { DatedNames, EventNames, NameLimits, ProjectNumber } from "../../model/names.js";
import { FencedError, StoreUnavailableError } from "../../model/store-error.js";
import {
  ADMISSION_MS,
  type Admission,
  type DayChange,
  type DayLedger,
  type DayPublication,
  type DayRun,
  type DayVersion,
  type FormerDay,
  type LedgerFigures,
} from "../day-ledger.js";
import type { Fence } from "../lease-store.js";
import { AdmittedNames } from "./admitted-names.js";
import type { Notifications } from "./notifications.js";
import type { PostgresDatabase } from "./postgres-database.js";
import { Publications } from "./published-days.js";
import { readSql } from "./sql.js";

const SQL = {
  admit: readSql("days/admit.sql"),
  markStale: readSql("days/mark-stale.sql"),
  staleProjects: readSql("days/stale-projects.sql"),
  staleDays: readSql("days/stale-days.sql"),
  begin: readSql("days/begin.sql"),
  publish: readSql("days/publish.sql"),
  takeOver: readSql("days/take-over.sql"),
  versionsBefore: readSql("days/versions-before.sql"),
  excludeDays: "UPDATE waybill.sealed_days SET excluded_until = greatest(excluded_until, $1)",
  endExpiredAdmissions: "DELETE FROM waybill.admissions WHERE ends_at <= clock_timestamp()",
  earlierAdmission:
    "SELECT FROM waybill.admissions WHERE excluded_until IS NULL OR excluded_until < $1 LIMIT 1",
  sealDays: "UPDATE waybill.sealed_days SET sealed_until = greatest(sealed_until, $1)",
  expiredDays: readSql("days/expired-days.sql"),
  closeDays: readSql("days/close-days.sql"),
  forgetStates: readSql("days/forget-states.sql"),
  eraseDays: readSql("days/erase-days.sql"),
  figures: readSql("days/figures.sql"),
};
const EXPIRED_PROJECTS = `SELECT project, count(*) AS days, min(day) AS oldest FROM (${SQL.expiredDays}) AS expired GROUP BY project`;
const EXPIRED_DAYS = `SELECT day FROM (${SQL.expiredDays}) AS expired WHERE project = $2 AND day > $3 ORDER BY day LIMIT $4`;

/** Maximum number of days that one step of an erasure removes. */
const DAYS_A_STEP = 1_000;

/** Pause between two checks whether admissions have ended, in milliseconds. */
const SEAL_PAUSE_MS = 20;

export interface PostgresDayLedgerOptions {
  readonly database: PostgresDatabase;
  readonly notifications: Notifications;
  /** Maximum time for which reads may not include other processes' publications, in milliseconds. */
  readonly maxStaleness?: number | undefined;
  /** Lifetime of an admission, in milliseconds. */
  readonly admissionMs?: number | undefined;
}

/**
 * A day ledger in tables. Readers use a local copy of all publications. While the copy is current, they need no
 * statement.
 */
export class PostgresDayLedger implements DayLedger {
  readonly #database: PostgresDatabase;
  readonly #admissionMs: number;
  readonly #names: AdmittedNames;
  readonly #publications: Publications;

  constructor(options: PostgresDayLedgerOptions) {
    const { database, notifications, maxStaleness, admissionMs = ADMISSION_MS } = options;
    this.#database = database;
    this.#admissionMs = admissionMs;
    this.#names = new AdmittedNames(database);
    this.#publications = new Publications(database, maxStaleness);
    notifications.on("days", () => this.#publications.changed());
  }

  async admit(): Promise<Admission> {
    const [row] = await this.#database.query<{ id: string; excluded_until: number | null }>(
      "admitting an append",
      SQL.admit,
      [this.#admissionMs],
    );
    if (row === undefined) throw new StoreUnavailableError("the table waybill.sealed_days has no row");
    return { id: row.id, sealedUntil: row.excluded_until ?? undefined };
  }

  async markStale({ id }: Admission, changes: readonly DayChange[]): Promise<void> {
    const ended = await this.#database.query("marking days as stale", SQL.markStale, [
      id,
      changes.map(({ project }) => project),
      changes.map(({ day }) => day),
      changes.map(({ events }) => events),
    ]);
    if (ended.length === 0) throw new StoreUnavailableError("the append exceeded its time limit");
  }

  admitNames(project: ProjectNumber, names: DatedNames, limits: NameLimits): Promise<EventNames | undefined> {
    return this.#names.admit(project, names, limits);
  }

  async isEmpty(): Promise<boolean> {
    const sql = "SELECT FROM waybill.days WHERE changes > 0 LIMIT 1";
    return (await this.#database.query("looking for events", sql)).length === 0;
  }

  async staleProjects(listed?: ListedDays): Promise<readonly StaleProject[]> {
    const rows = await this.#database.query<{ project: ProjectNumber; days: string; since: string }>(
      "reading projects to roll up",
      SQL.staleProjects,
      [listed?.until ?? LAST_DAY, listed?.since ?? 0],
    );
    return rows.map(({ project, days, since }) => ({ project, days: Number(days), since: Number(since) }));
  }

  staleDays({ project, listed, before = LAST_DAY + 1, limit }: StaleDayQuery): Promise<readonly Day[]> {
    const values = [project, listed?.until ?? LAST_DAY, before, limit];
    return this.#days("reading the days to roll up", SQL.staleDays, values);
  }

  async begin(project: ProjectNumber, rolledUp: readonly Day[], fence?: Fence): Promise<DayRun> {
    const [row] = await this.#database.query<{
      version: string;
      began_at: string;
      fence: string | null;
      days: readonly Day[];
      changes: readonly string[];
      events: readonly string[];
    }>("beginning a run", SQL.begin, [project, rolledUp, fence?.lease, fence?.number]);
    if (row === undefined) throw new StoreUnavailableError("the table waybill.publications has no row");
    if (fence !== undefined && Number(row.fence) > fence.number) throw fenced(fence);
    const days = row.days.map((day, at) => {
      const seen = { changes: Number(row.changes[at]), events: Number(row.events[at]) };
      return [day, seen] as const;
    });
    return {
      project,
      version: Number(row.version),
      days: new Map(days),
      beganAt: Number(row.began_at),
      fence,
    };
  }

  async publish(run: DayRun, days: readonly DayPublication[]): Promise<void> {
    const seen = days.map(({ day }) => run.days.get(day));
    try {
      const published = await this.#database.query("publishing days", SQL.publish, [
        run.project,
        run.version,
        run.beganAt,
        run.fence?.lease,
        run.fence?.number,
        days.map(({ day }) => day),
        days.map(({ isEmpty }) => isEmpty),
        seen.map((changes) => changes?.changes),
        seen.map((changes) => changes?.events),
      ]);
      if (published.length === 0) throw fenced(run.fence);
    } finally {
      // Even if the statement fails, the days may have been published.
      this.#publications.changed();
    }
  }

  async takeOver({ project, version }: DayRun, days: readonly FormerDay[]): Promise<void> {
    try {
      await this.#database.query("adopting days", SQL.takeOver, [
        project,
        version,
        days.map(({ day }) => day),
        days.map(({ isRolledUp }) => Number(isRolledUp)),
        days.map(({ states }) => states),
        days.map(({ waitingEvents }) => waitingEvents),
        days.map(({ waitingSince }) => waitingSince),
        days.map(({ states, waitingEvents }) => states + waitingEvents > 0),
        days.map(({ isEmpty }) => isEmpty),
      ]);
    } finally {
      this.#publications.changed();
    }
  }

  async published(project: ProjectNumber, until: Day): Promise<readonly DayVersion[]> {
    return (await this.#publications.upToDate()).upTo(project, until);
  }

  async publishedProjects(): Promise<readonly string[]> {
    return (await this.#publications.upToDate()).projects;
  }

  async version(project: ProjectNumber, until: Day): Promise<string> {
    return String((await this.#publications.upToDate()).lastNumber(project, until));
  }

  async versionsBefore(
    project: ProjectNumber,
    days: readonly Day[],
    graceMs: number,
  ): Promise<readonly DayVersion[]> {
    const rows = await this.#database.query<{ day: Day; version: string }>(
      "reading versions of days",
      SQL.versionsBefore,
      [project, days, graceMs],
    );
    return rows.map(({ day, version }) => ({ day, version: Number(version) }));
  }

  async seal(until: Day): Promise<void> {
    const what = "sealing days";
    await this.#database.query(what, SQL.excludeDays, [until]);
    for (;;) {
      // Waits for appends that are ending an expired admission at this moment. Later attempts to end it fail.
      await this.#database.query(what, SQL.endExpiredAdmissions);
      const earlier = await this.#database.query(what, SQL.earlierAdmission, [until]);
      if (earlier.length === 0) break;
      await sleep(SEAL_PAUSE_MS);
    }
    await this.#database.query(what, SQL.sealDays, [until]);
  }

  async expiredProjects(entriesUntil?: Day): Promise<readonly ExpiredProject[]> {
    const rows = await this.#database.query<{ project: ProjectNumber; days: string; oldest: Day }>(
      "looking for expired days",
      EXPIRED_PROJECTS,
      [entriesUntil],
    );
    return rows.map(({ project, days, oldest }) => ({ project, days: Number(days), oldest }));
  }

  expiredDays({ project, entriesUntil, after = BEFORE_ALL_DAYS, limit }: ExpiredDayQuery) {
    return this.#days("reading the expired days", EXPIRED_DAYS, [entriesUntil, project, after, limit]);
  }

  closeDays(project: ProjectNumber, days: readonly Day[]): Promise<readonly Day[]> {
    return this.#days("closing days", SQL.closeDays, [project, days]);
  }

  async forgetStates(project: ProjectNumber, days: readonly Day[]): Promise<void> {
    await this.#database.query("marking states as removed", SQL.forgetStates, [project, days]);
  }

  async erase(project: ProjectNumber): Promise<boolean> {
    const days = await this.#database.query("erasing days", SQL.eraseDays, [project, DAYS_A_STEP]);
    if (days.length > 0) this.#publications.changed();
    const hasNoNames = await this.#names.erase(project);
    return days.length === 0 && hasNoNames;
  }

  async figures(): Promise<LedgerFigures> {
    const [row] = await this.#database.query<{
      waiting_events: string;
      waiting_days: string;
      waiting_since: string | null;
      sealed_days: string;
    }>("counting days", SQL.figures);
    return {
      waitingEvents: Number(row?.waiting_events),
      waitingDays: Number(row?.waiting_days),
      waitingSince: row === undefined || row.waiting_since === null ? undefined : Number(row.waiting_since),
      sealedDays: Number(row?.sealed_days),
    };
  }

  async #days(what: string, sql: string, values: readonly unknown[]): Promise<readonly Day[]> {
    return (await this.#database.query<{ day: Day }>(what, sql, values)).map(({ day }) => day);
  }
}

const fenced = (fence: Fence | undefined): FencedError =>
  new FencedError(`a run with a higher fencing number than ${fence?.number} has begun under ${fence?.lease}`);
