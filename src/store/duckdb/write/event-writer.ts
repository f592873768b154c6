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
import type { EventBlock } from "../../event-block.js";
import { orUnavailable } from "../engine-failure.js";
import { inTransaction } from "../transaction.js";
import { Dictionary } from "./dictionary.js";

/** Rows of a data chunk: the engine's vector size. */
const CHUNK_ROWS = 2048;
/** The most events of several appends that share a transaction; others wait for the next one. */
const EVENTS_TOGETHER = 500_000;
/** Chunks that are handed over before other work gets its turn. */
const CHUNKS_A_TURN = 8;

const COLUMN_TYPES = [BIGINT, INTEGER, INTEGER, UBIGINT, UBIGINT, UINTEGER, INTEGER, BOOLEAN];

interface PendingAppend {
  readonly project: string;
  readonly events: readonly EventBlock[];
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Writes blocks of events, those that wait together in one transaction: small imports that come at the same time share
 * the cost of reaching the disk. Projects take turns, so that no small import waits for all the large ones of another.
 */
export class EventWriter {
  readonly #connection: DuckDBConnection;
  readonly #apps: Dictionary;
  readonly #labels: Dictionary;
  readonly #pending = new FairQueue<PendingAppend>();
  #running: Promise<void> | undefined;

  private constructor(connection: DuckDBConnection, apps: Dictionary, labels: Dictionary) {
    this.#connection = connection;
    this.#apps = apps;
    this.#labels = labels;
  }

  static async open(connection: DuckDBConnection): Promise<EventWriter> {
    const apps = await Dictionary.load(connection, "apps");
    return new EventWriter(connection, apps, await Dictionary.load(connection, "labels"));
  }

  /**
   * Resolves when the events are on disk.
   *
   * @throws the reason of `signal` if it aborts before they are being written; then nothing of them is.
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

  /** Resolves when nothing is being written. */
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
    // In the same turn in which the loop ended: an append of any later one starts another run.
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
      // What it still holds, the engine would write into whatever transaction is open when its memory is collected.
      appender.clear();
      throw error;
    }
    const days = new Set(blocks.flatMap((block) => block.days));
    await this.#connection.run(
      "INSERT INTO stale_days SELECT $1::BIGINT, unnest($2::INTEGER[]), $3::BIGINT",
      [project, listValue([...days]), BigInt(Date.now())],
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

/** Copies a column of fixed width into a vector of the chunk, whose layout in memory is the same. */
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
