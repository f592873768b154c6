import type { DuckDBConnection } from "@duckdb/node-api";
import type { Fence } from "../../control/lease-store.js";
import { ProcessVersions } from "../../control/process/process-versions.js";
import { MAX_WAIT_MS } from "../../limits/limits.js";
import { SerialQueue } from "../../limits/serial-queue.js";
import { type Day, LAST_DAY, startOfDay } from "../../model/day.js";
import type { ExpiredDayQuery, ExpiredProject } from "../../model/expired-days.js";
import type { ListedDays, StaleDayQuery, StaleProject } from "../../model/stale-days.js";
import { StoreBrokenError, StoreDamagedError, StoreUnavailableError } from "../../model/store-error.js";
import type {
  AppQuery,
  AppWithEntries,
  CountsQuery,
  DayEntries,
  EntryColumns,
  EntryQuery,
  GroupColumns,
  HistoryQuery,
  LabelHistory,
  SumQuery,
} from "../delivery-data-store.js";
import type { Appended } from "../message-event-store.js";
import type { AnswerQuery, EntryVersion, KeptAnswer, VersionQuery } from "../mirror-store.js";
import type { StateBlock } from "../state-block.js";
import type { Store } from "../store.js";
import type { StoreFigures } from "../store-figures.js";
import { Database, type DuckDbOptions, toOpenError } from "./database.js";
import { orUnavailable } from "./engine-error.js";
import { keepAnswer, packBody, readAnswers, removeAnswers } from "./mirror/kept-answers.js";
import { keepVersions, readVersions } from "./mirror/kept-versions.js";
import { Pool } from "./pool.js";
import { EntryReader } from "./read/entry-reader.js";
import { readExpiredDays, readExpiredProjects } from "./read/expired-days.js";
import { readFigures } from "./read/figures.js";
import { writeSnapshot } from "./snapshot.js";
import { readSql } from "./sql.js";
import { type NumberedEntries, publishDay } from "./write/day-publication.js";
import { DayRollup } from "./write/day-rollup.js";
import { EventWriter } from "./write/event-writer.js";
import { removeSome } from "./write/expiry.js";
import { FreedSpace } from "./write/freed-space.js";
import { BEFORE_ALL_DAYS, lastSealedDay } from "./write/sealed-days.js";

/**
 * Number of connections that publish days: one for a rollup that takes long, and one for others meanwhile. Concurrent rollups
 * share the same cores and memory.
 */
const PUBLISHERS = 2;

/** Number of readers' queries that run at the same time; more wait. */
const READERS = 4;

/**
 * Number of events, or of appends, from which on a day is merged before it is listed: the merge when it is
 * listed then takes a fraction of a second.
 */
const MAX_UNMERGED_EVENTS = 1_000_000;
const MAX_UNMERGED_APPENDS = 1_000;

const DUE = "day <= $until OR events >= $maxEvents OR appends >= $maxAppends";
const STALE_PROJECTS_SQL = readSql("stale-projects.sql", { DUE });
const STALE_DAYS_SQL = readSql("stale-days.sql", { DUE });

const dueOf = (listed: ListedDays | undefined) => ({
  until: listed?.until ?? LAST_DAY,
  maxEvents: MAX_UNMERGED_EVENTS,
  maxAppends: MAX_UNMERGED_APPENDS,
});

/** The publisher of days: one connection, and the rollup on it. */
interface Publisher {
  readonly connection: DuckDBConnection;
  readonly rollup: DayRollup;
}

/** The embedded store: events and delivery data in one DuckDB file, locked by this process. */
export class DuckDbStore implements Store {
  readonly #database: Database;
  readonly #writer: EventWriter;
  readonly #publishers: Pool<Publisher>;
  /** Publications of each project, one at a time: two of one day would leave entries of both. */
  readonly #publications = new Map<string, SerialQueue>();
  readonly #control: DuckDBConnection;
  readonly #readers: Pool<EntryReader>;
  /** A single item: one snapshot at a time. */
  readonly #snapshots: Pool<DuckDBConnection>;
  readonly #versions = new ProcessVersions();
  readonly #freedSpace = new FreedSpace();
  readonly #underWay = new Set<Promise<unknown>>();
  /** The first damage that a call has found. */
  #damage: StoreDamagedError | undefined;
  #leftLog: Promise<void> | undefined;
  #closed = false;

  private constructor(
    database: Database,
    writer: EventWriter,
    publishers: readonly Publisher[],
    control: DuckDBConnection,
    readers: readonly EntryReader[],
    snapshots: DuckDBConnection,
  ) {
    this.#database = database;
    this.#writer = writer;
    this.#publishers = new Pool(publishers, Number.POSITIVE_INFINITY);
    this.#control = control;
    this.#readers = new Pool(readers, MAX_WAIT_MS);
    this.#snapshots = new Pool([snapshots], Number.POSITIVE_INFINITY);
  }

  /**
   * Opens the store in a data directory, and creates it if missing.
   *
   * @throws StoreOpenError if another process holds the directory, a newer version wrote it, or it is
   * damaged.
   */
  static async open(options: DuckDbOptions): Promise<DuckDbStore> {
    const database = await Database.open(options);
    try {
      const writer = await EventWriter.open(await database.connect(), options.clock, options.nameLimits);
      const readers: EntryReader[] = [];
      for (let i = 0; i < READERS; i++) readers.push(await EntryReader.open(await database.connect()));
      const publishers: Publisher[] = [];
      for (let i = 0; i < PUBLISHERS; i++) {
        const connection = await database.connect();
        publishers.push({ connection, rollup: await DayRollup.open(connection, options.statesAPass) });
      }
      const [control, snapshots] = [await database.connect(), await database.connect()];
      return new DuckDbStore(database, writer, publishers, control, readers, snapshots);
    } catch (error) {
      database.close();
      throw toOpenError(options.directory, error);
    }
  }

  async append(project: string, events: readonly StateBlock[], signal?: AbortSignal): Promise<Appended> {
    this.#refuseIfClosed();
    if (events.every(({ length }) => length === 0)) return { tooLate: 0 };
    return { tooLate: await this.#noteFault(this.#writer.append(project, events, signal)) };
  }

  isEmpty(): Promise<boolean> {
    return this.#unlessClosed("looking for events", async () => {
      const result = await this.#control.runAndReadAll(
        "SELECT 1 FROM partial_states UNION ALL SELECT 1 FROM message_states UNION ALL SELECT 1 FROM counted_days LIMIT 1",
      );
      return result.currentRowCount === 0;
    });
  }

  staleProjects(listed?: ListedDays): Promise<readonly StaleProject[]> {
    return this.#unlessClosed("reading what is to be rolled up", async () => {
      const result = await this.#control.runAndReadAll(STALE_PROJECTS_SQL, {
        ...dueOf(listed),
        since: BigInt(listed?.since ?? 0),
      });
      return result.getRows().map(([project, days, since]) => ({
        project: String(project),
        days: Number(days),
        since: Number(since),
      }));
    });
  }

  staleDays({ project, listed, before = LAST_DAY + 1, limit }: StaleDayQuery): Promise<readonly Day[]> {
    return this.#unlessClosed("reading the days to roll up", async () => {
      const result = await this.#control.runAndReadAll(STALE_DAYS_SQL, {
        ...dueOf(listed),
        project: BigInt(project),
        before,
        limit,
      });
      return result.getRows().map(([day]) => Number(day));
    });
  }

  async rollUp(project: string, days: readonly Day[], _fence?: Fence, signal?: AbortSignal): Promise<number> {
    // After a failure, the engine may already have published any of them.
    let published = days;
    try {
      const done = await this.#unlessClosed(
        "rolling up days",
        () =>
          this.#publish(project, ({ rollup }) =>
            this.#writer.ahead(project, () => rollup.run(project, days, signal)),
          ),
        signal,
      );
      published = days.slice(0, done);
      return done;
    } finally {
      await this.#versions.publish(project, published);
    }
  }

  async publish(project: string, day: Day, entries: readonly DayEntries[]): Promise<void> {
    try {
      await this.#unlessClosed("publishing a day", async () => {
        const batches = await this.#withAppNumbers(project, entries);
        await this.#publish(project, ({ connection }) => publishDay(connection, project, day, batches));
      });
    } finally {
      await this.#versions.publish(project, [day]);
    }
  }

  async seal(until: Day): Promise<void> {
    this.#refuseIfClosed();
    await this.#noteFault(this.#writer.seal(until));
  }

  expiredProjects(entriesUntil = BEFORE_ALL_DAYS): Promise<readonly ExpiredProject[]> {
    return this.#unlessClosed("looking for expired days", () =>
      readExpiredProjects(this.#control, entriesUntil),
    );
  }

  expiredDays(query: ExpiredDayQuery): Promise<readonly Day[]> {
    return this.#unlessClosed("reading the expired days", () => readExpiredDays(this.#control, query));
  }

  async removeExpired(
    project: string,
    days: readonly Day[],
    entriesUntil = BEFORE_ALL_DAYS,
  ): Promise<number> {
    try {
      await this.#removeAnswersBefore(project, days, entriesUntil);
      for (;;) {
        const step = await this.#unlessClosed("removing expired days", () =>
          this.#publish(project, async ({ connection }) => {
            const step = await removeSome(connection, project, days, entriesUntil);
            await this.#freedSpace.removed(connection, step.states, (work) => this.#quietly(work));
            return step;
          }),
        );
        if (!step.goesOn) return step.days;
      }
    } finally {
      this.#writer.noteRemoved(project);
      const changed = days.filter((day) => day <= entriesUntil);
      if (changed.length > 0) await this.#versions.publish(project, changed);
    }
  }

  version(project: string, until: Day): Promise<string> {
    return this.#versions.version(project, until);
  }

  readEntries(query: EntryQuery, signal?: AbortSignal): Promise<readonly EntryColumns[]> {
    return this.#read((reader) => reader.read(query, signal), signal);
  }

  sumEntries(query: SumQuery, signal?: AbortSignal): Promise<readonly GroupColumns[]> {
    return this.#read((reader) => reader.sum(query, signal), signal);
  }

  readHistories(query: HistoryQuery, signal?: AbortSignal): Promise<readonly LabelHistory[]> {
    return this.#read((reader) => reader.readHistories(query, signal), signal);
  }

  digestCounts(query: CountsQuery, signal?: AbortSignal): Promise<string> {
    return this.#read((reader) => reader.digestCounts(query, signal), signal);
  }

  listApps(query: AppQuery, signal?: AbortSignal): Promise<readonly AppWithEntries[]> {
    return this.#read((reader) => reader.listApps(query, signal), signal);
  }

  async keepAnswer(project: string, answer: KeptAnswer): Promise<void> {
    let isKept = false;
    const keep = (packed?: Uint8Array): Promise<void> =>
      this.#write(project, [answer.appId], async (connection, [app = 0]) => {
        isKept = await keepAnswer(connection, project, app, answer, packed);
      });
    await keep();
    // Between two transactions: others need not wait until a large body is packed.
    if (!isKept) await keep(await packBody(answer.body));
  }

  readAnswers(query: AnswerQuery): Promise<readonly KeptAnswer[]> {
    return this.#read((reader) => readAnswers(reader, query), undefined);
  }

  async keepVersions(project: string, versions: readonly EntryVersion[]): Promise<void> {
    if (versions.length === 0) return;
    const appIds = versions.map(({ appId }) => appId);
    await this.#write(project, appIds, (connection, apps) =>
      keepVersions(connection, project, versions, apps),
    );
  }

  readVersions(query: VersionQuery, signal?: AbortSignal): Promise<readonly EntryVersion[]> {
    return this.#read((reader) => readVersions(reader, query, signal), signal);
  }

  async hasImportQuorum(): Promise<boolean> {
    await this.check();
    return true;
  }

  check(): Promise<void> {
    return this.#unlessClosed("asking the store", async () => {
      if (this.#damage !== undefined) throw this.#damage;
      await this.#control.run("SELECT 1");
    });
  }

  figures(): Promise<StoreFigures> {
    return this.#unlessClosed("measuring the store", () => readFigures(this.#control));
  }

  snapshot(directory: string, signal?: AbortSignal): Promise<void> {
    const writing = (connection: DuckDBConnection) => writeSnapshot(connection, directory, signal);
    return this.#unlessClosed("copying the database", () => this.#snapshots.use(writing, signal), signal);
  }

  async close(): Promise<void> {
    this.#closed = true;
    // The engine must not lose a connection that is in use. Writes may begin when other work ends.
    await Promise.allSettled(this.#underWay);
    await this.#writer.idle();
    this.#database.close();
  }

  #publish<T>(project: string, work: (publisher: Publisher) => Promise<T>): Promise<T> {
    let queue = this.#publications.get(project);
    if (queue === undefined) {
      queue = new SerialQueue();
      this.#publications.set(project, queue);
    }
    return queue.run(() => this.#publishers.use(work));
  }

  /**
   * Runs `work` of a publisher while no other connection reads or writes data. Does not wait for the other publisher.
   *
   * @returns false if that one works, and `work` did not run.
   */
  async #quietly(work: () => Promise<void>): Promise<boolean> {
    if (!this.#publishers.hasFree) return false;
    await this.#publishers.use(() => this.#readers.takeAll(() => this.#writer.pause(work)));
    return true;
  }

  /**
   * Removes the answers that came before the last of the days whose entries are about to go: they told nothing about newer
   * days.
   */
  async #removeAnswersBefore(project: string, days: readonly Day[], entriesUntil: Day): Promise<void> {
    const sealedUntil = await this.#unlessClosed("reading the sealed days", () =>
      lastSealedDay(this.#control),
    );
    const going = days.filter((day) => day <= Math.min(entriesUntil, sealedUntil));
    if (going.length === 0) return;
    const before = startOfDay(Math.max(...going));
    await this.#write(project, [], (connection) => removeAnswers(connection, project, before));
  }

  async #withAppNumbers(
    project: string,
    batches: readonly DayEntries[],
  ): Promise<readonly NumberedEntries[]> {
    const names = [...new Set(batches.flatMap(({ appIds }) => appIds))];
    const numbers = await this.#writer.numbersOfApps(project, names);
    const numberOf = new Map(names.map((name, index) => [name, numbers[index] ?? 0]));
    return batches.map((entries) => ({
      entries,
      apps: entries.appIds.map((appId) => numberOf.get(appId) ?? 0),
    }));
  }

  async #write(...write: Parameters<EventWriter["write"]>): Promise<void> {
    this.#refuseIfClosed();
    await this.#noteFault(this.#writer.write(...write));
  }

  #read<T>(work: (reader: EntryReader) => Promise<T>, signal: AbortSignal | undefined): Promise<T> {
    return this.#unlessClosed("reading delivery data", () => this.#readers.use(work, signal), signal);
  }

  async #unlessClosed<T>(what: string, work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    this.#refuseIfClosed();
    const done = orUnavailable(what, work, signal);
    this.#underWay.add(done);
    try {
      return await this.#noteFault(done);
    } finally {
      this.#underWay.delete(done);
    }
  }

  async #noteFault<T>(work: Promise<T>): Promise<T> {
    try {
      return await work;
    } catch (error) {
      if (error instanceof StoreDamagedError) this.#damage ??= error;
      // The engine's memory may differ from its log. An engine that no longer answers writes nothing either.
      if (error instanceof StoreBrokenError) {
        this.#leftLog ??= this.#database.leaveLog().catch(() => {});
        await this.#leftLog;
      }
      throw error;
    }
  }

  #refuseIfClosed(): void {
    if (this.#closed) throw new StoreUnavailableError("the store is closed");
  }
}
