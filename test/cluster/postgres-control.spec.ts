import { expect, it, onTestFinished } from "vitest";
import { PostgresLeases } from "../../src/control/postgres/postgres-control.js";
import { PostgresCopy } from "../../src/control/postgres/postgres-copy.js";
import { PostgresDayLedger } from "../../src/control/postgres/postgres-day-ledger.js";
import { PostgresRecords } from "../../src/control/postgres/postgres-records.js";
import { contentOfAllKinds, fillAllKinds } from "../../src/control/testing/all-kinds.js";
import { describeDayLedger } from "../../src/control/testing/day-ledger/day-ledger-conformance.js";
import { describeLeaseStore } from "../../src/control/testing/lease-conformance.js";
import { describeRecords } from "../../src/control/testing/records/records-conformance.js";
import { testRecords } from "../../src/control/testing/test-records.js";
import { describeAppAttestConfigs } from "../../src/integrity/testing/app-attest-configs-conformance.js";
import { describeTokenCounts } from "../../src/integrity/testing/token-counts-conformance.js";
import { systemClock } from "../../src/model/clock.js";
import { describeRegistry } from "../../src/registry/testing/registry-conformance.js";
import { testDatabase } from "../support/cluster/postgres-database.js";
import { testDirectory } from "../support/test-directory.js";

/** In these suites, each read checks for changes of other processes. */
const maxStaleness = 0;

/** Creates a database for the current test, and returns a function that connects to it. */
async function connections() {
  const { connect, close } = await testDatabase();
  onTestFinished(close);
  return connect;
}

describeRecords("PostgresRecords", async () => {
  const connect = await connections();
  let now = 1_000_000;
  const clock = { wall: () => now, monotonic: () => now };
  return {
    open: async () => new PostgresRecords({ ...connect(), clock }),
    now: () => now,
    pass: (milliseconds) => {
      now += milliseconds;
    },
  };
});

describeAppAttestConfigs("AppAttestConfigs in PostgreSQL", async () => {
  const connect = await connections();
  return { open: async () => new PostgresRecords({ ...connect(), clock: systemClock }) };
});

describeTokenCounts("token counts in PostgreSQL", async () => {
  const connect = await connections();
  return { open: async (clock) => new PostgresRecords({ ...connect(), clock }) };
});

it("control data in PostgreSQL has all records except secrets after a copy, and the history of all kinds", async () => {
  const source = await testRecords(await testDirectory());
  await fillAllKinds(source);
  const connection = (await connections())();
  const copy = new PostgresCopy(connection.database);
  for await (const some of source.allRecords()) await copy.addRecords(some, []);
  for await (const some of source.allHistory()) await copy.addRecords([], some);
  const copied = new PostgresRecords({ ...connection, clock: systemClock });
  const content = await contentOfAllKinds(source);
  expect(await contentOfAllKinds(copied)).toEqual(content);
  expect(await copy.historyLength()).toBe(content.history.length);
});

describeRegistry("Registry in PostgreSQL", async () => {
  const connect = await connections();
  return { open: async () => new PostgresRecords({ ...connect(), clock: systemClock }) };
});

describeDayLedger("PostgresDayLedger", async (options) => {
  const { connect, close } = await testDatabase();
  return { open: () => new PostgresDayLedger({ ...connect(), ...options, maxStaleness }), dispose: close };
});

describeLeaseStore("PostgresLeases", async () => {
  const { database } = (await connections())();
  return {
    leases: new PostgresLeases(database),
    pass: async (milliseconds) => {
      const sql = "UPDATE waybill.leases SET ends_at = ends_at - $1 * interval '1 millisecond'";
      await database.query("letting time pass", sql, [milliseconds]);
    },
  };
});
