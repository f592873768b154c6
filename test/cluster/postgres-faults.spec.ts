import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { inspect } from "node:util";
import { test as base, describe, expect } from "vitest";
import { sharedKey } from "../../src/control/keys.js";
import type { Lease } from "../../src/control/lease-store.js";
import { migrateDatabase } from "../../src/control/postgres/migrate.js";
import { Notifications } from "../../src/control/postgres/notifications.js";
import { PostgresControl, PostgresLeases } from "../../src/control/postgres/postgres-control.js";
import { PostgresDatabase } from "../../src/control/postgres/postgres-database.js";
import { PostgresDayLedger } from "../../src/control/postgres/postgres-day-ledger.js";
import { postgresSchema, readAddress } from "../../src/control/postgres/postgres-options.js";
import { PostgresRecords } from "../../src/control/postgres/postgres-records.js";
import { RECORD_KINDS } from "../../src/control/records.js";
import { AUTHOR } from "../../src/integrity/testing/app-attest-configs-conformance.js";
import { systemClock } from "../../src/model/clock.js";
import { LAST_DAY } from "../../src/model/day.js";
import { FencedError, StoreOpenError, StoreUnavailableError } from "../../src/model/store-error.js";
import { closedAtEnd, opening } from "../support/closing.js";
import {
  addressOf,
  type Connections,
  configsOn,
  testDatabase,
} from "../support/cluster/postgres-database.js";
import {
  POSTGRES_PASSWORD,
  POSTGRES_USER,
  postgresServer,
  runSql,
} from "../support/cluster/postgres-server.js";
import { sharedPostgres } from "../support/cluster/shared-servers.js";
import { stallingProxy } from "../support/cluster/stalling-proxy.js";
import { packagePath } from "../support/package-path.js";
import { poll } from "../support/poll.js";
import { testDirectory } from "../support/test-directory.js";

const recordsIn = (database: PostgresDatabase): PostgresRecords =>
  new PostgresRecords({ database, notifications: new Notifications(database), clock: systemClock });

const PROJECT = "7";
const PROJECTS = [{ id: "project", number: PROJECT, apps: [{ id: "a" }] }];
const DAY = 20_000;

const test = base
  .extend("database", opening(testDatabase))
  /** A server that the test can stop. */
  .extend(
    "server",
    opening(() => postgresServer({ fsync: true })),
  )
  .extend("ownDatabase", async ({ server }, { onCleanup }) =>
    closedAtEnd(await testDatabase(server.port), onCleanup),
  );

const configs = (connections: Connections) => configsOn(connections, PROJECTS);
const ledgerOn = (connections: Connections) => new PostgresDayLedger(connections);
const change = (seconds: number) => ({
  author: AUTHOR,
  updateMask: "*",
  valuesAfter: () => ({ tokenTtl: { seconds: BigInt(seconds), nanos: 0 } }),
});
const fence = (lease: Lease | undefined) => lease && { lease: "rollup", number: lease.fence };
const publish = async (ledger: PostgresDayLedger, day = DAY) =>
  ledger.publish(await ledger.begin(PROJECT, []), [{ day, isEmpty: false }]);

/** Makes every kind of call to the database. */
const callsOn = async (connections: Connections) => {
  const store = await configs(connections);
  const ledger = ledgerOn(connections);
  const leases = new PostgresLeases(connections.database);
  return [
    async () => store.find(PROJECT, "a"),
    () => store.listSet(PROJECT),
    () => store.change(PROJECT, "a", change(3_600)),
    () => leases.acquire("work", "me", 1_000),
    () => leases.release("work", "me"),
    () => ledger.admit(),
    () => ledger.staleProjects(),
    () => ledger.published(PROJECT, LAST_DAY),
    () => ledger.version(PROJECT, LAST_DAY),
    () => publish(ledger),
    () => connections.database.check(),
  ];
};

const outcomeOf = async (call: () => Promise<unknown>): Promise<unknown> =>
  call().then(
    () => "responded",
    (error: unknown) => (error instanceof StoreUnavailableError ? "unavailable" : error),
  );
type Calls = readonly (() => Promise<unknown>)[];
const outcomes = (calls: Calls) => Promise.all(calls.map(outcomeOf));
const all = (outcome: string, calls: Calls) => calls.map(() => outcome);
/** Repeats each call until it has the expected outcome. A call must not fail in another way or hang. */
const untilEach = (outcome: string, calls: Calls) =>
  Promise.all(
    calls.map((call) =>
      poll(async () => {
        const last = await outcomeOf(call);
        expect(["responded", "unavailable"]).toContain(last);
        return last;
      }, outcome),
    ),
  );

describe("while the PostgreSQL server is down", () => {
  test("calls are rejected and local copies are not used, until the server is back", async ({
    server,
    ownDatabase,
  }) => {
    const calls = await callsOn(ownDatabase.connect());
    await untilEach("responded", calls);
    await server.crash();
    // A copy may be used for a second.
    await untilEach("unavailable", calls);
    expect(await outcomes(calls)).toEqual(all("unavailable", calls));
    await server.start();
    await untilEach("responded", calls);
  });

  test("acknowledged changes are preserved, each once, after the server has crashed", async ({
    server,
    ownDatabase,
  }) => {
    const stores = await Promise.all([0, 1].map(() => configs(ownDatabase.connect())));
    const ledgers = [0, 1].map(() => ledgerOn(ownDatabase.connect()));
    const acknowledged = new Map<number, number>();
    let marked = 0;
    let attempts = 0;
    let stopped = false;
    const rejected: unknown[] = [];
    const working = [...stores.entries()].map(async ([index, store]) => {
      for (let i = 0; !stopped; i++) {
        const seconds = 2_000 + 2 * i + index;
        try {
          const config = await store.change(PROJECT, "a", change(seconds));
          acknowledged.set(config?.revision ?? 0, seconds);
          const ledger = ledgers[index] as PostgresDayLedger;
          const admission = await ledger.admit();
          attempts++;
          await ledger.markStale(admission, [{ project: PROJECT, day: DAY, events: 1 }]);
          marked++;
        } catch (error) {
          rejected.push(error);
        }
      }
    });
    for (let crash = 1; crash <= 2; crash++) {
      const before = acknowledged.size;
      await poll(() => acknowledged.size >= before + 20);
      await server.crash();
      const failures = rejected.length;
      await poll(() => rejected.length > failures);
      await server.start();
    }
    const before = acknowledged.size;
    await poll(() => acknowledged.size > before);
    stopped = true;
    await Promise.all(working);
    expect(rejected.filter((error) => !(error instanceof StoreUnavailableError))).toEqual([]);
    const { rows } = await runSql(
      server.port,
      "SELECT (value::json ->> 'revision')::int AS revision, value::json #>> '{config,tokenTtl}' AS ttl FROM waybill.record_history ORDER BY 1",
      ownDatabase.name,
    );
    expect(rows.map(({ revision }) => revision)).toEqual(rows.map((_, index) => index + 1));
    for (const [revision, seconds] of acknowledged) expect(rows[revision - 1].ttl).toBe(`${seconds}s`);
    const { days } = await (ledgers[0] as PostgresDayLedger).begin(PROJECT, [DAY]);
    expect(days.get(DAY)?.events).toBeGreaterThanOrEqual(marked);
    expect(days.get(DAY)?.events).toBeLessThanOrEqual(attempts);
  });
});

test("a PostgreSQL connection that hangs without closing is detected and replaced", async ({
  database,
  onTestFinished,
}) => {
  const proxy = await stallingProxy(database.port);
  onTestFinished(proxy.close);
  const connections = database.connect({ port: proxy.port, silenceMs: 1_000 });
  const calls = await callsOn(connections);
  await untilEach("responded", calls);
  proxy.stall();
  // Each caller notices it: within a second if a copy serves it, otherwise when its connection is closed.
  await untilEach("unavailable", calls);
  expect(await outcomes(calls)).toEqual(all("unavailable", calls));
  // Hanging connections do not recover. Only new connections are forwarded.
  proxy.resume();
  await untilEach("responded", calls);
});

test("a process that was suspended past its lease cannot overwrite the next holder's publication", async ({
  database,
}) => {
  const [sleeper, next] = [database.connect(), database.connect()];
  const lease = await new PostgresLeases(sleeper.database).acquire("rollup", "sleeper", 30_000);
  const slept = await ledgerOn(sleeper).begin(PROJECT, [DAY], fence(lease));
  expect(await new PostgresLeases(next.database).acquire("rollup", "next", 30_000)).toBeUndefined();
  await runSql(database.port, "UPDATE waybill.leases SET ends_at = now()", database.name);
  const second = await new PostgresLeases(next.database).acquire("rollup", "next", 30_000);
  const ledger = ledgerOn(next);
  const run = await ledger.begin(PROJECT, [DAY], fence(second));
  await expect(ledgerOn(sleeper).publish(slept, [{ day: DAY, isEmpty: true }])).rejects.toThrow(FencedError);
  await ledger.publish(run, [{ day: DAY, isEmpty: false }]);
  expect(await ledger.published(PROJECT, LAST_DAY)).toEqual([{ day: DAY, version: run.version }]);
});

describe("the PostgreSQL schema", () => {
  test("is created once by processes that start together", async ({ database }) => {
    await runSql(database.port, "DROP SCHEMA waybill CASCADE", database.name);
    const databases = [0, 1, 2].map(() => database.connect().database);
    await Promise.all(databases.map(migrateDatabase));
    const { rows } = await runSql(
      database.port,
      "SELECT version FROM waybill.schema_migrations ORDER BY version",
      database.name,
    );
    expect(rows.length).toBeGreaterThan(0);
    expect(rows).toEqual(rows.map((_, index) => ({ version: index + 1 })));
  });

  test("may exist already if the user is not allowed to create one", async ({ database }) => {
    await runSql(
      database.port,
      `DROP SCHEMA waybill CASCADE; CREATE ROLE ${database.name} LOGIN PASSWORD 'own';
       CREATE SCHEMA waybill AUTHORIZATION ${database.name}`,
      database.name,
    );
    const address = { ...addressOf(database.port, database.name), user: database.name, password: "own" };
    const own = new PostgresDatabase({ address, connections: 2 });
    await migrateDatabase(own);
    expect(await sharedKey(recordsIn(own), "a", () => "text")).toMatchObject({ value: "text" });
    await own.close();
  });

  test("of a newer version is rejected", async ({ database }) => {
    await runSql(database.port, "INSERT INTO waybill.schema_migrations VALUES (99, now())", database.name);
    const opening = migrateDatabase(database.connect().database);
    await expect(opening).rejects.toBeInstanceOf(StoreOpenError);
    await expect(opening).rejects.toThrow("run the newer version that wrote it");
  });
});

test("PostgreSQL errors describe the problem, and contain no secret", async ({ database }) => {
  const wrong = { ...addressOf(await sharedPostgres(), database.name), password: "wrong s3cret" };
  const unknown = new PostgresDatabase({ address: wrong, connections: 2 });
  const errors = [
    await migrateDatabase(unknown).catch((error: unknown) => error),
    await unknown.check().catch((error: unknown) => error),
    await recordsIn(unknown)
      .change([{ kind: RECORD_KINDS.key, key: "a", value: "made s3cret" }])
      .catch((error: unknown) => error),
  ];
  await unknown.close();
  const names = ["StoreOpenError", "StoreUnavailableError", "StoreUnavailableError"];
  expect(errors.map((error) => (error as Error).name)).toEqual(names);
  for (const error of errors) {
    expect(String(error)).toContain("password authentication failed");
    expect(inspect(error, { depth: 10, showHidden: true })).not.toContain("s3cret");
  }
});

test("a PostgreSQL connection uses TLS, and rejects a certificate from another authority", async ({
  onTestFinished,
}) => {
  const server = await postgresServer({ tls: true });
  onTestFinished(server.close);
  const file = (name: string) => packagePath(`test/fixtures/tls/${name}`);
  const passwordFile = join(await testDirectory(), "password");
  writeFileSync(passwordFile, POSTGRES_PASSWORD);
  const url = `postgres://${POSTGRES_USER}@127.0.0.1:${server.port}/postgres`;
  const own = { certificate: file("client.pem"), key: file("client.key") };
  const optionsWith = (ca: string) =>
    postgresSchema.parse({ engine: "postgres", url, passwordFile, tls: { ...own, ca: file(ca) } });
  const address = await readAddress(optionsWith("ca.pem"));
  const database = new PostgresDatabase({ address, connections: 2 });
  onTestFinished(() => database.close());
  const sql = "SELECT ssl, client_dn FROM pg_stat_ssl WHERE pid = pg_backend_pid()";
  expect(await database.query("asking", sql)).toEqual([{ ssl: true, client_dn: "/CN=client" }]);
  await expect(PostgresControl.open(optionsWith("other.pem"), systemClock)).rejects.toThrow(
    /cannot be used: .*certificate/,
  );
  const missing = PostgresControl.open({ ...optionsWith("ca.pem"), passwordFile: "/nowhere" }, systemClock);
  await expect(missing).rejects.toThrow(
    "control.passwordFile: /nowhere cannot be read: there is no such file",
  );
});
