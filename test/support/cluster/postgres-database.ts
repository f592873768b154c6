import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { migrateDatabase } from "../../../src/control/postgres/migrate.js";
import { Notifications } from "../../../src/control/postgres/notifications.js";
import { PostgresDatabase } from "../../../src/control/postgres/postgres-database.js";
import { PostgresRecords } from "../../../src/control/postgres/postgres-records.js";
import { AppAttestConfigs } from "../../../src/integrity/app-attest-configs.js";
import { systemClock } from "../../../src/model/clock.js";
import type { FileProject } from "../../../src/registry/entries.js";
import { fileRegistry } from "../../../src/registry/testing/file-registry.js";
import { databaseName } from "./database-name.js";
import { POSTGRES_PASSWORD, POSTGRES_USER, runSql } from "./postgres-server.js";
import { sharedPostgres } from "./shared-servers.js";

export interface Connections {
  readonly database: PostgresDatabase;
  readonly notifications: Notifications;
}

/** A database for one test, with Waybill's schema. */
export interface TestDatabase {
  readonly name: string;
  readonly port: number;
  /** Connects as a separate process would, optionally through a proxy on another port. */
  connect(options?: { readonly port?: number; readonly silenceMs?: number }): Connections;
  /** Closes all connections, and removes the database. */
  close(): Promise<void>;
}

/** Creates a database, by default on the server that all specs share. */
export async function testDatabase(serverPort?: number): Promise<TestDatabase> {
  const port = serverPort ?? (await sharedPostgres());
  const name = databaseName("test");
  await runSql(port, `CREATE DATABASE ${name}`);
  const open: Connections[] = [];
  const connect: TestDatabase["connect"] = ({ port: other = port, silenceMs } = {}) => {
    const database = new PostgresDatabase({ address: addressOf(other, name), connections: 4, silenceMs });
    const connections = { database, notifications: new Notifications(database) };
    open.push(connections);
    return connections;
  };
  await migrateDatabase(connect().database);
  return {
    name,
    port,
    connect,
    close: async () => {
      for (const { database, notifications } of open) {
        await notifications.close();
        await database.close();
      }
      // Fails if the test has stopped the server.
      await runSql(port, `DROP DATABASE ${name} WITH (FORCE)`).catch(() => {});
    },
  };
}

/** Opens configurations as a separate process would. */
export const configsOn = async (
  connections: Connections,
  projects: readonly FileProject[],
  maxStaleness?: number,
): Promise<AppAttestConfigs> =>
  AppAttestConfigs.open({
    records: new PostgresRecords({ ...connections, clock: systemClock }),
    registry: await fileRegistry({ projects }),
    ...(maxStaleness !== undefined && { maxStaleness }),
  });

/** Configures the control data to use a test database. @param directory directory in which to store the password. */
export function controlOn({ name, port }: Pick<TestDatabase, "name" | "port">, directory: string): object {
  const passwordFile = join(directory, "control-password");
  writeFileSync(passwordFile, `${POSTGRES_PASSWORD}\n`);
  const url = `postgres://${POSTGRES_USER}@127.0.0.1:${port}/${name}`;
  return { engine: "postgres", url, passwordFile, connections: 3 };
}

export const addressOf = (port: number, database: string) => ({
  host: "127.0.0.1",
  port,
  user: POSTGRES_USER,
  password: POSTGRES_PASSWORD,
  database,
  ssl: false as const,
});
