import { setImmediate as nextTick } from "node:timers/promises";
import type { DuckDBAppender, DuckDBConnection } from "@duckdb/node-api";
import { at } from "../../../model/collections.js";
import type { Day } from "../../../model/day.js";
import type { ProjectNumber } from "../../../model/names.js";
import { COUNTS, type DayEntries } from "../../delivery-data-store.js";
import { inTransaction } from "../connection.js";
import { DOUBLE, DuckDBDataChunk, INTEGER, VARCHAR } from "../engine.js";
import { OriginalPacker } from "../mirror/packed-original.js";
import { readSql } from "../sql.js";
import { replaceEntries } from "./days.js";
import type { NumberOf } from "./dictionary.js";
import { copyInto } from "./state-rows.js";

/** Number of rows in a data chunk. It is the engine's vector size. */
const CHUNK_ROWS = 2048;
const DRAFT_TYPES = [INTEGER, VARCHAR, VARCHAR, VARCHAR, DOUBLE, ...COUNTS.map(() => DOUBLE)];
/**
 * Creates a temporary table for new entries. Its counts are doubles, which are exact up to 2⁵³ and can be copied
 * without conversion.
 */
const DRAFT_SQL = `CREATE OR REPLACE TEMP TABLE draft (
  app INTEGER, label VARCHAR, original_form VARCHAR, original_figures VARCHAR, fetched_at DOUBLE,
  ${COUNTS.map((name) => `${name} DOUBLE`).join(", ")})`;
const PUBLISH_SQL = readSql("write/publish.sql", {
  COLUMNS: COUNTS.map((name) => `${name}::BIGINT AS ${name}`).join(",\n  "),
});

/** Replaces a day's entries in one transaction. @param batches new entries, possibly none. */
export function publishDay(
  connection: DuckDBConnection,
  project: ProjectNumber,
  day: Day,
  batches: readonly DayEntries[],
  numberOf: NumberOf,
): Promise<void> {
  return inTransaction(connection, () =>
    replaceEntries(connection, project, [day], async () => {
      if (batches.every(({ length }) => length === 0)) return;
      await connection.run(DRAFT_SQL);
      await appendDraft(connection, batches, numberOf);
      await connection.run(PUBLISH_SQL, { project: BigInt(project), day });
      await connection.run("DROP TABLE draft");
    }),
  );
}

async function appendDraft(
  connection: DuckDBConnection,
  batches: readonly DayEntries[],
  numberOf: NumberOf,
): Promise<void> {
  const appender = await connection.createAppender("draft");
  const packer = new OriginalPacker();
  try {
    for (const batch of batches) {
      for (let start = 0; start < batch.length; start += CHUNK_ROWS) {
        appendChunk(appender, batch, start, numberOf, packer);
        // Lets other work of this thread run in between.
        await nextTick();
      }
    }
    appender.closeSync();
  } catch (error) {
    // Rows that were not written must not get into another transaction.
    appender.clear();
    throw error;
  }
}

/** Appends up to {@link CHUNK_ROWS} entries of a batch, starting at index `start`. */
function appendChunk(
  appender: DuckDBAppender,
  entries: DayEntries,
  start: number,
  numberOf: NumberOf,
  packer: OriginalPacker,
): void {
  const rows = Math.min(CHUNK_ROWS, entries.length - start);
  const chunk = DuckDBDataChunk.create(DRAFT_TYPES, rows);
  const end = start + rows;
  const appIds = entries.appIds.slice(start, end);
  const labels = entries.labels.slice(start, end);
  const { originals, fetchedAt } = entries;
  const packed = originals
    ?.slice(start, end)
    .map((original, row) => packer.pack(original, at(appIds, row), at(labels, row)));
  const columns = [
    appIds.map(numberOf),
    labels,
    labels.map((_, row) => packed?.[row]?.form ?? null),
    labels.map((_, row) => packed?.[row]?.figures ?? null),
    labels.map((_, row) => fetchedAt?.[start + row] ?? null),
  ];
  for (const [index, values] of columns.entries()) chunk.setColumnValues(index, values);
  for (const [index, counts] of entries.counts.entries()) {
    copyInto(chunk, columns.length + index, counts.subarray(start, end));
  }
  appender.appendDataChunk(chunk);
}
