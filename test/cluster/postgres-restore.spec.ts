import { test as base, expect } from "vitest";
import { PostgresDayLedger } from "../../src/control/postgres/postgres-day-ledger.js";
import { AUTHOR } from "../../src/integrity/testing/app-attest-configs-conformance.js";
import { type Day, LAST_DAY } from "../../src/model/day.js";
import { ClickHouseStore } from "../../src/store/clickhouse/clickhouse-store.js";
import { accepted, blocksOf, settle } from "../../src/store/testing/test-events.js";
import { closedAtEnd, opening } from "../support/closing.js";
import { databaseName } from "../support/cluster/database-name.js";
import { configsOn, type TestDatabase, testDatabase } from "../support/cluster/postgres-database.js";
import { postgresServer } from "../support/cluster/postgres-server.js";
import { runStatement } from "../support/cluster/run-statement.js";
import { sharedChdb } from "../support/cluster/shared-servers.js";
import { poll, pollUntilSuccess } from "../support/poll.js";

const PROJECT = "7";
const PROJECTS = [{ id: "project", number: PROJECT, apps: ["a", "b", "c"].map((id) => ({ id })) }];
const DAY: Day = 20_000;

const test = base
  .extend("server", opening(postgresServer))
  .extend("database", async ({ server }, { onCleanup }) =>
    closedAtEnd(await testDatabase(server.port), onCleanup),
  );

/** The local copies in one process, and the changes that it makes. */
async function processOn(database: TestDatabase) {
  const connections = database.connect();
  const ledger = new PostgresDayLedger(connections);
  const configs = await configsOn(connections, PROJECTS);
  return {
    publish: async (...days: readonly Day[]) => {
      const run = await ledger.begin(PROJECT, []);
      await ledger.publish(
        run,
        days.map((day) => ({ day, isEmpty: false })),
      );
      return run.version;
    },
    published: () => ledger.published(PROJECT, LAST_DAY),
    version: () => ledger.version(PROJECT, LAST_DAY),
    change: (app: string, hours: number) =>
      configs.change(PROJECT, app, {
        author: AUTHOR,
        updateMask: "*",
        valuesAfter: () => ({ tokenTtl: { seconds: BigInt(3_600 * hours), nanos: 0 } }),
      }),
    /** State visible to the process: days with their versions, the overall version, and configurations. */
    shown: async () => [
      await ledger.published(PROJECT, LAST_DAY),
      await ledger.version(PROJECT, LAST_DAY),
      await configs.listSet(PROJECT),
    ],
  };
}

const days = (published: readonly { readonly day: Day }[]) => published.map(({ day }) => day);

test.for([
  ["a restore", { promoted: false }],
  ["a failover", { promoted: true }],
] as const)(
  "processes use the database's state after %s that loses commits",
  async ([, how], { server, database }) => {
    const [one, two] = [await processOn(database), await processOn(database)];
    await one.publish(DAY);
    await one.change("a", 2);
    const [before] = await one.shown();
    await server.backUp();
    // The restore discards these commits, although both processes have seen them.
    const lost = [await one.publish(DAY + 1), await one.publish(DAY + 2), await one.publish(DAY + 3)];
    await one.change("a", 3);
    await one.change("b", 3);
    const lostVersion = await one.version();
    await two.shown();

    await server.restore(how);
    // More changes than were lost, so a count of changes would not reveal the loss.
    const kept = await poll(
      () => two.publish(DAY + 1).catch(() => 0),
      (version) => version > 0,
    );
    const others: number[] = [];
    for (let i = 0; i < 4; i++) others.push(await two.publish(DAY + 10));
    await two.change("b", 5);
    await two.change("c", 5);
    await two.change("c", 6);
    const fresh = await processOn(database);
    const expected = await fresh.shown();
    for (const process of [one, two]) {
      await poll(process.shown, expected);
    }
    expect(days(await fresh.published())).toEqual([DAY + 10, DAY + 1, DAY]);
    expect(before).toEqual([(await fresh.published()).at(-1)]);
    expect(lost.filter((version) => [kept, ...others].includes(version))).toEqual([]);
    expect(await fresh.version()).not.toBe(lostVersion);
  },
);

test("a day stays stale for other processes after a rollup that has included lost changes", async ({
  server,
  database,
}) => {
  const ledger = new PostgresDayLedger(database.connect());
  const change = async () =>
    ledger.markStale(await ledger.admit(), [{ project: PROJECT, day: DAY, events: 1 }]);
  await change();
  await server.backUp();
  await change();
  const run = await ledger.begin(PROJECT, [DAY]);
  await server.restore();
  await pollUntilSuccess(change);
  await ledger.publish(run, [{ day: DAY, isEmpty: false }]);
  expect(await ledger.staleDays({ project: PROJECT, limit: 9 })).toEqual([DAY]);
});

test("a store counts each message once after the database has lost a rollup", async ({
  server,
  database,
  onTestFinished,
}) => {
  const url = await sharedChdb();
  const name = databaseName("restored");
  onTestFinished(async () => void (await runStatement(url, `DROP DATABASE IF EXISTS ${name}`)));
  const ledger = new PostgresDayLedger(database.connect());
  const store = await ClickHouseStore.open({ urls: [url], database: name, ledger });
  onTestFinished(() => store.close());
  const count = async (messageId: string) => {
    const appended = () => store.append(PROJECT, blocksOf([accepted({ messageId })])).catch(() => undefined);
    await poll(appended, (result) => result !== undefined);
    await settle(store);
  };
  await count("kept");
  await server.backUp();
  await count("lost");
  await server.restore();
  await count("new");
  const counts = async () =>
    (await store.readEntries({ project: PROJECT, until: LAST_DAY, limit: 9 })).flatMap(({ counts }) =>
      Array.from(counts[0] ?? []),
    );
  expect(await counts()).toEqual([3]);
});

test("a process that has missed many publications shows all of them", async ({ database }) => {
  const [one, two] = [await processOn(database), await processOn(database)];
  await one.publish(DAY);
  await two.published();
  for (let i = 0; i < 110; i++) await one.publish(DAY + i);
  await poll(async () => days(await two.published()).length, 110);
});
