import type { DuckDBConnection } from "@duckdb/node-api";
import type { Fence } from "../../control/lease-store.js";
import { BEFORE_ALL_DAYS, type Day, startOfDay } from "../../model/day.js";
import type {
  ExpiredDayQuery,
  ExpiredProject,
  ListedDays,
  StaleDayQuery,
  StaleProject,
} from "../../model/due-days.js";
import type { ProjectNumber } from "../../model/names.js";
import type {
  AppQuery,
  AppWithEntries,
  CountsQuery,
  EntryColumns,
  EntryQuery,
  GroupColumns,
  HistoryQuery,
  LabelHistory,
  PublishedDay,
  SumQuery,
} from "../delivery-data-store.js";
import type { Appended } from "../message-event-store.js";
import type { EntryVersion, ResponseQuery, StoredResponse, VersionQuery } from "../mirror-store.js";
import type { StateBlock } from "../state-block.js";
import type { Store, StoreFigures } from "../store.js";
import { type DuckDbOptions, hasNoEvents, readFigures } from "./database.js";
import { packBody, readResponses, removeResponses, storeResponse } from "./mirror/kept-responses.js";
import { keepVersions, readVersions } from "./mirror/kept-versions.js";
import type { PreparedStatements } from "./prepared-statements.js";
import { PublishedVersions } from "./published-versions.js";
import { readExpiredDays, readExpiredProjects, readStaleDays, readStaleProjects } from "./read/due-days.js";
import type { EntryReader } from "./read/entry-reader.js";
import { ReopeningSession, type Session } from "./session.js";
import { writeSnapshot } from "./snapshot.js";
import { publishDays } from "./write/day-publication.js";
import { lastSealedDay } from "./write/days.js";
import type { NumberOf } from "./write/dictionary.js";
import { removeSome } from "./write/expiry.js";

/**
 * The embedded store. It stores events and delivery data in one DuckDB file, which this process locks. After a
 * permanent engine failure, it reopens the database ({@link ReopeningSession}).
 */
export class DuckDbStore implements Store {
  readonly #session: ReopeningSession;
  readonly #versions = new PublishedVersions();

  private constructor(session: ReopeningSession) {
    this.#session = session;
  }

  /**
   * Opens the store in a data directory. Creates it on first use.
   *
   * @throws StoreOpenError if the directory is in use by another process, or its database is from a newer version
   *   or damaged.
   */
  static async open(options: DuckDbOptions): Promise<DuckDbStore> {
    return new DuckDbStore(await ReopeningSession.open(options));
  }

  async append(
    project: ProjectNumber,
    events: readonly StateBlock[],
    signal?: AbortSignal,
  ): Promise<Appended> {
    const append = async ({ writer }: Session): Promise<number> =>
      events.every(({ length }) => length === 0) ? 0 : writer.append(project, events, signal);
    return { tooLate: await this.#session.run("storing events", append, signal) };
  }

  isEmpty(): Promise<boolean> {
    return this.#session.run("looking for events", ({ control }) => hasNoEvents(control));
  }

  staleProjects(listed?: ListedDays): Promise<readonly StaleProject[]> {
    return this.#session.run("reading the stale projects", ({ control }) =>
      readStaleProjects(control, listed),
    );
  }

  staleDays(query: StaleDayQuery): Promise<readonly Day[]> {
    return this.#session.run("reading the stale days", ({ control }) => readStaleDays(control, query));
  }

  async rollUp(
    project: ProjectNumber,
    days: readonly Day[],
    _fence?: Fence,
    signal?: AbortSignal,
  ): Promise<number> {
    // If the rollup fails, each of the days may have been published.
    let published = days;
    try {
      const done = await this.#session.run(
        "rolling up days",
        (session) =>
          session.publish(project, ({ rollup }) =>
            session.writer.queue.ahead(project, () => rollup.run(project, days, signal)),
          ),
        signal,
      );
      published = days.slice(0, done);
      return done;
    } finally {
      this.#versions.publish(project, published);
    }
  }

  async publish(project: ProjectNumber, days: readonly PublishedDay[]): Promise<void> {
    try {
      await this.#session.run("publishing days", async (session) => {
        const appIds = new Set<string>();
        for (const batch of days.flatMap(({ entries }) => entries)) {
          for (const appId of batch.appIds) appIds.add(appId);
        }
        const numberOf = await session.writer.write(project, [...appIds], async (_, numberOf) => numberOf);
        await session.publish(project, ({ connection }) => publishDays(connection, project, days, numberOf));
      });
    } finally {
      this.#versions.publish(
        project,
        days.map(({ day }) => day),
      );
    }
  }

  seal(until: Day): Promise<void> {
    return this.#session.run("sealing days", ({ writer }) => writer.seal(until));
  }

  expiredProjects(entriesUntil = BEFORE_ALL_DAYS): Promise<readonly ExpiredProject[]> {
    return this.#session.run("looking for expired days", ({ control }) =>
      readExpiredProjects(control, entriesUntil),
    );
  }

  expiredDays(query: ExpiredDayQuery): Promise<readonly Day[]> {
    return this.#session.run("reading the expired days", ({ control }) => readExpiredDays(control, query));
  }

  async removeExpired(
    project: ProjectNumber,
    days: readonly Day[],
    entriesUntil = BEFORE_ALL_DAYS,
  ): Promise<number> {
    try {
      await this.#removeResponsesBefore(project, days, entriesUntil);
      for (;;) {
        const step = await this.#session.run("removing expired days", (session) =>
          session.publish(project, async ({ connection }) => {
            const step = await removeSome(connection, project, days, entriesUntil);
            await session.freedSpace.removed(connection, step.states, (work) => session.quietly(work));
            return step;
          }),
        );
        if (!step.hasMore) return step.days;
      }
    } finally {
      this.#session.current?.writer.noteRemoved(project);
      const changed = days.filter((day) => day <= entriesUntil);
      if (changed.length > 0) this.#versions.publish(project, changed);
    }
  }

  async erase(project: ProjectNumber): Promise<boolean> {
    try {
      return await this.#session.run("erasing a project", (session) => session.erase(project));
    } finally {
      this.#versions.publish(project, [BEFORE_ALL_DAYS]);
    }
  }

  /** Stays the same while the database is being reopened. The reopened database has a new version. */
  async version(project: ProjectNumber, until: Day): Promise<string> {
    return `${this.#session.reopenings}/${this.#versions.version(project, until)}`;
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

  projectsWithEntries(): Promise<readonly string[]> {
    return this.#read((reader) => reader.projects(), undefined);
  }

  async storeResponse(project: ProjectNumber, response: StoredResponse, isNew = false): Promise<void> {
    const keep = (packed?: Uint8Array): Promise<boolean> =>
      this.#write(project, [response.appId], (statements, numberOf) =>
        storeResponse(statements, project, numberOf, response, packed),
      );
    // The body is compressed outside of a transaction, so that other writes do not wait for it.
    if (isNew || !(await keep())) await keep(response.gzip ?? (await packBody(response.body)));
  }

  readResponses(query: ResponseQuery): Promise<readonly StoredResponse[]> {
    return this.#read((reader) => readResponses(reader, query), undefined);
  }

  async keepVersions(project: ProjectNumber, versions: readonly EntryVersion[]): Promise<void> {
    if (versions.length === 0) return;
    const appIds = versions.map(({ appId }) => appId);
    await this.#write(project, appIds, (statements, numberOf) =>
      keepVersions(statements, project, versions, numberOf),
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
    return this.#session.run("checking the store", (session) => session.check());
  }

  figures(): Promise<StoreFigures> {
    return this.#session.run("measuring the store", ({ control }) => readFigures(control));
  }

  snapshot(directory: string, signal?: AbortSignal): Promise<void> {
    const writing = (connection: DuckDBConnection) => writeSnapshot(connection, directory, signal);
    return this.#session.run(
      "copying the database",
      ({ snapshots }) => snapshots.use(writing, signal),
      signal,
    );
  }

  close(): Promise<void> {
    return this.#session.close();
  }

  /**
   * Removes responses that were received before the last expired day, because they contain no data about later days.
   */
  async #removeResponsesBefore(
    project: ProjectNumber,
    days: readonly Day[],
    entriesUntil: Day,
  ): Promise<void> {
    const sealedUntil = await this.#session.run("reading the sealed days", ({ control }) =>
      lastSealedDay(control),
    );
    const expired = days.filter((day) => day <= Math.min(entriesUntil, sealedUntil));
    if (expired.length === 0) return;
    const before = startOfDay(Math.max(...expired));
    await this.#write(project, [], (statements) => removeResponses(statements, project, before));
  }

  #write<T>(
    project: ProjectNumber,
    appIds: readonly string[],
    work: (statements: PreparedStatements, numberOf: NumberOf) => Promise<T>,
  ): Promise<T> {
    return this.#session.run("storing data", ({ writer }) => writer.write(project, appIds, work));
  }

  #read<T>(work: (reader: EntryReader) => Promise<T>, signal: AbortSignal | undefined): Promise<T> {
    return this.#session.run("reading delivery data", ({ readers }) => readers.use(work, signal), signal);
  }
}
