import { constants, existsSync } from "node:fs";
import { access, mkdir, open, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { type DuckDBConnection, DuckDBInstance } from "@duckdb/node-api";
import { StoreOpenError } from "../../model/store-error.js";
import { expectSoundFile, isDamage } from "./damage.js";
import { migrate, RELEASED_MIGRATIONS } from "./migrate.js";

/**
 * Until the log is written into the main file, the engine keeps what is in it in memory, where it takes up to three times as
 * much: this leaves most of the memory to queries.
 */
const CHECKPOINT_THRESHOLD = "16MB";

/** How the engine may use the machine. */
export interface DuckDbOptions {
  /** Directory of the database file and of what spills from memory. Made if it is missing. */
  readonly directory: string;
  /** What the engine may hold in memory before it spills, such as `320MB`. */
  readonly memoryLimit: string;
  /** How many threads run queries; as many as there are cores if it is left out. */
  readonly threads?: number;
  /** The most events of a day that a rollup groups at a time; larger days take several passes. */
  readonly eventsAPass?: number;
  /** How much log the engine gathers before it writes it into the main file; {@link CHECKPOINT_THRESHOLD} if it is left out. */
  readonly checkpointThreshold?: string;
  /** Folder of the migrations, with a slash at its end; those of this version if it is left out. */
  readonly migrations?: URL;
}

/** An open database file, which no other process can open meanwhile. */
export class Database {
  readonly #instance: DuckDBInstance;
  readonly #connections: DuckDBConnection[] = [];

  /** @param instance which nobody else uses. */
  constructor(instance: DuckDBInstance) {
    this.#instance = instance;
  }

  /**
   * Opens the database of a directory, makes it if it is missing, and brings its schema up to date.
   *
   * @throws StoreOpenError if another process holds it, if it was written by a newer version, or if it is damaged.
   */
  static async open(options: DuckDbOptions): Promise<Database> {
    const { directory } = options;
    const file = join(directory, "waybill.duckdb");
    try {
      await mkdir(directory, { recursive: true, mode: 0o700 });
      // The engine opens a file that it can write beside which it can make no log, and fails with the first import.
      await access(directory, constants.W_OK);
      if (!existsSync(file)) await make(file, options);
      return await openFile(file, options);
    } catch (error) {
      throw toOpenError(directory, error);
    }
  }

  async connect(): Promise<DuckDBConnection> {
    const connection = await this.#instance.connect();
    this.#connections.push(connection);
    return connection;
  }

  /** From now on nothing of the log is written into the main file, also not by closing: the next start reads it. */
  async leaveLog(): Promise<void> {
    const connection = await this.connect();
    await connection.run("PRAGMA disable_checkpoint_on_shutdown; SET checkpoint_threshold = '1TB'");
  }

  /** Writes the log into the main file and lets go of both: the engine does so when the last connection closes. */
  close(): void {
    for (const connection of this.#connections) connection.closeSync();
    this.#instance.closeSync();
  }
}

async function openFile(file: string, options: DuckDbOptions): Promise<Database> {
  const instance = await DuckDBInstance.create(file, {
    memory_limit: options.memoryLimit,
    temp_directory: join(options.directory, "spill"),
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
    await migrate(connection, options.migrations ?? RELEASED_MIGRATIONS);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/**
 * Makes the database under another name and gives it its own when it is whole: a file of that name was never half made,
 * and is damaged if it cannot be read.
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
  await rename(draft, file);
  const directory = await open(options.directory);
  await directory.sync();
  await directory.close();
}

/** What a person is told, in one line, when the database of a directory cannot be opened. */
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
