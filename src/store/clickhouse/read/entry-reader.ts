import { setImmediate as nextTurn } from "node:timers/promises";
import type { DayLedger, DayVersion } from "../../../control/day-ledger.js";
import { TooManyGroupsError } from "../../../model/store-error.js";
import type {
  AppQuery,
  AppWithEntries,
  CountsQuery,
  EntryColumns,
  EntryQuery,
  GroupColumns,
  HistoryQuery,
  LabelHistory,
  SumQuery,
} from "../../delivery-data-store.js";
import type { Connection, Settings } from "../connection.js";
import { isTooManyRows } from "../engine-error.js";
import { integerLiteral, textLiteral } from "../literals.js";
import { RowReader } from "../row-binary.js";
import { type Place, sqlTemplate } from "../tables.js";
import { ALL_APPS, columnsOf, ONE_APP, readRows } from "./entry-columns.js";
import {
  afterCondition,
  COUNT_COLUMNS,
  historyColumn,
  ORIGINAL_COLUMNS,
  SUM_COLUMNS,
  selectionWords,
  WITHOUT_COUNTS_COLUMN,
} from "./entry-statement.js";
import { originalsOf } from "./originals-of.js";

/** Number of days that a page asks for first; each further statement asks for twice as many. */
const DAYS_AT_FIRST = 32;
/** Maximum number of days in a statement for a page. */
const MAX_DAYS = 4_096;

/** Number of histories that are read from a result in one turn of the event loop, which takes about a millisecond. */
const HISTORIES_AT_ONCE = 100;

/** Reads published delivery data. */
export class EntryReader {
  readonly #connection: Connection;
  readonly #ledger: DayLedger;
  readonly #settings: Settings;
  readonly #sql;

  constructor(connection: Connection, ledger: DayLedger, place: Place, settings: Settings) {
    this.#connection = connection;
    this.#ledger = ledger;
    this.#settings = settings;
    this.#sql = {
      entries: sqlTemplate("entries.sql", place),
      originals: sqlTemplate("originals.sql", place),
      sums: sqlTemplate("sums.sql", place),
      histories: sqlTemplate("histories.sql", place),
      digest: sqlTemplate("digest.sql", place),
      apps: sqlTemplate("apps.sql", place),
      check: sqlTemplate("check.sql", place),
    };
  }

  async read(query: EntryQuery, signal?: AbortSignal): Promise<readonly EntryColumns[]> {
    const { project, until, after, limit } = query;
    const published = await this.#ledger.published(project, Math.min(until, after?.day ?? until));
    const batches: EntryColumns[] = [];
    let missing = limit;
    // Newest days first: most pages end within the first of them, and the engine need not look at the others.
    for (let start = 0, days = DAYS_AT_FIRST; start < published.length && missing > 0; ) {
      const batch = await this.#readDays(query, published.slice(start, start + days), missing, signal);
      batches.push(batch);
      missing -= batch.length;
      start += days;
      days = Math.min(2 * days, MAX_DAYS);
    }
    return batches;
  }

  async sum(query: SumQuery, signal?: AbortSignal): Promise<readonly GroupColumns[]> {
    const { project, until, groupBy, limit, originals = false } = query;
    const published = await this.#ledger.published(project, until);
    if (published.length === 0) return [];
    const dimensions = (["day", "app", "label"] as const).filter((dimension) => groupBy.has(dimension));
    const order = dimensions.map((dimension) => (dimension === "day" ? "day DESC" : dimension));
    const sql = this.#sql.sums({
      ...selectionWords(query, published),
      COLUMNS: columnsOf(groupBy, originals ? `${SUM_COLUMNS}, ${WITHOUT_COUNTS_COLUMN}` : SUM_COLUMNS),
      GROUP_BY: dimensions.length === 0 ? "" : `GROUP BY ${dimensions.join(", ")}`,
      ORDER_BY: dimensions.length === 0 ? "" : `ORDER BY ${order.join(", ")}`,
      LIMIT: integerLiteral(limit + 1),
    });
    // Ends the statement at once instead of making all groups only to discard all but a few.
    const bound = { max_rows_to_group_by: limit, group_by_overflow_mode: "throw" };
    const rows = await this.#rowsOf(sql, signal, dimensions.length === 0 ? {} : bound);
    const { length, days, apps, labels, counts, further } = readRows(rows, groupBy, originals ? 1 : 0);
    const [withoutCounts] = further;
    if (length > limit) throw new TooManyGroupsError();
    if (length === 0) return [];
    return [
      {
        length,
        ...(groupBy.has("day") && { days }),
        ...(groupBy.has("app") && { appIds: apps }),
        ...(groupBy.has("label") && { labels }),
        counts,
        ...(withoutCounts !== undefined && { withoutCounts }),
      },
    ];
  }

  async readHistories(query: HistoryQuery, signal?: AbortSignal): Promise<readonly LabelHistory[]> {
    const { labels, counts } = query;
    const published = await this.#publishedOf(query);
    if (published.length === 0) return [];
    const sql = this.#sql.histories({
      ...selectionWords(query, published),
      LABELS: integerLiteral(labels),
      COLUMNS: counts.map(historyColumn).join(", "),
    });
    const rows = await this.#rowsOf(sql, signal);
    const histories: LabelHistory[] = [];
    while (!rows.isAtEnd) {
      histories.push({
        label: rows.text(),
        days: rows.int32s(),
        counts: counts.map(() => rows.float64s()),
      });
      if (histories.length % HISTORIES_AT_ONCE === 0) {
        await nextTurn();
        signal?.throwIfAborted();
      }
    }
    return histories;
  }

  async digestCounts(query: CountsQuery, signal?: AbortSignal): Promise<string> {
    const published = await this.#publishedOf(query);
    if (published.length === 0) return "";
    const sql = this.#sql.digest({ ...selectionWords(query, published), COLUMNS: query.counts.join(", ") });
    return (await this.#rowsOf(sql, signal)).text();
  }

  async listApps(
    { project, until, after = "", limit }: AppQuery,
    signal?: AbortSignal,
  ): Promise<readonly AppWithEntries[]> {
    const published = await this.#ledger.published(project, until);
    if (published.length === 0) return [];
    const words = selectionWords({ project, until }, published);
    const sql = this.#sql.apps({ ...words, AFTER: textLiteral(after), LIMIT: integerLiteral(limit) });
    const rows = await this.#rowsOf(sql, signal);
    const apps: AppWithEntries[] = [];
    while (!rows.isAtEnd) apps.push({ appId: rows.text(), firstDay: rows.int32(), lastDay: rows.int32() });
    return apps;
  }

  /** @throws the engine's error unless every shard answers. */
  async check(): Promise<void> {
    await this.#connection.read(this.#sql.check(), this.#settings);
  }

  async #publishedOf({ project, since, until }: CountsQuery): Promise<readonly DayVersion[]> {
    return (await this.#ledger.published(project, until)).filter(({ day }) => day >= since);
  }

  async #readDays(
    query: EntryQuery,
    published: readonly DayVersion[],
    limit: number,
    signal: AbortSignal | undefined,
  ): Promise<EntryColumns> {
    const { appId, after, originals = false } = query;
    const isOfOneApp = appId !== undefined;
    const dimensions = isOfOneApp ? ONE_APP : ALL_APPS;
    const words = {
      ...selectionWords(query, published),
      AFTER: afterCondition(after, isOfOneApp),
      ORDER: isOfOneApp ? "day DESC, label" : "day DESC, app, label",
      LIMIT: integerLiteral(limit),
    };
    const entries = this.#sql.entries({ ...words, COLUMNS: columnsOf(dimensions, COUNT_COLUMNS) });
    const [rows, rowsOfOriginals] = await Promise.all([
      this.#rowsOf(entries, signal),
      originals &&
        this.#rowsOf(
          this.#sql.originals({ ...words, COLUMNS: columnsOf(dimensions, ORIGINAL_COLUMNS) }),
          signal,
        ),
    ]);
    const { length, days, labels, counts, apps } = readRows(rows, dimensions);
    const columns = {
      length,
      days,
      labels,
      counts,
      appIds: isOfOneApp ? new Array<string>(length).fill(appId) : apps,
    };
    return rowsOfOriginals ? { ...columns, ...originalsOf(columns, rowsOfOriginals, isOfOneApp) } : columns;
  }

  async #rowsOf(sql: string, signal: AbortSignal | undefined, settings: Settings = {}): Promise<RowReader> {
    try {
      return new RowReader(await this.#connection.read(sql, { ...this.#settings, ...settings }, signal));
    } catch (error) {
      throw isTooManyRows(error) ? new TooManyGroupsError() : error;
    }
  }
}
