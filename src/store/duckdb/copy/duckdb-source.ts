import type { DuckDBConnection, DuckDBDataChunk } from "@duckdb/node-api";
import { at } from "../../../model/collections.js";
import { BEFORE_ALL_DAYS, type Day, LAST_DAY } from "../../../model/day.js";
import type { ProjectNumber } from "../../../model/names.js";
import type { EntryColumns, EntryPosition, GroupColumns } from "../../delivery-data-store.js";
import type { EntryVersion, StoredResponse } from "../../mirror-store.js";
import { NameList, NONE, type StateColumns } from "../../state-block.js";
import { Database } from "../database.js";
import { EntryReader } from "../read/entry-reader.js";
import { readSql, sqlTemplate } from "../sql.js";
import { daysCondition, keyRanges, lastSealedDay } from "../write/days.js";
import { type KeptByMirror, readKeptByMirrors, streamResponses, streamVersions } from "./kept-by-mirrors.js";

const STORED_DAYS_SQL = readSql("copy/stored-days.sql");
const STATES_SQL = sqlTemplate("copy/states.sql");
const MESSAGES_OF_DAY_SQL = sqlTemplate("copy/messages-of-day.sql");

const MEMORY_LIMIT = "640MB";
/** Maximum number of states to count together. It limits memory use for days of any size. */
const STATES_A_PASS = 2_000_000;
const ENTRIES_A_PAGE = 50_000;
/** Maximum number of days to sum. No store has as many. */
const MAX_DAYS = 10_000_000;

/** Data of one day in a project. */
export interface StoredDay {
  readonly project: ProjectNumber;
  readonly day: Day;
  /** Number of states. A message may have several. */
  readonly states: number;
  /** Number of events that are not rolled up yet, and time at which the oldest of them was stored. */
  readonly waitingEvents: number;
  readonly waitingSince: number;
  /** True if a rollup computed the entries. */
  readonly isCounted: boolean;
  readonly entries: number;
}

/** Reads all data of a stopped server, in order to copy it. Does not write into the directory. */
export class DuckDbSource {
  readonly #database: Database;
  /** A second connection, which streams rows while the first one reads. */
  readonly #rows: DuckDBConnection;
  readonly #others: DuckDBConnection;
  readonly #entries: EntryReader;

  private constructor(
    database: Database,
    rows: DuckDBConnection,
    others: DuckDBConnection,
    entries: EntryReader,
  ) {
    this.#database = database;
    this.#rows = rows;
    this.#others = others;
    this.#entries = entries;
  }

  /** @throws StoreOpenError if the database does not exist, is in use, or is from another version. */
  static async open(directory: string): Promise<DuckDbSource> {
    const database = await Database.openToRead(directory, MEMORY_LIMIT);
    try {
      const [rows, others] = [await database.connect(), await database.connect()];
      return new DuckDbSource(database, rows, others, await EntryReader.open(others));
    } catch (error) {
      database.close();
      throw error;
    }
  }

  /** Lists all days with data, by project, oldest first. */
  async days(): Promise<readonly StoredDay[]> {
    const result = await this.#others.runAndReadAll(STORED_DAYS_SQL);
    return result.getRows().map(([project, day, states, waitingEvents, since, isCounted, entries]) => ({
      project: String(project),
      day: Number(day),
      states: Number(states),
      waitingEvents: Number(waitingEvents),
      waitingSince: Number(since),
      isCounted: isCounted === true,
      entries: Number(entries),
    }));
  }

  /** Returns the last sealed day, or `undefined` if no day is sealed. */
  async sealedUntil(): Promise<Day | undefined> {
    const last = await lastSealedDay(this.#others);
    return last === BEFORE_ALL_DAYS ? undefined : last;
  }

  /** Reads all states of days, including those that are not rolled up yet. */
  async *states(project: ProjectNumber, days: readonly Day[]): AsyncGenerator<StateColumns> {
    const { sql, parameters } = daysCondition(project, days);
    const result = await this.#rows.stream(STATES_SQL({ DAYS: sql }), parameters);
    for (;;) {
      const chunk = await result.fetchChunk();
      if (chunk === null || chunk.rowCount === 0) return;
      yield stateColumns(chunk);
    }
  }

  /** Reads a project's entries from day `first` to day `last`. */
  async *entries(project: ProjectNumber, first: Day, last: Day): AsyncGenerator<EntryColumns> {
    const filter = { kind: "day", comparison: ">=", day: first } as const;
    for (let after: EntryPosition | undefined; ; ) {
      const page = await this.#entries.read({
        project,
        until: last,
        filter,
        ...(after !== undefined && { after }),
        limit: ENTRIES_A_PAGE,
        originals: true,
      });
      yield* page;
      if (page.reduce((sum, { length }) => sum + length, 0) < ENTRIES_A_PAGE) return;
      after = lastOf(page);
    }
  }

  /** Lists projects with mirrored responses or entry versions. */
  mirrors(): Promise<readonly KeptByMirror[]> {
    return readKeptByMirrors(this.#others);
  }

  versions(project: ProjectNumber): AsyncGenerator<readonly EntryVersion[]> {
    return streamVersions(this.#rows, project);
  }

  responses(project: ProjectNumber): AsyncGenerator<readonly StoredResponse[]> {
    return streamResponses(this.#rows, this.#entries, project);
  }

  /** Counts all messages on one day. */
  async messagesOf({ project, day, states }: StoredDay): Promise<number> {
    const { sql, parameters } = daysCondition(project, [day]);
    let messages = 0;
    for (const range of keyRanges(states, STATES_A_PASS)) {
      const result = await this.#others.runAndReadAll(MESSAGES_OF_DAY_SQL({ DAYS: sql }), {
        ...parameters,
        ...range,
      });
      messages += Number(result.getRows()[0]?.[0]);
    }
    return messages;
  }

  /** Sums a project's entries by day. */
  sums(project: ProjectNumber): Promise<readonly GroupColumns[]> {
    return this.#entries.sum({ project, until: LAST_DAY, groupBy: new Set(["day"]), limit: MAX_DAYS });
  }

  close(): void {
    this.#database.close();
  }
}

function stateColumns(chunk: DuckDBDataChunk): StateColumns {
  const column = <T>(index: number): T[] => chunk.getColumnValues(index) as T[];
  const words = (index: number) => new Uint32Array(BigUint64Array.from(column<bigint>(index)).buffer);
  const orNone = (index: number) => Uint32Array.from(column<number | null>(index), (value) => value ?? NONE);
  const [apps, labels] = [new NameList(), new NameList([""])];
  return {
    length: chunk.rowCount,
    day: Int32Array.from(column<number>(0)),
    app: Int32Array.from(column<string>(1), (name) => apps.indexOf(name)),
    apps: apps.names,
    keyHigh: words(2),
    keyLow: words(3),
    acceptedAt: orNone(4),
    label: Int32Array.from(column<string>(5), (name) => labels.indexOf(name)),
    labels: labels.names,
    notification: Uint8Array.from(column<boolean>(6), Number),
    outcome: orNone(7),
    proxy: orNone(8),
    seen: Uint32Array.from(column<number>(9)),
  };
}

function lastOf(page: readonly EntryColumns[]): EntryPosition | undefined {
  const batch = page.findLast(({ length }) => length > 0);
  if (batch === undefined) return undefined;
  const last = batch.length - 1;
  return { day: at(batch.days, last), appId: at(batch.appIds, last), label: at(batch.labels, last) };
}
