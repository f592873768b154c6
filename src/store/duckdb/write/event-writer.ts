import { setImmediate as nextTurn } from "node:timers/promises";
import type { DuckDBAppender, DuckDBConnection } from "@duckdb/node-api";
import { type Clock, systemClock } from "../../../model/clock.js";
import type { Day } from "../../../model/day.js";
import type { EventBlock } from "../../event-block.js";
import { eventsAfter } from "../../events-after.js";
import { listValue } from "../engine.js";
import { Dictionary } from "./dictionary.js";
import { appendChunk, CHUNK_ROWS } from "./event-rows.js";
import { SealedDays } from "./sealed-days.js";
import { WriteQueue } from "./write-queue.js";

/** Number of chunks passed to the engine, some milliseconds, before other work of this thread gets a turn. */
const CHUNKS_A_TURN = 4;
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
    return new EventWriter(connection, apps, await Dictionary.load(connection, "labels"), clock);
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
    const appender = await this.#connection.createAppender("events");
    try {
      let chunks = 0;
      for (const events of blocks) {
        const append = await this.#appenderOf(appender, project, events);
        for (let start = 0; start < events.length; start += CHUNK_ROWS) {
          append(start);
          if (++chunks % CHUNKS_A_TURN !== 0) continue;
          appender.flushSync();
          await nextTurn();
        }
      }
      appender.closeSync();
    } catch (error) {
      // Otherwise the engine writes the remaining rows into whatever transaction is open when the appender is
      // garbage-collected.
      appender.clear();
      throw error;
    }
    const days = eventsByDay(blocks);
    await this.#connection.run(
      "INSERT INTO stale_days SELECT $1::BIGINT, unnest($2::INTEGER[]), $3::BIGINT, unnest($4::BIGINT[])",
      [project, listValue([...days.keys()]), BigInt(this.#clock.wall()), listValue([...days.values()])],
    );
  }

  /** Returns a function that appends the rows of a block from an index, one chunk of them. */
  async #appenderOf(
    appender: DuckDBAppender,
    project: string,
    events: EventBlock,
  ): Promise<(start: number) => void> {
    const apps = await this.#apps.numbersOf(this.#connection, project, events.apps);
    const named = await this.#labels.numbersOf(this.#connection, project, events.labels.slice(1));
    const labels = Int32Array.of(0, ...named);
    return (start) => appendChunk(appender, BigInt(project), events, start, apps, labels);
  }
}

const rowsOf = (blocks: readonly EventBlock[]): number => blocks.reduce((sum, { length }) => sum + length, 0);

function eventsByDay(blocks: readonly EventBlock[]): ReadonlyMap<Day, bigint> {
  const counts = new Map<Day, number>();
  for (const { day: days } of blocks) {
    for (const day of days) counts.set(day, (counts.get(day) ?? 0) + 1);
  }
  return new Map([...counts].map(([day, count]) => [day, BigInt(count)]));
}
