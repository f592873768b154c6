import type { Clock } from "../../model/clock.js";
import type { UpgradePlan } from "../../sql/migrations.js";
import type { Control } from "../control.js";
import type { Lease, LeaseStore } from "../lease-store.js";
import { migrateDatabase, planMigrationsOf } from "./migrate.js";
import { Notifications } from "./notifications.js";
import { PostgresCopy } from "./postgres-copy.js";
import { PostgresDatabase } from "./postgres-database.js";
import { PostgresDayLedger } from "./postgres-day-ledger.js";
import { type PostgresOptions, readAddress } from "./postgres-options.js";
import { PostgresRecords } from "./postgres-records.js";
import { readSql } from "./sql.js";

/** Control data in a PostgreSQL database. */
export class PostgresControl implements Control {
  readonly records: PostgresRecords;
  readonly leases: PostgresLeases;
  readonly copy: PostgresCopy;
  readonly snapshot = undefined;
  readonly #database: PostgresDatabase;
  readonly #notifications: Notifications;
  #days: PostgresDayLedger | undefined;

  private constructor(database: PostgresDatabase, clock: Clock) {
    this.#database = database;
    this.#notifications = new Notifications(database);
    this.records = new PostgresRecords({ database, notifications: this.#notifications, clock });
    this.leases = new PostgresLeases(database);
    this.copy = new PostgresCopy(database);
  }

  /**
   * Connects to the database, and upgrades its schema.
   *
   * @throws StoreOpenError if the database cannot be used.
   */
  static async open(options: PostgresOptions, clock: Clock): Promise<PostgresControl> {
    const database = new PostgresDatabase({
      address: await readAddress(options),
      connections: options.connections,
    });
    try {
      await migrateDatabase(database);
      return new PostgresControl(database, clock);
    } catch (error) {
      await database.close();
      throw error;
    }
  }

  /** The day ledger. When it is first used, it starts to follow publications. */
  get days(): PostgresDayLedger {
    this.#days ??= new PostgresDayLedger({ database: this.#database, notifications: this.#notifications });
    return this.#days;
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

/**
 * Returns the migrations that {@link PostgresControl.open} would apply. Changes nothing.
 *
 * @throws StoreUnavailableError if the database cannot be read.
 */
export async function planPostgresUpgrade(options: PostgresOptions): Promise<UpgradePlan> {
  const database = new PostgresDatabase({ address: await readAddress(options), connections: 1 });
  try {
    return await planMigrationsOf(database);
  } finally {
    await database.close();
  }
}

const ACQUIRE = readSql("acquire-lease.sql");
// Keeps the row, because the next holder raises its fence.
const RELEASE = "UPDATE waybill.leases SET ends_at = '-infinity' WHERE name = $1 AND holder = $2";

/** Leases in a table. They expire by the database clock, not by the clocks on their holders' machines. */
export class PostgresLeases implements LeaseStore {
  readonly #database: PostgresDatabase;

  constructor(database: PostgresDatabase) {
    this.#database = database;
  }

  async acquire(name: string, holder: string, ttlMs: number): Promise<Lease | undefined> {
    const [lease] = await this.#database.query<{ fence: string }>("acquiring a lease", ACQUIRE, [
      name,
      holder,
      ttlMs,
    ]);
    return lease && { fence: Number(lease.fence) };
  }

  async release(name: string, holder: string): Promise<void> {
    await this.#database.query("releasing a lease", RELEASE, [name, holder]);
  }
}
