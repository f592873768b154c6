import { stat } from "node:fs/promises";
import type { DuckDBConnection } from "@duckdb/node-api";
import type { StoreFigures } from "../../store-figures.js";
import { readSql } from "../sql.js";

const FIGURES_SQL = readSql("figures.sql");

/** Reads the size of the database and of its unfinished work. */
export async function readFigures(connection: DuckDBConnection): Promise<StoreFigures> {
  const result = await connection.runAndReadAll(FIGURES_SQL);
  const [file, used, free, messages, events, days, since, sealed] = result.getRows()[0] ?? [];
  return {
    bytes: { data: Number(used), free: Number(free), log: await sizeOf(`${String(file)}.wal`) },
    messages: Number(messages),
    waitingEvents: Number(events),
    waitingDays: Number(days),
    waitingSince: since === null ? undefined : Number(since),
    sealedDays: Number(sealed),
  };
}

/** Returns the size of a file in bytes; 0 if there is no such file. */
const sizeOf = (file: string): Promise<number> =>
  stat(file).then(
    ({ size }) => size,
    () => 0,
  );
