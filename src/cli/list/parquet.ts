import { randomUUID } from "node:crypto";
import { mkdtemp, open, readFile, rename, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { DescField, DescMessage, JsonValue } from "@bufbuild/protobuf";
import type { DuckDBAppender } from "@duckdb/node-api";
import {
  type AndroidDeliveryDataJson,
  type DataJson,
  DataSchema,
} from "../../gen/waybill/messagingdata/v1beta1/delivery_data_pb.js";
import { DAY_MS } from "../../model/clock.js";
import { denominatorOf } from "../../model/event-types.js";
import { systemReason } from "../../model/system-error.js";
import { dateText, knownCount, numberOf } from "../../presentation/field-text.js";
import { DuckDBDateValue, DuckDBInstance } from "../../store/duckdb/engine.js";
import { CommandFailure } from "../support/command-failure.js";

/** A Parquet column: name, SQL type, and value of an entry. */
export interface ParquetColumn {
  readonly name: string;
  readonly type: "VARCHAR" | "DATE" | "BIGINT" | "DOUBLE";
  /** Returns `null` if the value is unknown, or if its group has no denominator. */
  readonly value: (entry: AndroidDeliveryDataJson) => string | number | bigint | null;
}

/** Fields of a message in ProtoJSON, in which zeros are omitted. */
type Fields = Readonly<Record<string, JsonValue | undefined>>;

/**
 * Columns: app, date, label, the two counts of accepted messages, and two columns for each percentage. For example,
 * `delivered` has the count, and `delivered_percent` the percentage.
 */
export const PARQUET_COLUMNS: readonly ParquetColumn[] = [
  { name: "app_id", type: "VARCHAR", value: ({ appId = "" }) => appId },
  // A date without a day or month becomes the first day of its month or year.
  { name: "date", type: "DATE", value: ({ date }) => dateText(date) },
  { name: "analytics_label", type: "VARCHAR", value: ({ analyticsLabel = "" }) => analyticsLabel },
  countColumn("count_messages_accepted", "countMessagesAccepted"),
  countColumn("count_notifications_accepted", "countNotificationsAccepted"),
  ...DataSchema.fields.flatMap((field) =>
    field.fieldKind === "message" ? groupColumns(field, field.message) : [],
  ),
];

type CountOfData = Parameters<typeof knownCount>[0];

function countOfData(count: CountOfData, data: DataJson | undefined): bigint | null {
  const known = knownCount(count, data);
  return known === undefined ? null : BigInt(known);
}

function countColumn(name: string, count: CountOfData): ParquetColumn {
  return { name, type: "BIGINT", value: ({ data }) => countOfData(count, data) };
}

function groupColumns(group: DescField, message: DescMessage): ParquetColumn[] {
  const denominator = denominatorOf(message).jsonName as CountOfData;
  return message.fields.flatMap((field): ParquetColumn[] => {
    const percentOf = ({ data = {} }: AndroidDeliveryDataJson): number | null => {
      const figures = (data as Fields)[group.jsonName] as Readonly<Record<string, number>> | undefined;
      return figures === undefined ? null : numberOf(figures[field.jsonName]);
    };
    const countOf = (entry: AndroidDeliveryDataJson): bigint | null => {
      const percent = percentOf(entry);
      const accepted = countOfData(denominator, entry.data);
      return percent === null || accepted === null ? null : countBehind(percent, accepted);
    };
    return [
      { name: field.name, type: "BIGINT", value: countOf },
      { name: `${field.name}_percent`, type: "DOUBLE", value: percentOf },
    ];
  });
}

/**
 * Returns the count from which a percentage was computed as `100 count / denominator`, in IEEE 754 doubles. The result
 * is exact for denominators up to 2⁴⁸, unless a mirrored service has rounded the percentage.
 */
const countBehind = (percent: number, denominator: bigint): bigint =>
  BigInt(Math.round((percent * Number(denominator)) / 100));

/**
 * Memory limit of the engine that writes the file. When it is exceeded, the engine stores entries in temporary files.
 */
const MEMORY_LIMIT = "256MB";

/** Writes Parquet files of entries, one at a time. */
export class ParquetWriter {
  readonly #directory: string;
  readonly #instance: DuckDBInstance;

  private constructor(directory: string, instance: DuckDBInstance) {
    this.#directory = directory;
    this.#instance = instance;
  }

  /**
   * Opens a writer, which keeps entries in a temporary directory until they are written.
   *
   * @throws CommandFailure if the directory cannot be written.
   */
  static async open(): Promise<ParquetWriter> {
    const directory = await mkdtemp(join(tmpdir(), "waybill-parquet-"));
    try {
      const file = join(directory, "entries.duckdb");
      return new ParquetWriter(directory, await DuckDBInstance.create(file, { memory_limit: MEMORY_LIMIT }));
    } catch (error) {
      await rm(directory, { recursive: true });
      throw fullDisk(error, directory, directory) ?? error;
    }
  }

  /**
   * Writes entries to a file, in order. The file gets its name only when it is complete and on disk. A file that has the
   * same content already is not replaced.
   *
   * @param draft temporary path for the new file, on the same file system.
   * @throws CommandFailure if the file cannot be created (before any entry is read) or written.
   */
  async write(
    pages: AsyncIterable<readonly AndroidDeliveryDataJson[]>,
    file: string,
    draft = `${file}.${randomUUID()}`,
  ): Promise<WrittenFile> {
    await createDraft(draft, file);
    let entries = 0;
    const connection = await this.#instance.connect();
    try {
      const columns = PARQUET_COLUMNS.map(({ name, type }) => `${name} ${type}`);
      await connection.run(`CREATE OR REPLACE TABLE entries (${columns.join(", ")})`);
      const appender = await connection.createAppender("entries");
      for await (const page of pages) {
        for (const entry of page) appendRow(appender, entry);
        entries += page.length;
        appender.flushSync();
      }
      appender.closeSync();
      await connection.run(
        `COPY entries TO '${draft.replaceAll("'", "''")}' (FORMAT parquet, USE_TMP_FILE false)`,
      );
      const isChanged = !(await haveSameContent(draft, file));
      if (isChanged) {
        await syncFile(draft);
        await rename(draft, file);
      }
      return { entries, isChanged };
    } catch (error) {
      throw fullDisk(error, this.#directory, file) ?? error;
    } finally {
      connection.closeSync();
      await rm(draft, { force: true });
    }
  }

  /** Removes the temporary directory. */
  async close(): Promise<void> {
    this.#instance.closeSync();
    await rm(this.#directory, { recursive: true });
  }
}

export interface WrittenFile {
  readonly entries: number;
  readonly isChanged: boolean;
}

/** Writes a single file as {@link ParquetWriter.write} does. Returns the number of entries. */
export async function writeParquet(
  pages: AsyncIterable<readonly AndroidDeliveryDataJson[]>,
  file: string,
): Promise<number> {
  const writer = await ParquetWriter.open();
  try {
    return (await writer.write(pages, file)).entries;
  } finally {
    await writer.close();
  }
}

async function syncFile(path: string): Promise<void> {
  const file = await open(path, "r+");
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}

async function haveSameContent(one: string, other: string): Promise<boolean> {
  const sizes = await Promise.all(
    [one, other].map(async (file) => (await stat(file).catch(() => undefined))?.size),
  );
  if (sizes[0] !== sizes[1]) return false;
  const [first, second] = await Promise.all([readFile(one), readFile(other)]);
  return first.equals(second);
}

/** Returns the error to report if the engine could not write a file. Returns undefined for other errors. */
function fullDisk(cause: unknown, directory: string, file: string): CommandFailure | undefined {
  const [, path, reason] = /Could not write file "(.*)": (.*)/.exec(String(cause)) ?? [];
  if (path === undefined) return undefined;
  // Users do not know the temporary file's name.
  const written = path.startsWith(directory) ? `the temporary file ${path}` : `--out ${file}`;
  return new CommandFailure(`${written} cannot be written: ${reason}`, { cause });
}

async function createDraft(draft: string, file: string): Promise<void> {
  const info = await stat(file).catch(() => undefined);
  if (info?.isDirectory()) throw new CommandFailure(`--out ${file} is a directory; name a file`);
  try {
    await (await open(draft, "wx")).close();
  } catch (cause) {
    throw new CommandFailure(`--out ${file}: ${systemReason(cause) ?? String(cause)}`, { cause });
  }
}

function appendRow(appender: DuckDBAppender, entry: AndroidDeliveryDataJson): void {
  for (const column of PARQUET_COLUMNS) append(appender, column, entry);
  appender.endRow();
}

function append(
  appender: DuckDBAppender,
  { type, value }: ParquetColumn,
  entry: AndroidDeliveryDataJson,
): void {
  const cell = value(entry);
  if (cell === null) appender.appendNull();
  else if (type === "BIGINT") appender.appendBigInt(BigInt(cell));
  else if (type === "DOUBLE") appender.appendDouble(Number(cell));
  else if (type === "DATE") appender.appendDate(new DuckDBDateValue(Date.parse(String(cell)) / DAY_MS));
  else appender.appendVarchar(String(cell));
}
