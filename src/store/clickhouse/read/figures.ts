import type { DayLedger } from "../../../control/day-ledger.js";
import type { StoreFigures } from "../../store-figures.js";
import type { Connection } from "../connection.js";
import { RowReader } from "../row-binary.js";
import { type Place, sqlTemplate } from "../tables.js";

/** Reads the size of the tables, on one replica of each shard, and of the unfinished work. */
export async function readFigures(
  connection: Connection,
  ledger: DayLedger,
  place: Place,
): Promise<StoreFigures> {
  const rows = new RowReader(await connection.read(sqlTemplate("figures.sql", place)()));
  const tables = new Map<string, { readonly bytes: number; readonly rows: number }>();
  while (!rows.isAtEnd) tables.set(rows.text(), { bytes: rows.count(), rows: rows.count() });
  const bytesOf = (...names: readonly string[]): number =>
    names.reduce((sum, name) => sum + (tables.get(name)?.bytes ?? 0), 0);
  return {
    bytes: {
      states: bytesOf("message_states"),
      entries: bytesOf("entries"),
      mirrors: bytesOf("entry_versions", "answers", "answer_bodies"),
    },
    messages: tables.get("message_states")?.rows ?? 0,
    ...(await ledger.figures()),
  };
}
