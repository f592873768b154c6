import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { type DuckDBConnection, DuckDBInstance } from "@duckdb/node-api";
import { StoreOpenError } from "../store-error.js";
import { migrate } from "./migrate.js";

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
  /** How much log the engine gathers before it writes it into the main file; 128MB if it is left out. */
  readonly checkpointThreshold?: string;
}

/** An open database file, which no other process can open meanwhile. */
export class Database {
  readonly #instance: DuckDBInstance;
  readonly #connections: DuckDBConnection[] = [];

  private constructor(instance: DuckDBInstance) {
    this.#instance = instance;
  }

  /**
   * Opens the database of a directory, makes it if it is missing, and brings its schema up to date.
   *
   * @throws StoreOpenError if another process holds it, if it was written by a newer version, or if it is damaged.
   */
  static async open(options: DuckDbOptions): Promise<Database> {
    const file = join(options.directory, "waybill.duckdb");
    let database: Database | undefined;
    try {
      await mkdir(options.directory, { recursive: true, mode: 0o700 });
      const instance = await DuckDBInstance.create(file, {
        memory_limit: options.memoryLimit,
        temp_directory: join(options.directory, "spill"),
        checkpoint_threshold: options.checkpointThreshold ?? "128MB",
        preserve_insertion_order: "false",
        autoinstall_known_extensions: "false",
        autoload_known_extensions: "false",
        ...(options.threads !== undefined && { threads: String(options.threads) }),
      });
      database = new Database(instance);
      await migrate(await database.connect());
      return database;
    } catch (error) {
      database?.close();
      if (error instanceof StoreOpenError) throw error;
      throw new StoreOpenError(openFailure(options.directory, error), { cause: error });
    }
  }

  async connect(): Promise<DuckDBConnection> {
    const connection = await this.#instance.connect();
    this.#connections.push(connection);
    return connection;
  }

  /** Writes the log into the main file and lets go of both: the engine does so when the last connection closes. */
  close(): void {
    for (const connection of this.#connections) connection.closeSync();
    this.#instance.closeSync();
  }
}

function openFailure(directory: string, error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  if (/could not set lock/i.test(message)) {
    const pid = /PID (\d+)/.exec(message)?.[1];
    return `the data directory ${directory} is in use by another process${pid === undefined ? "" : ` (${pid})`}`;
  }
  return `cannot open the data directory ${directory}: ${message.split("\n")[0]}`;
}
