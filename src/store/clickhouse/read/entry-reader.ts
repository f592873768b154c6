import { setImmediate as nextTick } from "node:timers/promises";
import type { DayLedger, DayVersion } from "../../../control/day-ledger.js";
import { TooManyGroupsError } from "../../../model/store-error.js";
import type {
  AppQuery,
  AppWithEntries,
  CountsQuery,
  Dimension,
  EntryColumns,
  EntryQuery,
  GroupColumns,
  HistoryQuery,
  LabelHistory,
  SumQuery,
} from "../../delivery-data-store.js";
import type { Connection, Settings } from "../connection.js";
import { isTooManyRows } from "../engine-error.js";
import { columnsOf, readRows } from "../entry-rows.js";
import { integerLiteral, textLiteral } from "../literals.js";
import type { Tables } from "../open-tables.js";
import { RowReader } from "../row-binary.js";
import { sqlTemplate } from "../tables.js";
import {
  afterCondition,
  COUNT_COLUMNS,
  historyColumn,
  SUM_COLUMNS,
  selectionWords,
  WITHOUT_COUNTS_COLUMN,
} from "./entry-statement.js";

/** Dimensions of lists with one app, and of lists with all apps. */
const ONE_APP: ReadonlySet<Dimension> = new Set(["day", "label"]);
const ALL_APPS: ReadonlySet<Dimension> = new Set(["day", "label", "app"]);

/**
 * Number of days that the first statement for a page reads. Each further statement reads twice as many as the previous
 * one.
 */
const DAYS_AT_FIRST = 32;
/** Maximum number of days per statement for a page. */
const MAX_DAYS = 4_096;

/** Number of histories to read in one event loop tick. They need about a millisecond. */
const HISTORIES_AT_ONCE = 100;

/** Reads published delivery data. */
export class EntryReader {
  readonly #connection: Connection;
  readonly #ledger: DayLedger;
  readonly #settings: Settings;
  readonly #sql;

  constructor({ connection, place, settings }: Tables, ledger: DayLedger) {
    this.#connection = connection;
    this.#ledger = ledger;
    this.#settings = settings.queries;
    this.#sql = {
      entries: sqlTemplate("read/entries.sql", place),
      sums: sqlTemplate("read/sums.sql", place),
      histories: sqlTemplate("read/histories.sql", place),
      digest: sqlTemplate("read/digest.sql", place),
      apps: sqlTemplate("read/apps.sql", place),
    };
  }

  async read(query: EntryQuery, signal?: AbortSignal): Promise<readonly EntryColumns[]> {
    const { project, until, after, limit } = query;
    const published = await this.#ledger.published(project, Math.min(until, after?.day ?? until));
    const batches: EntryColumns[] = [];
    let missing = limit;
    // Usually, a page ends within its first days, so that the engine need not read the other days.
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
    const further = originals ? WITHOUT_COUNTS_COLUMN : undefined;
    const form = { dimensions: groupBy, counts: SUM_COLUMNS, further };
    const sql = this.#sql.sums({
      ...selectionWords(query, published),
      COLUMNS: columnsOf(form),
      GROUP_BY: dimensions.length === 0 ? "" : `GROUP BY ${dimensions.join(", ")}`,
      ORDER_BY: dimensions.length === 0 ? "" : `ORDER BY ${order.join(", ")}`,
      LIMIT: integerLiteral(limit + 1),
    });
    // Stops the statement when it has too many groups, instead of computing all of them and discarding the result.
    const bound = { max_rows_to_group_by: limit, group_by_overflow_mode: "throw" };
    const rows = await this.#rowsOf(sql, signal, dimensions.length === 0 ? {} : bound);
    const { length, days, apps, labels, counts, further: withoutCounts } = readRows(rows, form);
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
        await nextTick();
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
    const form = { dimensions: isOfOneApp ? ONE_APP : ALL_APPS, counts: COUNT_COLUMNS, originals };
    const sql = this.#sql.entries({
      ...selectionWords(query, published),
      COLUMNS: columnsOf(form),
      AFTER: afterCondition(after, isOfOneApp),
      ORDER: isOfOneApp ? "day DESC, label" : "day DESC, app, label",
      LIMIT: integerLiteral(limit),
    });
    const { apps, further, ...columns } = readRows(await this.#rowsOf(sql, signal), form);
    return { ...columns, appIds: isOfOneApp ? new Array<string>(columns.length).fill(appId) : apps };
  }

  async #rowsOf(sql: string, signal: AbortSignal | undefined, settings: Settings = {}): Promise<RowReader> {
    try {
      return new RowReader(await this.#connection.read(sql, { ...this.#settings, ...settings }, signal));
    } catch (error) {
      throw isTooManyRows(error) ? new TooManyGroupsError() : error;
    }
  }
}
