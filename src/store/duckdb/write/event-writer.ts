import type { DuckDBConnection } from "@duckdb/node-api";
import { Batches } from "../../../limits/batches.js";
import { type Clock, systemClock } from "../../../model/clock.js";
import type { Day } from "../../../model/day.js";
import type { EventNames, NameLimits, ProjectNumber } from "../../../model/names.js";
import { StoreBrokenError, TooManyNamesError } from "../../../model/store-error.js";
import { NAME_LIMITS } from "../../message-event-store.js";
import {
  eventsByDay,
  eventsOf,
  NONE,
  type NumberedStates,
  namesOf,
  type StateBlock,
  statesAfter,
  statesIn,
} from "../../state-block.js";
import { inTransaction, orUnavailable } from "../connection.js";
import { DuckDBTableFunction, listValue } from "../engine.js";
import { PreparedStatements } from "../prepared-statements.js";
import { lastAppend, lastSealedDay } from "./days.js";
import { Dictionary, type NumberOf } from "./dictionary.js";
import { STATE_COLUMNS, StateRows } from "./state-rows.js";

const ARRIVING_STATES = "arriving_states";
/**
 * Each row of the source has lists of states. Because the engine preserves the order of rows, which is its default, it
 * inserts them in one thread and without another copy. This needs less processor time than a parallel insertion.
 */
const INSERT_SQL = `INSERT INTO message_states BY NAME
  SELECT
    $1::BIGINT AS project,
    $2::BIGINT AS append_number,
    arriving.* REPLACE (
      nullif(accepted, ${2n ** 64n - 1n}::UBIGINT) AS accepted,
      nullif(outcome, ${NONE}::UINTEGER) AS outcome,
      nullif(proxy, ${NONE}::UINTEGER) AS proxy
    )
  FROM (
    SELECT ${STATE_COLUMNS.map(([name]) => `unnest(${name}) AS ${name}`).join(", ")} FROM ${ARRIVING_STATES}()
  ) AS arriving`;
/** Number of rows at which a transaction is full. Further writes wait for the next transaction. */
const ROWS_TOGETHER = 500_000;
/** Minimum number of rows of a large write, which waits for other work of its project. */
const LARGE_ROWS = 10_000;
/** Maximum number of labels, and of apps, that one step of an erasure removes. */
const NAMES_A_STEP = 10_000;
/** Queue key for writes to all projects. The queue is fair across projects. */
const ALL_PROJECTS = "*";

/** A write of one project. It may be repeated. */
type Write = () => Promise<void>;

/** Writes message states, and assigns ids to the names in them. */
export class EventWriter {
  /** All writes, with their number of rows. Several writes share a transaction. */
  readonly queue = new Batches<Write>({
    maxSize: ROWS_TOGETHER,
    largeSize: LARGE_ROWS,
    run: (writes) => this.#store(writes),
  });
  readonly #connection: DuckDBConnection;
  readonly #statements: PreparedStatements;
  readonly #clock: Clock;
  readonly #apps: Dictionary;
  readonly #labels: Dictionary;
  /** Projects with a queued read of their apps' numbers. */
  readonly #queuedReads = new Set<ProjectNumber>();
  /** The last sealed day, and the last append number. Undefined if they must be read from the database. */
  #sealedUntil: Day | undefined;
  #lastAppend: bigint | undefined;
  /** Rows of the append that is being written. */
  readonly #arriving = new StateRows();

  private constructor(
    connection: DuckDBConnection,
    statements: PreparedStatements,
    apps: Dictionary,
    labels: Dictionary,
    clock: Clock,
  ) {
    this.#connection = connection;
    this.#statements = statements;
    this.#clock = clock;
    this.#apps = apps;
    this.#labels = labels;
  }

  static async open(
    connection: DuckDBConnection,
    clock: Clock = systemClock,
    { maxApps, maxLabels }: NameLimits = NAME_LIMITS,
  ): Promise<EventWriter> {
    const statements = new PreparedStatements(connection);
    const apps = await Dictionary.load(connection, statements, "apps", maxApps);
    const labels = await Dictionary.load(connection, statements, "labels", maxLabels);
    const writer = new EventWriter(connection, statements, apps, labels, clock);
    writer.#registerArriving();
    return writer;
  }

  /**
   * Stores the events of days that are not sealed. Resolves when they are on disk.
   *
   * @returns the number of dropped events.
   * @throws TooManyNamesError if the events would exceed the limit on apps or labels in the project; the abort reason
   * of `signal` if it aborts before the write begins. In both cases, no events are stored.
   */
  async append(project: ProjectNumber, events: readonly StateBlock[], signal?: AbortSignal): Promise<number> {
    let stored = 0;
    let excess: EventNames | undefined;
    const run = async (): Promise<void> => {
      const sealedUntil = await this.#lastSealedDay();
      const kept = events.map((block) => statesAfter(sealedUntil, block)).filter(({ length }) => length > 0);
      stored = eventsOf(kept);
      excess = await this.#excessOf(project, kept);
      if (excess === undefined && stored > 0) await this.#writeStates(project, kept);
    };
    await this.queue.add(project, run, statesIn(events), signal);
    if (excess !== undefined) throw new TooManyNamesError(excess);
    return eventsOf(events) - stored;
  }

  /** Seals all days up to `until`. Earlier appends have then ended, and later appends drop the events of these days. */
  async seal(until: Day): Promise<void> {
    const run = async (): Promise<void> => {
      if (until <= (await this.#lastSealedDay())) return;
      await this.#connection.run("DELETE FROM sealed_days");
      await this.#connection.run("INSERT INTO sealed_days VALUES ($1::INTEGER)", [until]);
      this.#sealedUntil = until;
    };
    await this.queue.add(ALL_PROJECTS, run, 1);
  }

  /**
   * Runs another write, with about as many rows as `appIds`.
   *
   * @returns the result of `work`, when its changes are on disk.
   */
  async write<T>(
    project: ProjectNumber,
    appIds: readonly string[],
    work: (statements: PreparedStatements, numberOf: NumberOf) => Promise<T>,
  ): Promise<T> {
    let result: T | undefined;
    const run = async (): Promise<void> => {
      const numberOf = await this.#apps.numbersOf(project, appIds);
      result = await work(this.#statements, numberOf);
    };
    await this.queue.add(project, run, appIds.length);
    return result as T;
  }

  /**
   * Returns an app's number if it is cached: 0 if the app has none. If the project's numbers are not cached, queues a
   * read of them and returns `undefined`.
   */
  cachedNumberOf(project: ProjectNumber, appId: string): number | undefined {
    const number = this.#apps.cachedNumberOf(project, appId);
    if (number === undefined && this.#apps.hasRoom && !this.#queuedReads.has(project)) {
      this.#queuedReads.add(project);
      this.write(project, [], async () => {})
        .catch(() => {
          // The reader's own query shows whether the database works.
        })
        .finally(() => this.#queuedReads.delete(project));
    }
    return number;
  }

  /** Records that retention has removed data of a project, so that some of its names may be unused now. */
  noteRemoved(project: ProjectNumber): void {
    this.#apps.noteRemoved(project);
    this.#labels.noteRemoved(project);
  }

  /**
   * Erases some names of a deleted project, after earlier writes of the project.
   *
   * @returns true if none was left.
   */
  async eraseNames(project: ProjectNumber): Promise<boolean> {
    let erased = 0;
    const run = async (): Promise<void> => {
      erased =
        (await this.#labels.erase(project, NAMES_A_STEP)) + (await this.#apps.erase(project, NAMES_A_STEP));
    };
    await this.queue.add(project, run, NAMES_A_STEP);
    return erased === 0;
  }

  /**
   * Runs several writes in one transaction. If it fails, runs each write in its own transaction, so that a failing
   * write does not affect the others.
   */
  async #store(writes: readonly Write[]): Promise<readonly PromiseSettledResult<void>[]> {
    const [together] = await Promise.allSettled([this.#inTransaction(writes)]);
    const isFinal = writes.length === 1 || together.status === "fulfilled";
    if (isFinal || together.reason instanceof StoreBrokenError) return writes.map(() => together);
    const results: PromiseSettledResult<void>[] = [];
    for (const write of writes) results.push(...(await Promise.allSettled([this.#inTransaction([write])])));
    return results;
  }

  async #inTransaction(writes: readonly Write[]): Promise<void> {
    try {
      await orUnavailable("storing data", () =>
        inTransaction(this.#connection, async () => {
          for (const write of writes) await write();
        }),
      );
    } catch (error) {
      this.#apps.reset();
      this.#labels.reset();
      this.#sealedUntil = undefined;
      this.#lastAppend = undefined;
      throw error;
    }
  }

  async #lastSealedDay(): Promise<Day> {
    this.#sealedUntil ??= await lastSealedDay(this.#connection);
    return this.#sealedUntil;
  }

  /** Returns an append number that is higher than all earlier ones. */
  async #nextAppend(): Promise<bigint> {
    this.#lastAppend ??= await lastAppend(this.#connection);
    return ++this.#lastAppend;
  }

  /** Returns the names in `blocks` that exceed the project's limits, or `undefined` if there are none. */
  async #excessOf(project: ProjectNumber, blocks: readonly StateBlock[]): Promise<EventNames | undefined> {
    const { apps, labels } = namesOf(blocks);
    const excess = {
      apps: await this.#apps.excessOf(project, apps),
      labels: await this.#labels.excessOf(project, labels),
    };
    return excess.apps.length + excess.labels.length > 0 ? excess : undefined;
  }

  async #writeStates(project: ProjectNumber, blocks: readonly StateBlock[]): Promise<void> {
    const numbered: NumberedStates[] = [];
    for (const states of blocks) numbered.push(await this.#numbered(project, states));
    const days = eventsByDay(blocks);
    const parameters = [BigInt(project), await this.#nextAppend()];
    try {
      this.#arriving.set(numbered);
      const { rowsChanged } = await this.#connection.run(INSERT_SQL, parameters);
      if (rowsChanged !== statesIn(blocks))
        throw new Error(`the engine has inserted only ${rowsChanged} states`);
    } finally {
      this.#arriving.set([]);
    }
    await this.#connection.run(
      "INSERT INTO stale_days SELECT $1::BIGINT, unnest($2::INTEGER[]), $3::BIGINT, unnest($4::BIGINT[])",
      [
        project,
        listValue([...days.keys()]),
        BigInt(this.#clock.wall()),
        listValue([...days.values()].map((events) => BigInt(events))),
      ],
    );
  }

  async #numbered(project: ProjectNumber, states: StateBlock): Promise<NumberedStates> {
    const appNumberOf = await this.#apps.numbersOf(project, states.apps);
    const named = states.labels.slice(1);
    const numberOf = await this.#labels.numbersOf(project, named);
    return {
      states,
      apps: Int32Array.from(states.apps, appNumberOf),
      labels: Int32Array.of(0, ...named.map(numberOf)),
    };
  }

  /** Registers a table function with which the engine fetches new rows. */
  #registerArriving(): void {
    const source = DuckDBTableFunction.create({
      name: ARRIVING_STATES,
      bindFunction: (info) => {
        for (const [name, type] of STATE_COLUMNS) info.addResultColumn(name, type);
      },
      initFunction: () => {},
      mainFunction: (_, chunk) => this.#arriving.fill(chunk),
    });
    this.#connection.registerTableFunction(source);
  }
}
