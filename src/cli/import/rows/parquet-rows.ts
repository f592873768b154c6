import type { DuckDBConnection } from "@duckdb/node-api";
import type { Row } from "../row.js";
import { requireColumns, SourceError } from "../row.js";

/** Memory limit of the engine that reads the file. */
const MEMORY_LIMIT = "256MB";

/**
 * Reads a Parquet file. Times become ISO 8601 in UTC, other values become strings.
 *
 * @param columns names of the columns to read.
 * @throws SourceError if the file lacks one of these columns, or is not Parquet.
 */
export async function* parquetRows(file: string, columns: readonly string[]): AsyncGenerator<readonly Row[]> {
  // The native library is loaded only for this format.
  const { DuckDBInstance } = await import("../../../store/duckdb/engine.js");
  // The engine must not access the network or other files.
  const instance = await DuckDBInstance.create(":memory:", {
    memory_limit: MEMORY_LIMIT,
    autoinstall_known_extensions: "false",
  });
  const connection = await instance.connect();
  try {
    yield* rowsOf(connection, file, columns);
  } catch (error) {
    if (error instanceof SourceError || !(error instanceof Error)) throw error;
    const [reason = ""] = error.message.split("\n");
    throw new SourceError(undefined, `cannot be read as Parquet: ${reason}`, { cause: error });
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
}

async function* rowsOf(
  connection: DuckDBConnection,
  file: string,
  columns: readonly string[],
): AsyncGenerator<readonly Row[]> {
  const source = `read_parquet('${file.replaceAll("'", "''")}', binary_as_string = true)`;
  const described = await connection.runAndReadAll(`DESCRIBE SELECT * FROM ${source}`);
  const types = new Map(described.getRows().map(([name, type]) => [String(name), String(type)]));
  requireColumns(columns, [...types.keys()]);
  const texts = columns.map((column) => textOf(column, types.get(column) ?? ""));
  const result = await connection.stream(`SELECT ${texts.join(", ")} FROM ${source}`);
  let line = 1;
  for (;;) {
    const chunk = await result.fetchChunk();
    if (chunk === null || chunk.rowCount === 0) return;
    const first = line;
    line += chunk.rowCount;
    yield chunk.getRows().map((values, index) => ({
      line: first + index,
      cells: Object.fromEntries(columns.map((column, place) => [column, values[place]])),
    }));
  }
}

/** Returns a SQL expression that formats a column as text. */
function textOf(column: string, type: string): string {
  const name = `"${column.replaceAll('"', '""')}"`;
  if (!type.startsWith("TIMESTAMP")) return `CAST(${name} AS VARCHAR)`;
  // Formatting a time with a zone would need an extension. Converting it to microseconds first avoids that.
  return `strftime(make_timestamp(epoch_us(${name})), '%Y-%m-%dT%H:%M:%S.%fZ')`;
}
