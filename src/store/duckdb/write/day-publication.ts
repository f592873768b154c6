import { setImmediate as nextTick } from "node:timers/promises";
import type { DuckDBAppender, DuckDBConnection } from "@duckdb/node-api";
import { at } from "../../../model/collections.js";
import type { Day } from "../../../model/day.js";
import type { ProjectNumber } from "../../../model/names.js";
import { COUNTS, type DayEntries, type PublishedDay } from "../../delivery-data-store.js";
import { inTransaction } from "../connection.js";
import { DOUBLE, DuckDBDataChunk, INTEGER, LIST, listValue, VARCHAR } from "../engine.js";
import { OriginalPacker } from "../mirror/packed-original.js";
import { readSql } from "../sql.js";
import { replaceEntries } from "./days.js";
import type { NumberOf } from "./dictionary.js";
import { copyInto } from "./state-rows.js";

/** Number of rows in a data chunk. It is the engine's vector size. */
const CHUNK_ROWS = 2048;
const COUNT_TYPES = COUNTS.map(() => DOUBLE);
/**
 * Types of the columns in {@link DRAFT_SQL}. `form` is a position in a list of forms, because many entries have the same
 * form. Entries without originals have the form 0 and the time -1. Counts and times are doubles, which are exact up to
 * 2⁵³ and can be copied without conversion.
 */
const DRAFT_TYPES = [INTEGER, INTEGER, INTEGER, DOUBLE, ...COUNT_TYPES, VARCHAR, VARCHAR];
const DRAFT_SQL = `CREATE OR REPLACE TEMP TABLE draft (
  day INTEGER, app INTEGER, form INTEGER, fetched_at DOUBLE, ${COUNTS.map((name) => `${name} DOUBLE`).join(", ")},
  label VARCHAR, figures VARCHAR)`;
const PUBLISH_SQL = readSql("write/publish.sql", {
  COLUMNS: COUNTS.map((name) => `${name}::BIGINT AS ${name}`).join(",\n  "),
});

/** Replaces all entries of days in one transaction. @param days distinct days, at least one. */
export function publishDays(
  connection: DuckDBConnection,
  project: ProjectNumber,
  days: readonly PublishedDay[],
  numberOf: NumberOf,
): Promise<void> {
  const replaced = days.map(({ day }) => day);
  return inTransaction(connection, () =>
    replaceEntries(connection, project, replaced, async () => {
      await connection.run(DRAFT_SQL);
      const forms = await appendDraft(connection, days, numberOf);
      await connection.run(
        PUBLISH_SQL,
        { project: BigInt(project), forms: listValue(forms) },
        { forms: LIST(VARCHAR) },
      );
      await connection.run("DROP TABLE draft");
    }),
  );
}

/** Appends all entries of days to the draft. @returns all forms of originals. */
async function appendDraft(
  connection: DuckDBConnection,
  days: readonly PublishedDay[],
  numberOf: NumberOf,
): Promise<readonly string[]> {
  const appender = await connection.createAppender("draft");
  const draft = new Draft(appender, numberOf);
  try {
    for (const { day, entries } of days) {
      for (const batch of entries) {
        for (let start = 0; start < batch.length; start += CHUNK_ROWS) {
          draft.append(day, batch, start);
          // Lets other work of this thread run in between.
          await nextTick();
        }
      }
    }
    appender.closeSync();
  } catch (error) {
    // Rows that were not written must not get into another transaction.
    appender.clear();
    throw error;
  }
  return draft.forms;
}

/** Appends entries to the draft. */
class Draft {
  readonly #appender: DuckDBAppender;
  readonly #numberOf: NumberOf;
  readonly #packer = new OriginalPacker();
  readonly #positions = new Map<string, number>();

  constructor(appender: DuckDBAppender, numberOf: NumberOf) {
    this.#appender = appender;
    this.#numberOf = numberOf;
  }

  /** Forms of the appended originals. */
  get forms(): readonly string[] {
    return [...this.#positions.keys()];
  }

  /** Appends up to {@link CHUNK_ROWS} entries of a batch, starting at index `start`. */
  append(
    day: Day,
    { length, appIds, labels, counts, originals, fetchedAt }: DayEntries,
    start: number,
  ): void {
    const rows = Math.min(CHUNK_ROWS, length - start);
    const end = start + rows;
    const apps = new Int32Array(rows);
    const forms = new Int32Array(rows);
    const times = new Float64Array(rows).fill(-1);
    const figures: (string | null)[] = [];
    for (let row = 0; row < rows; row++) {
      const appId = at(appIds, start + row);
      apps[row] = this.#numberOf(appId);
      if (fetchedAt !== undefined) times[row] = at(fetchedAt, start + row);
      const original = originals?.[start + row];
      const packed =
        original === undefined ? undefined : this.#packer.pack(original, appId, at(labels, start + row));
      if (packed !== undefined) forms[row] = this.#positionOf(packed.form);
      figures.push(packed?.figures ?? null);
    }
    const chunk = DuckDBDataChunk.create(DRAFT_TYPES, rows);
    const numbers = [
      new Int32Array(rows).fill(day),
      apps,
      forms,
      times,
      ...counts.map((column) => column.subarray(start, end)),
    ];
    for (const [index, column] of numbers.entries()) copyInto(chunk, index, column);
    chunk.setColumnValues(numbers.length, labels.slice(start, end));
    chunk.setColumnValues(numbers.length + 1, figures);
    this.#appender.appendDataChunk(chunk);
  }

  /** Returns a form's position in {@link forms}, starting with 1. */
  #positionOf(form: string): number {
    let position = this.#positions.get(form);
    if (position === undefined) {
      position = this.#positions.size + 1;
      this.#positions.set(form, position);
    }
    return position;
  }
}
