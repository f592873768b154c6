import { setTimeout as sleep } from "node:timers/promises";
import type { DuckDBConnection } from "@duckdb/node-api";
import { SerialQueue } from "../../limits/pacing.js";
import { MAX_WAIT_MS } from "../../limits/request-limits.js";
import type { ProjectNumber } from "../../model/names.js";
import { StoreBrokenError, StoreDamagedError, StoreUnavailableError } from "../../model/store-error.js";
import { StoreCalls } from "../store-calls.js";
import { orUnavailable } from "./connection.js";
import { Database, type DuckDbOptions, toOpenError } from "./database.js";
import { Pool } from "./pool.js";
import { EntryReader } from "./read/entry-reader.js";
import { DayRollup } from "./write/day-rollup.js";
import { eraseSome } from "./write/erasure.js";
import { EventWriter } from "./write/event-writer.js";
import { FreedSpace } from "./write/expiry.js";

/**
 * Number of connections that publish days. If a long rollup uses one, the other is free for shorter rollups. Concurrent
 * rollups share cores and memory.
 */
const PUBLISHERS = 2;

/** Maximum number of concurrent read queries. Further queries wait. */
const READERS = 4;

/** Pause between two attempts to reopen the database, in milliseconds. */
const REOPEN_PAUSE_MS = 1_000;

/** A connection that publishes days. */
interface Publisher {
  readonly connection: DuckDBConnection;
  readonly rollup: DayRollup;
}

interface Connections {
  readonly writer: EventWriter;
  readonly control: DuckDBConnection;
  readonly readers: Pool<EntryReader>;
  readonly publishers: Pool<Publisher>;
  /** A pool with one item, so that only one snapshot can be in progress. */
  readonly snapshots: Pool<DuckDBConnection>;
}

/** An open database with its connections. A session ends when the store is closed or the engine fails. */
export class Session {
  readonly writer: EventWriter;
  readonly control: DuckDBConnection;
  readonly readers: Pool<EntryReader>;
  readonly snapshots: Pool<DuckDBConnection>;
  readonly freedSpace = new FreedSpace();
  readonly #database: Database;
  readonly #publishers: Pool<Publisher>;
  /**
   * Makes publications of a project happen one at a time. Two concurrent publications of a day would leave the entries
   * of both.
   */
  readonly #publications = new Map<string, SerialQueue>();
  readonly #calls = new StoreCalls("duckdb");
  /** The first damage that any call has found. */
  #damage: StoreDamagedError | undefined;
  #leftLog: Promise<void> | undefined;

  private constructor(database: Database, connections: Connections) {
    this.#database = database;
    this.writer = connections.writer;
    this.control = connections.control;
    this.readers = connections.readers;
    this.snapshots = connections.snapshots;
    this.#publishers = connections.publishers;
  }

  /**
   * Opens a session.
   *
   * @throws StoreOpenError if another process uses the directory, or the database is damaged or from a newer version.
   */
  static async open(options: DuckDbOptions): Promise<Session> {
    const database = await Database.open(options);
    try {
      const writer = await EventWriter.open(await database.connect(), options.clock, options.nameLimits);
      const readers: EntryReader[] = [];
      const cachedNumberOf = (project: ProjectNumber, appId: string) => writer.cachedNumberOf(project, appId);
      for (let i = 0; i < READERS; i++) {
        readers.push(await EntryReader.open(await database.connect(), cachedNumberOf));
      }
      const publishers: Publisher[] = [];
      for (let i = 0; i < PUBLISHERS; i++) {
        const connection = await database.connect();
        publishers.push({ connection, rollup: await DayRollup.open(connection, options.statesAPass) });
      }
      return new Session(database, {
        writer,
        control: await database.connect(),
        readers: new Pool(readers, MAX_WAIT_MS),
        publishers: new Pool(publishers, Number.POSITIVE_INFINITY),
        snapshots: new Pool([await database.connect()], Number.POSITIVE_INFINITY),
      });
    } catch (error) {
      database.close();
      throw toOpenError(options.directory, error);
    }
  }

  /** Runs a call of the store, and converts engine errors ({@link orUnavailable}). */
  run<T>(what: string, work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    return this.#calls.run(what, async () => {
      try {
        return await orUnavailable(what, work, signal);
      } catch (error) {
        if (error instanceof StoreDamagedError) this.#damage ??= error;
        // The engine's memory and its log may differ. The session must end, because an engine that no longer responds
        // does not write either.
        if (error instanceof StoreBrokenError) {
          this.#leftLog ??= this.#database.leaveLog().catch(() => {});
          await this.#leftLog;
        }
        throw error;
      }
    });
  }

  /** Checks the database. @throws the first damage that was found, or an engine error. */
  async check(): Promise<void> {
    if (this.#damage !== undefined) throw this.#damage;
    await this.control.run("SELECT 1");
  }

  /** Runs `work` on a publishing connection, after all earlier publications of the project. */
  publish<T>(project: ProjectNumber, work: (publisher: Publisher) => Promise<T>): Promise<T> {
    let queue = this.#publications.get(project);
    if (queue === undefined) {
      queue = new SerialQueue();
      this.#publications.set(project, queue);
    }
    return queue.run(() => this.#publishers.use(work));
  }

  /**
   * Calls `work` of a publisher while no other connection reads or writes data. Does not wait for the other publisher.
   *
   * @returns false if the other publisher is busy. `work` was not called then.
   */
  async quietly(work: () => Promise<void>): Promise<boolean> {
    if (!this.#publishers.hasFree) return false;
    await this.#publishers.use(() => this.readers.useAll(() => this.writer.queue.pause(work)));
    return true;
  }

  /** Erases some data of a project. At the end, reclaims the space of this data. @returns true if nothing was left. */
  async erase(project: ProjectNumber): Promise<boolean> {
    const rows = await this.publish(project, ({ connection }) => eraseSome(connection, project));
    this.freedSpace.note(rows);
    // Names are erased last, after imports that were already queued, because rows from such imports refer to names.
    if (rows > 0 || !(await this.writer.eraseNames(project))) return false;
    const quietly = (work: () => Promise<void>) => this.quietly(work);
    await this.publish(project, ({ connection }) => this.freedSpace.reclaim(connection, quietly));
    return true;
  }

  /** Waits for calls in progress, because a connection in use must not be closed. */
  async close(): Promise<void> {
    await this.#calls.close();
    await this.writer.queue.idle();
    this.#database.close();
  }
}

/**
 * The store's session. After a permanent engine failure ({@link StoreBrokenError}), closes the database and tries to
 * open it again. Until this succeeds, all calls fail with `StoreUnavailableError`.
 */
export class ReopeningSession {
  readonly #options: DuckDbOptions;
  /** Undefined while the database is being reopened. */
  #session: Session | undefined;
  #reopenings = 0;
  #reopening: Promise<void> | undefined;
  #isClosed = false;

  private constructor(options: DuckDbOptions, session: Session) {
    this.#options = options;
    this.#session = session;
  }

  /** Opens the database. @throws StoreOpenError as {@link Session.open} does. */
  static async open(options: DuckDbOptions): Promise<ReopeningSession> {
    return new ReopeningSession(options, await Session.open(options));
  }

  /** Undefined while the database is being reopened. */
  get current(): Session | undefined {
    return this.#session;
  }

  /** Number of times the database was reopened. */
  get reopenings(): number {
    return this.#reopenings;
  }

  /** Runs a call of the store in the session. Reopens the database after a permanent failure. */
  async run<T>(what: string, work: (session: Session) => Promise<T>, signal?: AbortSignal): Promise<T> {
    const session = this.#session;
    if (session === undefined) throw new StoreUnavailableError("the database is being reopened");
    try {
      return await session.run(what, () => work(session), signal);
    } catch (error) {
      if (error instanceof StoreBrokenError && session === this.#session && !this.#isClosed) {
        this.#session = undefined;
        this.#options.onFailure?.(error);
        this.#reopening = this.#reopen(session);
      }
      throw error;
    }
  }

  /** Waits for calls in progress, and ends all attempts to reopen the database. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#reopening;
    await this.#session?.close();
  }

  async #reopen(broken: Session): Promise<void> {
    const { onFailure } = this.#options;
    await broken.close().catch((error: unknown) => onFailure?.(error));
    while (!this.#isClosed) {
      try {
        this.#session = await Session.open(this.#options);
        this.#reopenings++;
        return;
      } catch (error) {
        onFailure?.(error);
        await sleep(REOPEN_PAUSE_MS);
      }
    }
  }
}
