import type { DayChange, DayLedger } from "../../../control/day-ledger.js";
import { Batches } from "../../../limits/batches.js";
import type { Day } from "../../../model/day.js";
import type { ProjectNumber } from "../../../model/names.js";
import { TooManyNamesError } from "../../../model/store-error.js";
import { eventsByDay, eventsOf, type StateBlock } from "../../state-block.js";
import type { Connection, Settings } from "../connection.js";
import { orUnavailable } from "../engine-error.js";
import { awaitingQuorumFor, type Replication } from "../replication.js";
import type { Place } from "../tables.js";
import { BlockRows } from "./block-rows.js";
import type { InsertSlots } from "./insert-slots.js";
import type { ProjectNames } from "./project-names.js";
import type { Retries } from "./retries.js";
import { insertStates } from "./state-values.js";

/** Number of events at which an insert is full. Further appends wait for the next insert. */
const EVENTS_TOGETHER = 500_000;
/**
 * Maximum number of days per insert, across all projects. Each day is a partition, and the engine allows 100 partitions
 * per insert.
 */
const DAYS_TOGETHER = 100;

/**
 * Fraction of an attempt's time that the engine may wait for the quorum. The remaining time allows it to report an
 * error.
 */
const QUORUM_SHARE = 0.9;

interface Append {
  /** Time of arrival, on the monotonic clock. */
  readonly arrivedAt: number;
  readonly project: ProjectNumber;
  readonly events: readonly StateBlock[];
}

/** Events of several appends, by project. */
type BlocksByProject = ReadonlyMap<string, readonly StateBlock[]>;

export interface EventWriterParts {
  readonly connection: Connection;
  readonly ledger: DayLedger;
  readonly retries: Retries;
  readonly slots: Pick<InsertSlots, "use">;
  readonly place: Place;
  readonly settings: Replication;
  readonly names: ProjectNames;
}

/**
 * Inserts events. Inserts happen one at a time, because replicas reject concurrent inserts that wait for a quorum
 * ({@link Replication.inserts}). Appends that wait in the queue share an insert, which costs as much as an insert of a
 * single row.
 */
export class EventWriter {
  readonly #connection: Connection;
  readonly #ledger: DayLedger;
  readonly #retries: Retries;
  readonly #statement: string;
  readonly #settings: Settings;
  readonly #names: ProjectNames;
  readonly #appends: Batches<Append, number>;
  /** Rows that are being inserted. */
  readonly #rows = new BlockRows();

  constructor({ connection, ledger, retries, slots, place, settings, names }: EventWriterParts) {
    this.#connection = connection;
    this.#ledger = ledger;
    this.#retries = retries;
    this.#statement = insertStates(place);
    this.#settings = settings.inserts;
    this.#names = names;
    this.#appends = new Batches({
      maxSize: EVENTS_TOGETHER,
      run: (appends) => orUnavailable("storing events", () => this.#store(appends)),
      // Events that arrive while another process is inserting share the next insert.
      within: (insert) => slots.use(insert),
    });
  }

  /**
   * Stores the events of days that are not sealed. Resolves when a quorum of replicas has the events, and their days
   * are marked as stale.
   *
   * @param signal signal of the request. Omitted for background work, which has no timeout.
   * @returns the number of dropped events.
   * @throws TooManyNamesError if the events would exceed the limit on apps or labels in the project; WaitTimeoutError
   * if the insert does not begin in time; the abort reason of `signal`. In these cases, no events are stored.
   */
  async append(project: ProjectNumber, events: readonly StateBlock[], signal?: AbortSignal): Promise<number> {
    const length = eventsOf(events);
    const append = { arrivedAt: performance.now(), project, events };
    return length - (await this.#appends.add(project, append, length, signal));
  }

  /** Resolves when no insert is in progress. */
  idle(): Promise<void> {
    return this.#appends.idle();
  }

  /** Stores events. @returns the number of stored events of each append, or the reason for rejecting it. */
  async #store(appends: readonly Append[]): Promise<readonly PromiseSettledResult<number>[]> {
    const rejected = new Map<Append, TooManyNamesError>();
    for (const append of appends) {
      const excess = await this.#names.admit(append.project, append.events);
      if (excess !== undefined) rejected.set(append, new TooManyNamesError(excess));
    }
    const projects = blocksByProject(appends.filter((append) => !rejected.has(append)));
    const changes = changesOf(projects);
    const stored = new Map([...projects.keys()].map((project) => [project, new Set<Day>()]));
    const oldest = Math.min(...appends.map(({ arrivedAt }) => arrivedAt));
    for (let start = 0; start < changes.length; start += DAYS_TOGETHER) {
      // Each further insert may last the full time again, because the append is making progress.
      const waitedMs = start === 0 ? performance.now() - oldest : 0;
      const open = await this.#storeDays(projects, changes.slice(start, start + DAYS_TOGETHER), waitedMs);
      for (const { project, day } of open) stored.get(project)?.add(day);
    }
    return appends.map((append) => {
      const reason = rejected.get(append);
      if (reason !== undefined) return { status: "rejected", reason };
      const ofDays = stored.get(append.project);
      const counts = [...eventsByDay(append.events)].map(([day, count]) => (ofDays?.has(day) ? count : 0));
      return { status: "fulfilled", value: counts.reduce((sum, count) => sum + count, 0) };
    });
  }

  /**
   * Stores events of some days under one admission. Uses a single insert, because several inserts could last longer
   * than the admission is valid.
   *
   * @returns the changes of days that are not sealed.
   */
  async #storeDays(
    projects: BlocksByProject,
    changes: readonly DayChange[],
    waitedMs: number,
  ): Promise<readonly DayChange[]> {
    const admission = await this.#ledger.admit();
    const sealedUntil = admission.sealedUntil ?? Number.NEGATIVE_INFINITY;
    const open = changes.filter(({ day }) => day > sealedUntil);
    try {
      if (open.length > 0) await this.#insert(projects, open, waitedMs);
    } catch (error) {
      // Some events may be stored. Marking their days as stale makes the next rollup include them.
      await this.#ledger.markStale(admission, open).catch(() => {});
      throw error;
    }
    await this.#ledger.markStale(admission, open);
    return open;
  }

  /**
   * Inserts the events of some days. If an insert is repeated, its rows are identical, and the engine stores them only
   * once.
   */
  async #insert(projects: BlocksByProject, changes: readonly DayChange[], waitedMs: number): Promise<void> {
    let attempts = 0;
    let isStored = false;
    try {
      for (const project of new Set(changes.map((change) => change.project))) {
        const days = new Set(changes.filter((change) => change.project === project).map(({ day }) => day));
        await this.#rows.add(project, projects.get(project) ?? [], days);
      }
      const { bytes } = this.#rows;
      await this.#retries.run(
        (leftMs) => {
          attempts++;
          const settings = awaitingQuorumFor(this.#settings, QUORUM_SHARE * leftMs);
          return this.#connection.insert(this.#statement, bytes, settings, AbortSignal.timeout(leftMs));
        },
        { waitedMs },
      );
      isStored = true;
    } finally {
      // A failed attempt may still be sending the rows.
      if (isStored && attempts === 1) this.#rows.reuse();
      else this.#rows.discard();
    }
  }
}

function blocksByProject(appends: readonly Append[]): BlocksByProject {
  const projects = new Map<string, StateBlock[]>();
  for (const { project, events } of appends) {
    const others = projects.get(project);
    if (others === undefined) projects.set(project, [...events]);
    else others.push(...events);
  }
  return projects;
}

/** Counts events by project and day. All days of one project are adjacent. */
const changesOf = (projects: BlocksByProject): readonly DayChange[] =>
  [...projects].flatMap(([project, blocks]) =>
    [...eventsByDay(blocks)].map(([day, events]) => ({ project, day, events })),
  );
