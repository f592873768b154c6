import { test as base, expect } from "vitest";
import { PostgresDayLedger } from "../../src/control/postgres/postgres-day-ledger.js";
import { AUTHOR } from "../../src/integrity/testing/app-attest-configs-conformance.js";
import { LAST_DAY } from "../../src/model/day.js";
import { opening } from "../support/closing.js";
import { type Connections, configsOn, testDatabase } from "../support/cluster/postgres-database.js";
import { postgresServer } from "../support/cluster/postgres-server.js";
import { poll } from "../support/poll.js";

const PROJECT = "7";
const PROJECTS = [{ id: "project", number: PROJECT, apps: [{ id: "a" }] }];
const HOUR = 3_600_000;

const test = base.extend("database", opening(testDatabase));

/** Kinds of state that one process changes and a different one reads. */
const COPIES = {
  configurations: (connections: Connections, maxStaleness: number) => {
    const store = configsOn(connections, PROJECTS, maxStaleness);
    const tokenTtl = { seconds: 7_200n, nanos: 0 };
    const change = { author: AUTHOR, updateMask: "*", valuesAfter: () => ({ tokenTtl }) };
    return {
      change: async () => (await store).change(PROJECT, "a", change),
      read: async () => (await (await store).find(PROJECT, "a"))?.revision ?? 0,
    };
  },
  publications: (connections: Connections, maxStaleness: number) => {
    const ledger = new PostgresDayLedger({ ...connections, maxStaleness });
    return {
      change: async () => ledger.publish(await ledger.begin(PROJECT, []), [{ day: 20_000, isEmpty: false }]),
      read: async () => Number(await ledger.version(PROJECT, LAST_DAY)),
    };
  },
};

test.for(Object.entries(COPIES))("%s follow notices from other processes", async ([, open], { database }) => {
  const one = open(database.connect(), HOUR);
  const two = open(database.connect(), HOUR);
  // Subscribed once the first notice has arrived.
  await poll(
    async () => {
      await one.change();
      return [await one.read(), await two.read()];
    },
    ([mine, theirs]) => mine === theirs,
  );
  const before = await two.read();
  await one.change();
  expect(await poll(two.read, (revision) => revision > before)).toBe(await one.read());
});

test.for(Object.entries(COPIES))("%s follow changes even without notices", async ([, open], { database }) => {
  const one = open(database.connect(), HOUR);
  const connections = database.connect();
  await connections.notifications.close();
  const two = open(connections, 1_000);
  expect(await two.read()).toBe(0);
  await one.change();
  expect(await poll(two.read, (revision) => revision > 0)).toBe(await one.read());
});

test("local copies include changes that were made while notices were lost", async ({ onTestFinished }) => {
  const server = await postgresServer();
  onTestFinished(server.close);
  const database = await testDatabase(server.port);
  onTestFinished(database.close);
  const open = COPIES.publications;
  const [one, two] = [open(database.connect(), HOUR), open(database.connect(), HOUR)];
  const sameInBoth = async () => {
    const version = await one.read();
    await poll(two.read, version);
  };
  await one.change();
  await sameInBoth();
  await server.crash();
  await server.start();
  await one.change();
  await sameInBoth();
  await one.change();
  await sameInBoth();
});
