import type { DuckDBConnection, DuckDBDataChunk } from "@duckdb/node-api";
import { at } from "../../../model/collections.js";
import type { ProjectNumber } from "../../../model/names.js";
import { TooManyGroupsError } from "../../../model/store-error.js";
import {
  type AppQuery,
  type AppWithEntries,
  COUNTS,
  type CountName,
  type CountsQuery,
  type EntryColumns,
  type EntryQuery,
  type EntrySelection,
  type GroupColumns,
  type HistoryQuery,
  type LabelHistory,
  type OriginalColumns,
  type SumQuery,
} from "../../delivery-data-store.js";
import { interruptible } from "../connection.js";
import { unpackOriginal } from "../mirror/packed-original.js";
import { PreparedStatements } from "../prepared-statements.js";
import { readSql } from "../sql.js";
import { HistorySorter } from "./history-sorter.js";
import {
  digestStatement,
  ENTRIES_SQL,
  entryStatement,
  groupEstimateStatement,
  historyStatement,
  ORIGINAL_COLUMNS,
  type Statement,
  sumStatement,
} from "./statements.js";

/**
 * Factor for estimated numbers of groups. Because estimates are rough, a query is rejected only if the estimate exceeds
 * the limit by this factor.
 */
const SURELY_TOO_MANY = 4;

const APPS_SQL = readSql("read/apps.sql");
const APP_NUMBER_SQL = "SELECT id FROM apps WHERE project = $project AND name = $name";

/**
 * Returns an app's number if it is cached: 0 if the app has no number, `undefined` if the project's numbers are not
 * cached.
 */
export type CachedNumberOf = (project: ProjectNumber, appId: string) => number | undefined;

/** Reads delivery data on one connection, one query at a time. When a signal aborts, its query is interrupted. */
export class EntryReader {
  readonly #connection: DuckDBConnection;
  readonly #statements: PreparedStatements;
  readonly #cachedNumberOf: CachedNumberOf;

  private constructor(connection: DuckDBConnection, cachedNumberOf: CachedNumberOf) {
    this.#connection = connection;
    this.#statements = new PreparedStatements(connection);
    this.#cachedNumberOf = cachedNumberOf;
  }

  /** @param cachedNumberOf omitted if no numbers are cached. */
  static async open(
    connection: DuckDBConnection,
    cachedNumberOf: CachedNumberOf = () => undefined,
  ): Promise<EntryReader> {
    const reader = new EntryReader(connection, cachedNumberOf);
    await reader.#statements.prepare(ENTRIES_SQL);
    return reader;
  }

  async read(query: EntryQuery, signal?: AbortSignal): Promise<readonly EntryColumns[]> {
    const chunks = await this.run(entryStatement(query, await this.#numberIn(query, signal)), signal);
    return chunks.map((chunk) => entryColumns(chunk, query));
  }

  async sum(query: SumQuery, signal?: AbortSignal): Promise<readonly GroupColumns[]> {
    const { limit } = query;
    const app = await this.#numberIn(query, signal);
    // Millions of groups would use up the engine's memory before they are discarded. The number of days is always
    // small.
    if (query.groupBy.has("label") || query.groupBy.has("app")) {
      const [estimate] = await this.run(groupEstimateStatement(query, app), signal);
      if (Number(estimate?.getRows()[0]?.[0]) > SURELY_TOO_MANY * limit) throw new TooManyGroupsError();
    }
    const chunks = await this.run(sumStatement(query, app, limit + 1), signal);
    if (chunks.reduce((sum, { rowCount }) => sum + rowCount, 0) > limit) throw new TooManyGroupsError();
    return chunks.map((chunk) => ({
      length: chunk.rowCount,
      ...(query.groupBy.has("day") && { days: chunk.getColumnValues(0) as number[] }),
      ...(query.groupBy.has("app") && { appIds: chunk.getColumnValues(1) as string[] }),
      ...(query.groupBy.has("label") && { labels: chunk.getColumnValues(2) as string[] }),
      counts: countColumns(chunk, 3),
      ...(query.originals === true && { withoutCounts: doubleColumn(chunk, 3 + COUNTS.length) }),
    }));
  }

  async readHistories(query: HistoryQuery, signal?: AbortSignal): Promise<readonly LabelHistory[]> {
    const { sql, parameters } = historyStatement(
      query,
      await this.numberOf(query.project, query.appId, signal),
    );
    return interruptible(this.#connection, signal, async () => {
      const statement = await this.#statements.prepare(sql);
      statement.bind(parameters);
      // Streaming keeps the event loop responsive, and avoids a second copy of the result.
      const result = await statement.stream();
      let sorter: HistorySorter | undefined;
      for (;;) {
        const chunk = await result.fetchChunk();
        if (chunk === null || chunk.rowCount === 0) return sorter?.finish() ?? [];
        sorter ??= new HistorySorter(at(integerColumn(chunk, 0), 0), query.counts.length);
        const labels = chunk.getColumnVector(2);
        const labelOf = (row: number): string => String(labels.getItem(row));
        sorter.add(
          integerColumn(chunk, 1),
          labelOf,
          integerColumn(chunk, 3),
          countColumns(chunk, 4, query.counts),
        );
      }
    });
  }

  async digestCounts(query: CountsQuery, signal?: AbortSignal): Promise<string> {
    const app = await this.numberOf(query.project, query.appId, signal);
    const [chunk] = await this.run(digestStatement(query, app), signal);
    return String(chunk?.getRows()[0]?.[0]);
  }

  async listApps(
    { project, until, after = "", limit }: AppQuery,
    signal?: AbortSignal,
  ): Promise<readonly AppWithEntries[]> {
    const parameters = { project: BigInt(project), until, after, limit };
    const chunks = await this.run({ sql: APPS_SQL, parameters }, signal);
    return chunks.flatMap((chunk) =>
      chunk.getRows().map(([appId, firstDay, lastDay]) => ({
        appId: String(appId),
        firstDay: Number(firstDay),
        lastDay: Number(lastDay),
      })),
    );
  }

  /** Lists the projects that have app names: every entry has one. */
  async projects(): Promise<readonly string[]> {
    // Not prepared: a plan for an empty table would stay empty.
    const result = await this.#connection.runAndReadAll("SELECT DISTINCT project FROM apps");
    return result.getRows().map(([project]) => String(project));
  }

  /** Returns an app's number in the database, or 0, which no row has, if the app has none. */
  async numberOf(project: ProjectNumber, appId: string, signal?: AbortSignal): Promise<number> {
    const cached = this.#cachedNumberOf(project, appId);
    if (cached !== undefined) return cached;
    const parameters = { project: BigInt(project), name: appId };
    const [chunk] = await this.run({ sql: APP_NUMBER_SQL, parameters }, signal);
    return Number(chunk?.getRows()[0]?.[0] ?? 0);
  }

  #numberIn({ project, appId }: EntrySelection, signal?: AbortSignal): Promise<number> | undefined {
    return appId === undefined ? undefined : this.numberOf(project, appId, signal);
  }

  run({ sql, parameters }: Statement, signal?: AbortSignal): Promise<DuckDBDataChunk[]> {
    return interruptible(this.#connection, signal, async () => {
      const result = await this.#statements.run(sql, parameters);
      // Copying a chunk needs less time than two changes of threads.
      return Array.from({ length: result.chunkCount }, (_, index) => result.getChunk(index));
    });
  }
}

function entryColumns(chunk: DuckDBDataChunk, { appId, originals = false }: EntryQuery): EntryColumns {
  const length = chunk.rowCount;
  const afterCounts = COUNTS.length + 2;
  const appIds =
    appId === undefined
      ? (chunk.getColumnValues(afterCounts + (originals ? ORIGINAL_COLUMNS.length : 0)) as string[])
      : new Array<string>(length).fill(appId);
  const labels = chunk.getColumnValues(1) as string[];
  return {
    length,
    days: chunk.getColumnValues(0) as number[],
    appIds,
    labels,
    counts: countColumns(chunk, 2),
    ...(originals && originalColumns(chunk, afterCounts, appIds, labels)),
  };
}

/** Reads originals from three columns, starting at `first`. Returns none if a row has no original. */
function originalColumns(
  chunk: DuckDBDataChunk,
  first: number,
  appIds: readonly string[],
  labels: readonly string[],
): OriginalColumns {
  const forms = chunk.getColumnValues(first) as (string | null)[];
  const figures = chunk.getColumnValues(first + 1) as (string | null)[];
  const originals: string[] = [];
  for (const [row, form] of forms.entries()) {
    if (form === null) return {};
    originals.push(unpackOriginal({ form, figures: at(figures, row) }, at(appIds, row), at(labels, row)));
  }
  return { originals, fetchedAt: doubleColumn(chunk, first + 2) };
}

function integerColumn(chunk: DuckDBDataChunk, index: number): Int32Array {
  const vector = chunk.getColumnVector(index);
  if ("items" in vector && vector.items instanceof Int32Array) return vector.items;
  throw new Error(`column ${index} does not contain integers`);
}

/** Reads count columns, starting at `first`. */
function countColumns(
  chunk: DuckDBDataChunk,
  first: number,
  names: readonly CountName[] = COUNTS,
): readonly Float64Array[] {
  return names.map((_, index) => doubleColumn(chunk, first + index));
}

function doubleColumn(chunk: DuckDBDataChunk, index: number): Float64Array {
  const vector = chunk.getColumnVector(index);
  if ("items" in vector && vector.items instanceof Float64Array) return vector.items;
  throw new Error(`column ${index} does not contain doubles`);
}
