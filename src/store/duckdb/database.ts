import { constants, existsSync } from "node:fs";
import { access, chmod, open, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import type { DuckDBConnection } from "@duckdb/node-api";
import { makeDirectory } from "../../control/file/directories.js";
import type { Clock } from "../../model/clock.js";
import type { NameLimits } from "../../model/names.js";
import { StoreOpenError } from "../../model/store-error.js";
import { expectCurrent, migrate, readMigrations, type Schema } from "../../sql/migrations.js";
import type { StoreFigures } from "../store.js";
import { inTransaction } from "./connection.js";
import { DuckDBInstance } from "./engine.js";
import { expectSoundFile, isDamage } from "./engine-error.js";
import { readSql } from "./sql.js";

/** Name of the database in statements; the engine derives it from the name of the file. */
export const DATABASE_NAME = "waybill";
/** Name of the database file in its directory. */
export const DATABASE_FILE = `${DATABASE_NAME}.duckdb`;

/**
 * Size of the log at which the engine writes it into the main file. Until then the log's content also takes
 * up to three times its size in memory; a low threshold leaves most of the memory to queries.
 */
const CHECKPOINT_THRESHOLD = "16MB";

/**
 * More than any disk has. By default the engine takes nine tenths of what is free when it opens: opened while
 * the disk is full, it could never spill.
 */
const MAX_SPILL = "1000TB";

/** Location of the database, and limits on the engine's use of the machine. */
export interface DuckDbOptions {
  /** Directory of the database file and of data spilled from memory. Created if missing. */
  readonly directory: string;
  /** Memory that the engine may use before it spills to disk, such as `320MB`. */
  readonly memoryLimit: string;
  /** Number of threads that run queries; defaults to the number of cores. */
  readonly threads?: number;
  /** Maximum number of partial states that a rollup groups at a time; larger days take several passes. */
  readonly statesAPass?: number;
  /**
   * Size of the log at which the engine writes it into the main file; defaults to {@link
   * CHECKPOINT_THRESHOLD}.
   */
  readonly checkpointThreshold?: string;
  /** Folder of the migrations, with a trailing slash; defaults to those of this version. */
  readonly migrations?: URL;
  readonly clock?: Clock;
  readonly nameLimits?: NameLimits | undefined;
  /** Called with a permanent engine failure, and with each error that keeps the database from being reopened. */
  readonly onFailure?: (error: unknown) => void;
}

/** An open database file, locked against other processes. */
export class Database {
  readonly #instance: DuckDBInstance;
  readonly #connections: DuckDBConnection[] = [];

  /** @param instance owned by this object alone. */
  constructor(instance: DuckDBInstance) {
    this.#instance = instance;
  }

  /**
   * Opens the database in a directory, creates it if missing, and brings its schema up to date.
   *
   * @throws StoreOpenError if another process holds it, a newer version wrote it, or it is damaged.
   */
  static async open(options: DuckDbOptions): Promise<Database> {
    const { directory } = options;
    const file = join(directory, DATABASE_FILE);
    try {
      await makeDirectory(directory);
      // The engine opens a writable file even if it cannot create its log in the directory, and then fails at
      // the first import.
      await access(directory, constants.W_OK);
      if (!existsSync(file)) await make(file, options);
      return await openFile(file, options);
    } catch (error) {
      throw toOpenError(directory, error);
    }
  }

  /**
   * Opens the existing database in a directory without ever writing into the directory.
   *
   * @throws StoreOpenError if it does not exist, another process holds it, another version wrote it, or it is
   * damaged.
   */
  static async openToRead(directory: string, memoryLimit: string): Promise<Database> {
    const file = join(directory, DATABASE_FILE);
    if (!existsSync(file)) throw new StoreOpenError(`there is no database in ${directory}`);
    let database: Database | undefined;
    try {
      database = new Database(
        await DuckDBInstance.create(file, {
          access_mode: "READ_ONLY",
          memory_limit: memoryLimit,
          temp_directory: "",
          autoinstall_known_extensions: "false",
          autoload_known_extensions: "false",
        }),
      );
      const connection = await database.connect();
      await expectSoundFile(connection, file);
      await expectCurrentSchema(connection);
      return database;
    } catch (error) {
      database?.close();
      throw toOpenError(directory, error);
    }
  }

  async connect(): Promise<DuckDBConnection> {
    const connection = await this.#instance.connect();
    this.#connections.push(connection);
    return connection;
  }

  /** Keeps the log out of the main file from now on, even on close; the next start replays it. */
  async leaveLog(): Promise<void> {
    const connection = await this.connect();
    await connection.run("PRAGMA disable_checkpoint_on_shutdown; SET checkpoint_threshold = '1TB'");
  }

  /**
   * Writes the log into the main file and releases both: the engine does so when the last connection closes.
   */
  close(): void {
    for (const connection of this.#connections) connection.closeSync();
    this.#instance.closeSync();
  }
}

async function openFile(file: string, options: DuckDbOptions): Promise<Database> {
  const instance = await DuckDBInstance.create(file, {
    memory_limit: options.memoryLimit,
    temp_directory: join(options.directory, "spill"),
    max_temp_directory_size: MAX_SPILL,
    checkpoint_threshold: options.checkpointThreshold ?? CHECKPOINT_THRESHOLD,
    preserve_insertion_order: "false",
    autoinstall_known_extensions: "false",
    autoload_known_extensions: "false",
    ...(options.threads !== undefined && { threads: String(options.threads) }),
  });
  const database = new Database(instance);
  try {
    const connection = await database.connect();
    await expectSoundFile(connection, file);
    await migrateDatabase(connection, options.migrations ?? RELEASED_MIGRATIONS);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/**
 * Creates the database under a temporary name and renames it when it is complete. A file with the final name
 * was therefore never half made: if it cannot be read, it is damaged.
 */
async function make(file: string, options: DuckDbOptions): Promise<void> {
  if (existsSync(`${file}.wal`)) {
    throw new StoreOpenError(
      `the database file ${file} is missing, and its log ${file}.wal is there; restore both from a backup`,
    );
  }
  const draft = `${file}.new`;
  for (const name of [draft, `${draft}.wal`]) await rm(name, { force: true });
  (await openFile(draft, options)).close();
  // The engine leaves its mode to the umask.
  await chmod(draft, 0o600);
  await rename(draft, file);
  const directory = await open(options.directory);
  await directory.sync();
  await directory.close();
}

/** Converts an error from opening the database in a directory into a one-line message for the operator. */
export function toOpenError(directory: string, error: unknown): StoreOpenError {
  if (error instanceof StoreOpenError) return error;
  return new StoreOpenError(openFailure(directory, error), { cause: error });
}

function openFailure(directory: string, error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  const [line = ""] = message.split("\n");
  if (/could not set lock/i.test(message)) {
    const pid = /PID (\d+)/.exec(message)?.[1];
    return `the data directory ${directory} is in use by another process${pid === undefined ? "" : ` (${pid})`}`;
  }
  if (isDamage(error)) return `the database in ${directory} is damaged; restore it from a backup: ${line}`;
  return `cannot open the data directory ${directory}: ${line}`;
}

/** Folder of the migrations of this version. */
export const RELEASED_MIGRATIONS = new URL("./migrations/", import.meta.url);

/** Keeps schema versions in the table `schema_migrations`. */
const schemaOf = (connection: DuckDBConnection): Schema => ({
  name: "the database",
  version: async () => {
    const result = await connection.runAndReadAll(
      "SELECT coalesce(max(version), 0)::DOUBLE FROM schema_migrations",
    );
    return Number(result.getRows()[0]?.[0]);
  },
  apply: ({ version, sql }) =>
    inTransaction(connection, async () => {
      await connection.run(sql);
      await connection.run("INSERT INTO schema_migrations VALUES ($1, now())", [version]);
    }),
});

/**
 * Brings a database to the version of this program.
 *
 * @param folder folder of the migrations, with a trailing slash.
 * @throws StoreOpenError if a newer version of the program wrote the database.
 */
export async function migrateDatabase(connection: DuckDBConnection, folder: URL): Promise<void> {
  await connection.run(
    "CREATE TABLE IF NOT EXISTS schema_migrations (version INTEGER NOT NULL, applied_at TIMESTAMPTZ NOT NULL)",
  );
  await migrate(schemaOf(connection), await readMigrations(folder));
}

/** Checks that a database needs no migration. @throws StoreOpenError if another version of the program wrote it. */
export const expectCurrentSchema = async (connection: DuckDBConnection): Promise<void> =>
  expectCurrent(schemaOf(connection), await readMigrations(RELEASED_MIGRATIONS));

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
