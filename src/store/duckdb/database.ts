import { constants, existsSync } from "node:fs";
import { access, chmod, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import type { DuckDBConnection } from "@duckdb/node-api";
import { makeDirectory, syncDirectory } from "../../control/file/directories.js";
import type { Clock } from "../../model/clock.js";
import type { NameLimits } from "../../model/names.js";
import { StoreOpenError } from "../../model/store-error.js";
import type { UpgradePlan } from "../../sql/migrations.js";
import type { StoreFigures } from "../store.js";
import { isDamage } from "./connection.js";
import { DuckDBInstance } from "./engine.js";
import { expectCurrentSchema, migrateDatabase, planSchema, RELEASED_MIGRATIONS } from "./schema.js";
import { expectSoundFile } from "./sound-file.js";
import { readSql } from "./sql.js";

/** Database name in statements. The engine derives it from the file name. */
export const DATABASE_NAME = "waybill";
/** File name in the data directory. */
export const DATABASE_FILE = `${DATABASE_NAME}.duckdb`;

/**
 * Log size at which the engine writes the log into the main file. Until then, the log uses up to three times its size
 * in memory, so a low value leaves more memory for queries.
 */
const CHECKPOINT_THRESHOLD = "16MB";

/**
 * Maximum size of data that is spilled to disk. It is larger than any disk. The engine's default is 90 % of the space
 * that is free when the database is opened. If the disk was full at that time, the engine could never spill.
 */
const MAX_SPILL = "1000TB";

/**
 * When the engine allocates more than this at once, it first returns freed memory to the system. Rollups of large days
 * do, reads of pages do not. With the engine's default of 512 MB, rollups filled the memory limit while freed blocks of
 * other sizes still occupied memory. With 1 MB, they needed a quarter more processor time, because the system must
 * supply more pages again.
 */
const RETURN_FREED_MEMORY_ABOVE = "16MB";

/** Database location and resource limits. */
export interface DuckDbOptions {
  /** Directory for the database file and for data spilled from memory. Created if it does not exist. */
  readonly directory: string;
  /** Size of memory at which the engine spills data to disk, such as `200MB`. */
  readonly memoryLimit: string;
  /** Number of query threads. Defaults to the number of cores. */
  readonly threads?: number;
  /** Maximum number of states that one pass of a rollup counts. A larger day needs several passes. */
  readonly statesAPass?: number;
  /** Log size at which the engine writes the log into the main file. Defaults to {@link CHECKPOINT_THRESHOLD}. */
  readonly checkpointThreshold?: string;
  /** Migration folder, with a trailing slash. Defaults to {@link RELEASED_MIGRATIONS}. */
  readonly migrations?: URL;
  readonly clock?: Clock;
  readonly nameLimits?: NameLimits | undefined;
  /** Called for each permanent engine failure, and for each failed attempt to reopen the database. */
  readonly onFailure?: (error: unknown) => void;
}

/** An open database file. It is locked against other processes. */
export class Database {
  readonly #instance: DuckDBInstance;
  readonly #connections: DuckDBConnection[] = [];

  /** @param instance owned exclusively by this object. */
  constructor(instance: DuckDBInstance) {
    this.#instance = instance;
  }

  /**
   * Opens the database in a directory. Creates it if it does not exist, and migrates its schema.
   *
   * @throws StoreOpenError if the database is in use by another process, from a newer version, or damaged.
   */
  static async open(options: DuckDbOptions): Promise<Database> {
    const { directory } = options;
    const file = join(directory, DATABASE_FILE);
    try {
      await makeDirectory(directory);
      // In a read-only directory, the engine could open a writable file, but not create its log. Imports would then
      // fail.
      await access(directory, constants.W_OK);
      if (!existsSync(file)) await make(file, options);
      return await openFile(file, options);
    } catch (error) {
      throw toOpenError(directory, error);
    }
  }

  /**
   * Opens an existing database without writing into its directory.
   *
   * @param spill directory for data that does not fit into memory. If omitted, statements that need it fail.
   * @throws StoreOpenError if the database does not exist, is in use by another process, from another version, or
   *   damaged.
   */
  static async openToRead(directory: string, memoryLimit: string, spill = ""): Promise<Database> {
    const file = join(directory, DATABASE_FILE);
    if (!existsSync(file)) throw new StoreOpenError(`there is no database in ${directory}`);
    const limits = { memory_limit: memoryLimit, temp_directory: spill };
    return readOnly(directory, limits, async (database, connection) => {
      await expectCurrentSchema(connection);
      return database;
    });
  }

  async connect(): Promise<DuckDBConnection> {
    const connection = await this.#instance.connect();
    this.#connections.push(connection);
    return connection;
  }

  /**
   * From now on, keeps the log out of the main file, even when the database is closed. The next start replays the log.
   */
  async leaveLog(): Promise<void> {
    const connection = await this.connect();
    await connection.run("PRAGMA disable_checkpoint_on_shutdown; SET checkpoint_threshold = '1TB'");
  }

  /** Releases the database. When its last connection closes, the engine writes the log into the main file. */
  close(): void {
    for (const connection of this.#connections) connection.closeSync();
    this.#instance.closeSync();
  }
}

/**
 * Opens an existing database without writing into its directory. If `use` fails, closes the database.
 *
 * @throws StoreOpenError if the database is in use by another process or damaged; errors of `use`.
 */
async function readOnly<T>(
  directory: string,
  limits: { readonly memory_limit: string; readonly temp_directory: string },
  use: (database: Database, connection: DuckDBConnection) => Promise<T>,
): Promise<T> {
  const file = join(directory, DATABASE_FILE);
  let database: Database | undefined;
  try {
    database = new Database(
      await DuckDBInstance.create(file, {
        access_mode: "READ_ONLY",
        ...limits,
        autoinstall_known_extensions: "false",
        autoload_known_extensions: "false",
      }),
    );
    const connection = await database.connect();
    await expectSoundFile(connection, file);
    return await use(database, connection);
  } catch (error) {
    database?.close();
    throw toOpenError(directory, error);
  }
}

async function openFile(file: string, options: DuckDbOptions): Promise<Database> {
  const instance = await DuckDBInstance.create(file, {
    memory_limit: options.memoryLimit,
    temp_directory: join(options.directory, "spill"),
    max_temp_directory_size: MAX_SPILL,
    allocator_bulk_deallocation_flush_threshold: RETURN_FREED_MEMORY_ABOVE,
    checkpoint_threshold: options.checkpointThreshold ?? CHECKPOINT_THRESHOLD,
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
 * Creates the database under a temporary name, and renames it when it is complete. A file with the final name is
 * therefore never incomplete. If such a file cannot be read, it is damaged.
 */
async function make(file: string, options: DuckDbOptions): Promise<void> {
  if (existsSync(`${file}.wal`)) {
    throw new StoreOpenError(
      `the database file ${file} is missing, but its log ${file}.wal exists; restore both from a backup`,
    );
  }
  const draft = `${file}.new`;
  for (const name of [draft, `${draft}.wal`]) await rm(name, { force: true });
  (await openFile(draft, options)).close();
  // Without this, the file mode would depend on the umask.
  await chmod(draft, 0o600);
  await rename(draft, file);
  await syncDirectory(options.directory);
}

/** Converts an error that occurred while opening a database to a one-line message for operators. */
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

/**
 * Returns the migrations that {@link Database.open} would apply. Changes nothing.
 *
 * @throws StoreOpenError if the database is in use by another process or damaged.
 */
export async function planDatabase(directory: string, memoryLimit: string): Promise<UpgradePlan> {
  const file = join(directory, DATABASE_FILE);
  if (!existsSync(file)) return planSchema(file);
  return readOnly(
    directory,
    { memory_limit: memoryLimit, temp_directory: "" },
    async (database, connection) => {
      const plan = await planSchema(file, connection);
      database.close();
      return plan;
    },
  );
}

/** Returns true if no events are stored or counted. */
export async function hasNoEvents(connection: DuckDBConnection): Promise<boolean> {
  const result = await connection.runAndReadAll(
    "SELECT 1 FROM message_states UNION ALL SELECT 1 FROM counted_days LIMIT 1",
  );
  return result.currentRowCount === 0;
}

const FIGURES_SQL = readSql("figures.sql");

/** Measures the database and its pending work. */
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

/** Returns a file size in bytes. 0 if the file does not exist. */
const sizeOf = (file: string): Promise<number> =>
  stat(file).then(
    ({ size }) => size,
    () => 0,
  );
