import type { DuckDBConnection, DuckDBValue } from "@duckdb/node-api";
import type { Day } from "../../../model/day.js";
import { COUNTS, type DayEntries } from "../../delivery-data-store.js";
import { listValue } from "../engine.js";
import { packOriginal } from "../mirror/packed-original.js";
import { readSql } from "../sql.js";
import { inTransaction } from "../transaction.js";
import { replaceEntries } from "./replace-entries.js";

/** Number of entries that one statement inserts. Other work of this thread gets turns between statements. */
const ENTRIES_A_STATEMENT = 2_048;

const COUNT_COLUMNS = COUNTS.map((name) => `unnest($${name}::BIGINT[]) AS ${name}`).join(",\n  ");
const ORIGINAL_COLUMNS = `unnest($forms::VARCHAR[]) AS original_form,
  unnest($figures::VARCHAR[]) AS original_figures,
  unnest($fetched_at::BIGINT[]) AS fetched_at`;

const PUBLISH_SQL = readSql("publish.sql", { columns: COUNT_COLUMNS });
const PUBLISH_ORIGINALS_SQL = readSql("publish.sql", { columns: `${COUNT_COLUMNS},\n  ${ORIGINAL_COLUMNS}` });

/** Entries of a day, with the numbers that stand for their app ids. */
export interface NumberedEntries {
  readonly entries: DayEntries;
  readonly apps: ArrayLike<number>;
}

/**
 * Replaces the entries of a day in one transaction.
 *
 * @param batches the new entries, possibly none.
 */
export function publishDay(
  connection: DuckDBConnection,
  project: string,
  day: Day,
  batches: readonly NumberedEntries[],
): Promise<void> {
  return inTransaction(connection, () =>
    replaceEntries(connection, project, [day], async () => {
      for (const batch of batches) {
        const sql = batch.entries.originals === undefined ? PUBLISH_SQL : PUBLISH_ORIGINALS_SQL;
        for (let start = 0; start < batch.entries.length; start += ENTRIES_A_STATEMENT) {
          await connection.run(sql, { project: BigInt(project), day, ...columnsOf(batch, start) });
        }
      }
    }),
  );
}

/** Returns the columns of a statement's entries, beginning at the index `start`. */
function columnsOf({ entries, apps }: NumberedEntries, start: number): Record<string, DuckDBValue> {
  const end = Math.min(start + ENTRIES_A_STATEMENT, entries.length);
  const listOf = (column: ArrayLike<string | number>): DuckDBValue =>
    listValue(Array.from({ length: end - start }, (_, index) => column[start + index] ?? null));
  const originals = entries.originals?.slice(start, end).map((original, index) => {
    return packOriginal(original, entries.appIds[start + index] ?? "", entries.labels[start + index] ?? "");
  });
  return {
    apps: listOf(apps),
    labels: listOf(entries.labels),
    ...(originals !== undefined && {
      forms: listValue(originals.map(({ form }) => form)),
      figures: listValue(originals.map(({ figures }) => figures)),
      fetched_at: listOf(entries.fetchedAt ?? []),
    }),
    ...Object.fromEntries(COUNTS.map((name, index) => [name, listOf(entries.counts[index] ?? [])])),
  };
}
