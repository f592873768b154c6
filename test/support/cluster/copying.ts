import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PostgresCopy } from "../../../src/control/postgres/postgres-copy.js";
import { PostgresDayLedger } from "../../../src/control/postgres/postgres-day-ledger.js";
import { PostgresRecords } from "../../../src/control/postgres/postgres-records.js";
import { systemClock } from "../../../src/model/clock.js";
import { ClickHouseStore } from "../../../src/store/clickhouse/clickhouse-store.js";
import { ClickHouseTarget } from "../../../src/store/clickhouse/copy/clickhouse-target.js";
import { type Copied, type Copying, type CopySource, copyData } from "../../../src/store/copy/copy-data.js";
import { DuckDbSource } from "../../../src/store/duckdb/copy/duckdb-source.js";
import { DuckDbStore } from "../../../src/store/duckdb/duckdb-store.js";
import type { Store } from "../../../src/store/store.js";
import { need } from "../needs.js";
import { databaseName } from "./database-name.js";
import { type TestDatabase, testDatabase } from "./postgres-database.js";
import { runStatement } from "./run-statement.js";
import { sharedChdb } from "./shared-servers.js";

need("chdb");

export class Cut extends Error {}

/** Creates a source that fails after some batches of rows. */
export function cutAfter(source: CopySource, batches: number): CopySource {
  let left = batches;
  async function* cut<T>(rows: AsyncIterable<T>): AsyncGenerator<T> {
    for await (const some of rows) {
      if (left-- === 0) throw new Cut();
      yield some;
    }
    if (left-- === 0) throw new Cut();
  }
  return {
    days: () => source.days(),
    sealedUntil: () => source.sealedUntil(),
    states: (...of) => cut(source.states(...of)),
    entries: (...of) => cut(source.entries(...of)),
    mirrors: () => source.mirrors(),
    versions: (project) => cut(source.versions(project)),
    responses: (project) => cut(source.responses(project)),
    messagesOf: (stored) => source.messagesOf(stored),
    sums: (project) => source.sums(project),
  };
}

/** An embedded store, and a cluster as the target for its data. */
export class Move {
  readonly #url: string;
  #postgres: TestDatabase;
  readonly directory: string;
  readonly database = databaseName("copy");

  private constructor(url: string, postgres: TestDatabase, directory: string) {
    this.#url = url;
    this.#postgres = postgres;
    this.directory = directory;
  }

  /** @param url address of the store's server in the cluster; by default the shared one. */
  static async begin(url?: string): Promise<Move> {
    const directory = await mkdtemp(join(tmpdir(), "waybill-copy-"));
    return new Move(url ?? (await sharedChdb()), await testDatabase(), directory);
  }

  async embedded<T>(work: (store: Store) => Promise<T>): Promise<T> {
    const store = await DuckDbStore.open({ directory: this.directory, memoryLimit: "128MB" });
    return work(store).finally(() => store.close());
  }

  async clustered<T>(work: (store: Store) => Promise<T>): Promise<T> {
    const { urls, database, ledger } = this.#place();
    const store = await ClickHouseStore.open({ urls, database, ledger });
    return work(store).finally(() => store.close());
  }

  /** Copies the data, as a separate process would. */
  async copy(
    wrap: (source: CopySource) => CopySource = (source) => source,
    over: Partial<Copying> = {},
  ): Promise<Copied> {
    const place = this.#place();
    const source = await DuckDbSource.open(this.directory);
    const target = await ClickHouseTarget.open(place);
    const { copy, ...control } = this.control();
    try {
      return await copyData({
        source: wrap(source),
        records: undefined,
        keys: new Map(),
        target,
        control,
        ledger: place.ledger,
        copy,
        onTotal: () => {},
        onRows: () => {},
        rowsTogether: 25,
        ...over,
      });
    } finally {
      source.close();
      await target.close();
    }
  }

  control() {
    const connections = this.#postgres.connect();
    const { database } = connections;
    return {
      records: new PostgresRecords({ ...connections, clock: systemClock }),
      copy: new PostgresCopy(database),
    };
  }

  /** Replaces the PostgreSQL database by an empty one. */
  async loseControl(): Promise<void> {
    await this.#postgres.close();
    this.#postgres = await testDatabase();
  }

  async end(): Promise<void> {
    await runStatement(this.#url, `DROP DATABASE IF EXISTS ${this.database}`);
    await this.#postgres.close();
    await rm(this.directory, { recursive: true });
  }

  #place() {
    const ledger = new PostgresDayLedger({ ...this.#postgres.connect(), maxStaleness: 0 });
    return { urls: [this.#url], database: this.database, ledger };
  }
}
