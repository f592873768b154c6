import type { Lease, LeaseStore } from "../lease-store.js";
import type { PostgresDatabase } from "./postgres-database.js";
import { readSql } from "./sql.js";

const ACQUIRE = readSql("acquire-lease.sql");
const RELEASE = readSql("release-lease.sql");

/** Leases in a table. The clock of the database decides when they end, not those of their holders. */
export class PostgresLeases implements LeaseStore {
  readonly #database: PostgresDatabase;

  constructor(database: PostgresDatabase) {
    this.#database = database;
  }

  async acquire(name: string, holder: string, ttlMs: number): Promise<Lease | undefined> {
    const [lease] = await this.#database.query<{ fence: string }>("taking a lease", ACQUIRE, [
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
