import type { DayChange, DayLedger } from "../../../control/day-ledger.js";
import { Batches } from "../../../limits/batches.js";
import type { Day } from "../../../model/day.js";
import { TooManyNamesError } from "../../../model/store-error.js";
import { eventsByDay, eventsOf, type StateBlock } from "../../state-block.js";
import type { Connection, Settings } from "../connection.js";
import { orUnavailable } from "../engine-error.js";
import { awaitingQuorumFor, type Replication } from "../replication.js";
import type { Place } from "../tables.js";
import { blockRows } from "./block-rows.js";
import type { InsertTurns } from "./insert-turns.js";
import type { ProjectNames } from "./project-names.js";
import type { Retries } from "./retries.js";
import { insertStates } from "./state-values.js";

/** Number of events at which an insert gets no further appends; the others wait for the next one. */
const EVENTS_TOGETHER = 500_000;
/** Maximum number of days of projects in one insert: each is a partition, of which the engine takes a hundred. */
const DAYS_TOGETHER = 100;

/** Part of the time for an attempt after which the engine gives up, so that its error is known. */
const QUORUM_SHARE = 0.9;

/** Events of a project to store. */
interface Append {
  /** Time of its arrival, by the monotonic clock. */
  readonly arrivedAt: number;
  readonly project: string;
  readonly events: readonly StateBlock[];
}

/** The number of stored events of an append, or why it is rejected. */
type Stored = number | TooManyNamesError;

/** Events of appends, with those of a project together. */
type BlocksByProject = ReadonlyMap<string, readonly StateBlock[]>;

/** Dependencies of an {@link EventWriter}. */
export interface EventWriterParts {
  readonly connection: Connection;
  readonly ledger: DayLedger;
  readonly retries: Retries;
  readonly turns: Pick<InsertTurns, "take">;
  readonly place: Place;
  readonly settings: Replication;
  readonly names: ProjectNames;
}

/**
 * Inserts events, one insert at a time: replicas take no concurrent inserts with a quorum ({@link Replication.inserts}). Appends that
 * wait at the same time share an insert, which costs as much as that of a single row.
 */
export class EventWriter {
  readonly #connection: Connection;
  readonly #ledger: DayLedger;
  readonly #retries: Retries;
  readonly #statement: string;
  readonly #settings: Settings;
  readonly #names: ProjectNames;
  readonly #appends: Batches<Append, Stored>;

  constructor({ connection, ledger, retries, turns, place, settings, names }: EventWriterParts) {
    this.#connection = connection;
    this.#ledger = ledger;
    this.#retries = retries;
    this.#statement = insertStates(place);
    this.#settings = settings.inserts;
    this.#names = names;
    this.#appends = new Batches({
      maxSize: EVENTS_TOGETHER,
      run: (appends) => orUnavailable("storing events", () => this.#store(appends)),
      // Events that arrive while another process inserts go into the same insert.
      within: (insert) => turns.take(insert),
    });
  }

  /**
   * Stores the events of days that are not sealed; resolves when a quorum has them and their days are stale.
   *
   * @param signal of the call that sends the events; omitted for work of the server itself, which waits as long as it
   *   takes.
   * @returns the number of other events.
   * @throws TooManyNamesError if they would give the project more apps or labels than it may have; WaitTimeoutError if the
   * insert does not begin in time; the reason of `signal` if it aborts before. None of the events are stored then.
   */
  async append(project: string, events: readonly StateBlock[], signal?: AbortSignal): Promise<number> {
    const length = eventsOf(events);
    const append = { arrivedAt: performance.now(), project, events };
    const stored = await this.#appends.add(project, append, length, { signal });
    if (stored instanceof TooManyNamesError) throw stored;
    return length - stored;
  }

  /** Resolves when no insert is in progress. */
  idle(): Promise<void> {
    return this.#appends.idle();
  }

  async #store(appends: readonly Append[]): Promise<readonly Stored[]> {
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
      // Later inserts have as much time again: the append proceeds.
      const waitedMs = start === 0 ? performance.now() - oldest : 0;
      const open = await this.#storeDays(projects, changes.slice(start, start + DAYS_TOGETHER), waitedMs);
      for (const { project, day } of open) stored.get(project)?.add(day);
    }
    return appends.map(
      (append) =>
        rejected.get(append) ??
        [...eventsByDay(append.events)].reduce(
          (sum, [day, count]) => (stored.get(append.project)?.has(day) ? sum + count : sum),
          0,
        ),
    );
  }

  /**
   * Stores the events of some days, under an admission of their own: several inserts that take long would outlast it.
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
      // A part may be stored: it counts from the next rollup on.
      await this.#ledger.markStale(admission, open).catch(() => {});
      throw error;
    }
    await this.#ledger.markStale(admission, open);
    return open;
  }

  /** Inserts the events of some days. A repeated insert has the same rows, which the engine stores once. */
  async #insert(projects: BlocksByProject, changes: readonly DayChange[], waitedMs: number): Promise<void> {
    const rows: Buffer[] = [];
    for (const project of new Set(changes.map((change) => change.project))) {
      const days = new Set(changes.filter((change) => change.project === project).map(({ day }) => day));
      rows.push(...(await blockRows(project, projects.get(project) ?? [], days)));
    }
    await this.#retries.run(
      (leftMs) => {
        const settings = awaitingQuorumFor(this.#settings, QUORUM_SHARE * leftMs);
        return this.#connection.insert(this.#statement, rows, settings, AbortSignal.timeout(leftMs));
      },
      { waitedMs },
    );
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

/** Counts the events of each day of each project, with the days of a project one after the other. */
const changesOf = (projects: BlocksByProject): readonly DayChange[] =>
  [...projects].flatMap(([project, blocks]) =>
    [...eventsByDay(blocks)].map(([day, events]) => ({ project, day, events })),
  );
