import { StoreOpenError } from "../../model/store-error.js";
import type { Configs, ConfigsOptions, Control } from "../control.js";
import type { ChangeRecord } from "../file/change-record.js";
import { migrateDatabase } from "./migrate.js";
import { Notifications } from "./notifications.js";
import { PostgresConfigStore, readConfigChanges } from "./postgres-config-store.js";
import { PostgresCopy } from "./postgres-copy.js";
import { PostgresDatabase } from "./postgres-database.js";
import { PostgresDayLedger } from "./postgres-day-ledger.js";
import { PostgresDocuments } from "./postgres-documents.js";
import { PostgresKeys } from "./postgres-keys.js";
import { PostgresLeases } from "./postgres-leases.js";
import { type PostgresOptions, readAddress } from "./postgres-options.js";

/** Control data in a PostgreSQL database. */
export class PostgresControl implements Control {
  readonly keys: PostgresKeys;
  readonly leases: PostgresLeases;
  readonly documents: PostgresDocuments;
  readonly copy: PostgresCopy;
  readonly #database: PostgresDatabase;
  readonly #notifications: Notifications;
  #days: PostgresDayLedger | undefined;

  private constructor(database: PostgresDatabase) {
    this.#database = database;
    this.#notifications = new Notifications(database);
    this.keys = new PostgresKeys(database);
    this.leases = new PostgresLeases(database);
    this.documents = new PostgresDocuments(database);
    this.copy = new PostgresCopy(database);
  }

  /**
   * Connects to the database, and brings its schema up to date.
   *
   * @throws StoreOpenError if it cannot be used.
   */
  static async open(options: PostgresOptions): Promise<PostgresControl> {
    const database = new PostgresDatabase({
      address: await readAddress(options),
      connections: options.connections,
    });
    try {
      await migrateDatabase(database);
      return new PostgresControl(database);
    } catch (error) {
      await database.close();
      throw error;
    }
  }

  /** The ledger of days, which begins to follow publications with its first use. */
  get days(): PostgresDayLedger {
    this.#days ??= new PostgresDayLedger({ database: this.#database, notifications: this.#notifications });
    return this.#days;
  }

  async openConfigs({ projects }: ConfigsOptions): Promise<Configs> {
    try {
      const [database, notifications] = [this.#database, this.#notifications];
      return await PostgresConfigStore.open({ database, notifications, projects });
    } catch (cause) {
      throw new StoreOpenError(`the changes of configurations cannot be read: ${String(cause)}`, { cause });
    }
  }

  readConfigChanges(): Promise<readonly ChangeRecord[]> {
    return readConfigChanges(this.#database);
  }

  now(): Promise<number> {
    return this.#database.now();
  }

  check(): Promise<void> {
    return this.#database.check();
  }

  async close(): Promise<void> {
    await this.#notifications.close();
    await this.#database.close();
  }
}
