import type { DuckDBConnection } from "@duckdb/node-api";
import { type Clock, systemClock } from "../../../model/clock.js";
import type { Day } from "../../../model/day.js";
import type { EventBlock } from "../../event-block.js";
import { eventsAfter } from "../../events-after.js";
import { DuckDBTableFunction, listValue } from "../engine.js";
import { Dictionary } from "./dictionary.js";
import { EVENT_COLUMNS, EventRows, type NumberedEvents } from "./event-rows.js";
import { SealedDays } from "./sealed-days.js";
import { WriteQueue } from "./write-queue.js";

const ARRIVING_EVENTS = "arriving_events";
/** Stands for all projects in the queue, where projects take turns. */
const ALL_PROJECTS = "*";

/** Writes blocks of events, and numbers the names in them. */
export class EventWriter {
  readonly #connection: DuckDBConnection;
  readonly #clock: Clock;
  readonly #apps: Dictionary;
  readonly #labels: Dictionary;
  readonly #sealed: SealedDays;
  readonly #queue: WriteQueue;
  /** The rows of the append in progress. */
  #arriving: EventRows | undefined;

  private constructor(connection: DuckDBConnection, apps: Dictionary, labels: Dictionary, clock: Clock) {
    this.#connection = connection;
    this.#clock = clock;
    this.#apps = apps;
    this.#labels = labels;
    this.#sealed = new SealedDays(connection);
    this.#queue = new WriteQueue(connection, () => {
      this.#apps.reset();
      this.#labels.reset();
      this.#sealed.reset();
    });
  }

  static async open(connection: DuckDBConnection, clock: Clock = systemClock): Promise<EventWriter> {
    const apps = await Dictionary.load(connection, "apps");
    const writer = new EventWriter(connection, apps, await Dictionary.load(connection, "labels"), clock);
    writer.#registerArriving();
    return writer;
  }

  /**
   * Stores the events of days that are not sealed; resolves when they are on disk.
   *
   * @returns the number of other events.
   * @throws the reason of `signal` if it aborts before the write begins; none of the events are stored then.
   */
  async append(project: string, events: readonly EventBlock[], signal?: AbortSignal): Promise<number> {
    const rows = rowsOf(events);
    let stored = 0;
    const run = async (): Promise<void> => {
      const sealedUntil = await this.#sealed.until();
      const kept = events.map((block) => eventsAfter(sealedUntil, block)).filter(({ length }) => length > 0);
      stored = rowsOf(kept);
      if (stored > 0) await this.#writeEvents(project, kept);
    };
    await this.#queue.add({ project, rows, run }, signal);
    return rows - stored;
  }

  /**
   * Seals all days up to `until`. Appends that began before have ended, all others leave out events of these
   * days.
   */
  async seal(until: Day): Promise<void> {
    const run = (): Promise<void> => this.#sealed.extend(until);
    await this.#queue.add({ project: ALL_PROJECTS, rows: 1, run });
  }

  /** Runs `work` while no write is in progress. */
  async pause(work: () => Promise<void>): Promise<void> {
    await this.#queue.pause(work);
  }

  /** Returns the numbers that stand for app ids of a project, in their order; they are on disk. */
  async numbersOfApps(project: string, appIds: readonly string[]): Promise<Int32Array> {
    let numbers: Int32Array = new Int32Array();
    await this.write(project, appIds, async (_, apps) => {
      numbers = apps;
    });
    return numbers;
  }

  /**
   * Runs another write of about as many rows as app ids, given the numbers that stand for these, in their order; resolves
   * when it is on disk.
   */
  async write(
    project: string,
    appIds: readonly string[],
    work: (connection: DuckDBConnection, apps: Int32Array) => Promise<void>,
  ): Promise<void> {
    const run = async (): Promise<void> =>
      work(this.#connection, await this.#apps.numbersOf(this.#connection, project, appIds));
    await this.#queue.add({ project, rows: appIds.length, run });
  }

  /** Resolves when no write is in progress. */
  async idle(): Promise<void> {
    await this.#queue.idle();
  }

  async #writeEvents(project: string, blocks: readonly EventBlock[]): Promise<void> {
    const numbered: NumberedEvents[] = [];
    for (const events of blocks) numbered.push(await this.#numbered(project, events));
    this.#arriving = new EventRows(project, numbered);
    try {
      await this.#connection.run(`INSERT INTO events FROM ${ARRIVING_EVENTS}()`);
    } finally {
      this.#arriving = undefined;
    }
    const days = eventsByDay(blocks);
    await this.#connection.run(
      "INSERT INTO stale_days SELECT $1::BIGINT, unnest($2::INTEGER[]), $3::BIGINT, unnest($4::BIGINT[])",
      [project, listValue([...days.keys()]), BigInt(this.#clock.wall()), listValue([...days.values()])],
    );
  }

  async #numbered(project: string, events: EventBlock): Promise<NumberedEvents> {
    const apps = await this.#apps.numbersOf(this.#connection, project, events.apps);
    const named = await this.#labels.numbersOf(this.#connection, project, events.labels.slice(1));
    return { events, apps, labels: Int32Array.of(0, ...named) };
  }

  /** Lets the engine fetch the rows that arrive while it writes others on its own threads. */
  #registerArriving(): void {
    const source = DuckDBTableFunction.create({
      name: ARRIVING_EVENTS,
      bindFunction: (info) => {
        for (const [name, type] of Object.entries(EVENT_COLUMNS)) info.addResultColumn(name, type);
      },
      initFunction: () => {},
      mainFunction: (_, chunk) => this.#arriving?.fill(chunk),
    });
    this.#connection.registerTableFunction(source);
  }
}

const rowsOf = (blocks: readonly EventBlock[]): number => blocks.reduce((sum, { length }) => sum + length, 0);

function eventsByDay(blocks: readonly EventBlock[]): ReadonlyMap<Day, bigint> {
  const counts = new Map<Day, number>();
  for (const { day: days, length } of blocks) {
    for (let start = 0, end = 0; start < length; start = end) {
      const day = days[start] ?? 0;
      // Most events have the day of the one before.
      while (end < length && days[end] === day) end++;
      counts.set(day, (counts.get(day) ?? 0) + end - start);
    }
  }
  return new Map([...counts].map(([day, count]) => [day, BigInt(count)]));
}
