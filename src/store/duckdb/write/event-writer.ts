import { setImmediate as nextTurn } from "node:timers/promises";
import {
  BIGINT,
  BOOLEAN,
  type DuckDBAppender,
  type DuckDBConnection,
  DuckDBDataChunk,
  INTEGER,
  listValue,
  UBIGINT,
  UINTEGER,
} from "@duckdb/node-api";
import { FairQueue } from "../../../limits/fair-queue.js";
import { type Clock, systemClock } from "../../../model/clock.js";
import type { EventBlock } from "../../event-block.js";
import { orUnavailable } from "../engine-failure.js";
import { inTransaction } from "../transaction.js";
import { Dictionary } from "./dictionary.js";

/** Number of rows in a data chunk: the engine's vector size. */
const CHUNK_ROWS = 2048;
/** Number of events at which a transaction takes no further appends; the others wait for the next one. */
const EVENTS_TOGETHER = 500_000;
/** Number of chunks passed to the engine before other work of this thread gets a turn. */
const CHUNKS_A_TURN = 8;

const COLUMN_TYPES = [BIGINT, INTEGER, INTEGER, UBIGINT, UBIGINT, UINTEGER, INTEGER, BOOLEAN];

interface PendingAppend {
  readonly project: string;
  readonly events: readonly EventBlock[];
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Writes blocks of events. Appends that wait at the same time share a transaction, and with it the cost of
 * reaching the disk. Projects take turns, which spares a small import from waiting for all large ones of
 * another project.
 */
export class EventWriter {
  readonly #connection: DuckDBConnection;
  readonly #clock: Clock;
  readonly #apps: Dictionary;
  readonly #labels: Dictionary;
  readonly #pending = new FairQueue<PendingAppend>();
  #running: Promise<void> | undefined;

  private constructor(connection: DuckDBConnection, apps: Dictionary, labels: Dictionary, clock: Clock) {
    this.#connection = connection;
    this.#clock = clock;
    this.#apps = apps;
    this.#labels = labels;
  }

  static async open(connection: DuckDBConnection, clock: Clock = systemClock): Promise<EventWriter> {
    const apps = await Dictionary.load(connection, "apps");
    return new EventWriter(connection, apps, await Dictionary.load(connection, "labels"), clock);
  }

  /**
   * Stores events; resolves when they are on disk.
   *
   * @throws the reason of `signal` if it aborts before the write begins; none of the events are stored then.
   */
  append(project: string, events: readonly EventBlock[], signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      signal?.throwIfAborted();
      const append = { project, events, resolve, reject };
      this.#pending.push(project, append);
      signal?.addEventListener("abort", () => this.#giveUp(append, signal.reason), { once: true });
      this.#running ??= this.#run();
    });
  }

  #giveUp(append: PendingAppend, reason: unknown): void {
    if (this.#pending.remove(append.project, append)) append.reject(reason);
  }

  /** Resolves when no write is in progress. */
  async idle(): Promise<void> {
    await this.#running;
  }

  async #run(): Promise<void> {
    while (!this.#pending.isEmpty) {
      const appends = this.#nextAppends();
      try {
        await orUnavailable("storing events", () =>
          inTransaction(this.#connection, async () => {
            for (const { project, events } of appends) await this.#write(project, events);
          }),
        );
        for (const append of appends) append.resolve();
      } catch (error) {
        this.#apps.reset();
        this.#labels.reset();
        for (const append of appends) append.reject(error);
      }
    }
    // In the same turn as the loop's last check: any later append starts another run.
    this.#running = undefined;
  }

  #nextAppends(): PendingAppend[] {
    const appends: PendingAppend[] = [];
    for (let events = 0; events < EVENTS_TOGETHER; ) {
      const append = this.#pending.shift();
      if (append === undefined) break;
      appends.push(append);
      events += append.events.reduce((sum, { length }) => sum + length, 0);
    }
    return appends;
  }

  async #write(project: string, blocks: readonly EventBlock[]): Promise<void> {
    const appender = await this.#connection.createAppender("events");
    try {
      for (const events of blocks) await this.#writeBlock(appender, project, events);
      appender.closeSync();
    } catch (error) {
      // Otherwise the engine writes the remaining rows into whatever transaction is open when the appender is
      // garbage-collected.
      appender.clear();
      throw error;
    }
    const days = new Set(blocks.flatMap((block) => block.days));
    await this.#connection.run(
      "INSERT INTO stale_days SELECT $1::BIGINT, unnest($2::INTEGER[]), $3::BIGINT",
      [project, listValue([...days]), BigInt(this.#clock.wall())],
    );
  }

  async #writeBlock(appender: DuckDBAppender, project: string, events: EventBlock): Promise<void> {
    const apps = await this.#apps.numbersOf(this.#connection, project, events.apps);
    const named = await this.#labels.numbersOf(this.#connection, project, events.labels.slice(1));
    const labels = Int32Array.of(0, ...named);
    for (let start = 0, turn = 1; start < events.length; start += CHUNK_ROWS, turn++) {
      appendChunk(appender, BigInt(project), events, start, apps, labels);
      if (turn % CHUNKS_A_TURN === 0) {
        appender.flushSync();
        await nextTurn();
      }
    }
  }
}

function appendChunk(
  appender: DuckDBAppender,
  project: bigint,
  events: EventBlock,
  start: number,
  apps: Int32Array,
  labels: Int32Array,
): void {
  const rows = Math.min(CHUNK_ROWS, events.length - start);
  const end = start + rows;
  const ranks = new Uint32Array(rows);
  for (let i = 0; i < rows; i++) {
    ranks[i] = (events.millisecond[start + i] ?? 0) * 32 + (events.type[start + i] ?? 0);
  }
  const columns = [
    new BigInt64Array(rows).fill(project),
    events.day.subarray(start, end),
    events.app.subarray(start, end).map((index) => apps[index] ?? 0),
    events.keyHigh.subarray(start, end),
    events.keyLow.subarray(start, end),
    ranks,
    events.label.subarray(start, end).map((index) => labels[index] ?? 0),
    events.notification.subarray(start, end),
  ];
  const chunk = DuckDBDataChunk.create(COLUMN_TYPES, rows);
  for (const [index, column] of columns.entries()) copyInto(chunk, index, column);
  appender.appendDataChunk(chunk);
}

/** Copies a fixed-width column into a vector of the chunk, which has the same memory layout. */
function copyInto(chunk: DuckDBDataChunk, index: number, column: ArrayBufferView): void {
  const vector = chunk.getColumnVector(index);
  const target = memoryOf(vector);
  new Uint8Array(target.buffer, target.byteOffset, column.byteLength).set(
    new Uint8Array(column.buffer, column.byteOffset, column.byteLength),
  );
  vector.flush();
}

function memoryOf(vector: object): ArrayBufferView {
  const memory = "items" in vector ? vector.items : "dataView" in vector ? vector.dataView : undefined;
  if (!ArrayBuffer.isView(memory)) throw new Error("the vector has no memory of its own");
  return memory;
}
