import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { ProcessDayLedger } from "../../src/control/testing/process-day-ledger.js";
import { systemClock } from "../../src/model/clock.js";
import { LAST_DAY } from "../../src/model/day.js";
import { StoreUnavailableError } from "../../src/model/store-error.js";
import { ClickHouseStore } from "../../src/store/clickhouse/clickhouse-store.js";
import { mirroredEntries, mirroredRow } from "../../src/store/testing/conformance/mirror/mirrored-rows.js";
import { readTexts, responseOf } from "../../src/store/testing/conformance/mirror/responses-conformance.js";
import { readVersions, versionOf } from "../../src/store/testing/conformance/mirror/versions-conformance.js";
import { accepted, blocksOf, PROJECT, settle } from "../../src/store/testing/test-events.js";
import {
  type ClickHouseCluster,
  dropTables,
  makeTables,
  startCluster,
} from "../support/cluster/clickhouse-cluster.js";
import { CLUSTER } from "../support/cluster/clickhouse-server.js";
import { runStatement } from "../support/cluster/run-statement.js";
import { type FaultyProxy, faultyProxy } from "../support/http/faulty-proxy.js";
import { PATIENCE_MS, poll, pollUntilSuccess } from "../support/poll.js";

/** ZooKeeper session timeout of a server, in milliseconds. Tests wait for it. */
const SESSION_MS = 3_000;

let cluster: ClickHouseCluster;
let database = "";
let databases = 0;
beforeAll(async () => {
  cluster = await startCluster({ sessionMs: SESSION_MS });
});
afterAll(() => cluster.dispose());
beforeEach(async () => {
  database = `faults_${++databases}`;
  // Without statements on the cluster: a server of version 18.16 may stop executing these (docs/operate/cluster.md).
  await makeTables(urlsOf(), database);
});
afterEach(() => dropTables(urlsOf(), database));

/** A second database for the test. */
const laterDatabase = () => `${database}_later`;

const DAY = Date.UTC(2026, 2, 5) / 86_400_000;

const urlsOf = () => cluster.servers.map(({ url }) => url);
const openStore = (urls: readonly string[], retryMs?: number, of = database) =>
  ClickHouseStore.open({
    urls,
    database: of,
    cluster: CLUSTER,
    ledger: new ProcessDayLedger(systemClock),
    ...(retryMs !== undefined && { retryMs }),
  });

/** Returns a table's number of rows on one replica of each shard. */
async function rowsOf(table: string): Promise<number> {
  const counts = await Promise.all(
    cluster.servers
      .filter(({ replica }) => replica === 0)
      .map(({ url }) => runStatement(url, `SELECT count() FROM ${database}.${table}`)),
  );
  return counts.reduce((sum, count) => sum + Number(count), 0);
}

/** Each server's replicas, their queues, and its last log lines. */
async function replicationOf({ servers }: ClickHouseCluster): Promise<string> {
  const statements = ["replicas", "replication_queue"].map(
    (table) => `SELECT * FROM system.${table} WHERE database = '${database}' FORMAT Vertical`,
  );
  const reports = servers.map(async ({ url, directory }) => {
    const rows = await Promise.all(statements.map((each) => runStatement(url, each).catch(String)));
    return [directory, ...rows, (await readFile(join(directory, "log"), "utf8")).slice(-8_000)];
  });
  return (await Promise.all(reports)).flat().join("\n");
}

const messagesOf = async (store: ClickHouseStore): Promise<number> => {
  const batches = await store.readEntries({ project: PROJECT, appId: "app", until: LAST_DAY, limit: 10 });
  return batches.reduce((sum, { counts }) => sum + (counts[0]?.[0] ?? 0), 0);
};

let messages = 0;
const someEvents = (count: number) =>
  blocksOf(Array.from({ length: count }, () => accepted({ messageId: `m${messages++}` })));

describe("a store with connections that break", () => {
  let proxies: FaultyProxy[];
  let store: ClickHouseStore;
  beforeEach(async () => {
    proxies = await Promise.all(urlsOf().map((url) => faultyProxy(url)));
    store = await openStore(proxies.map(({ url }) => url));
  });
  afterEach(async () => {
    await store.close();
    await Promise.all(proxies.map(({ close }) => close()));
  });

  it("stores events once, even if the response to their insert is lost", async () => {
    for (const proxy of proxies) proxy.next("cut before", "cut after", "cut within");
    expect(await store.append(PROJECT, someEvents(1_000))).toEqual({ tooLate: 0 });
    expect(await rowsOf("message_states")).toBe(1_000);
    await settle(store);
    expect(await messagesOf(store)).toBe(1_000);
  });

  it("stores responses and versions once, even if the responses to their inserts are lost", async () => {
    for (const proxy of proxies) proxy.next("cut before", "cut after", "cut within");
    await store.storeResponse(PROJECT, responseOf());
    for (const proxy of proxies) proxy.next("cut before", "cut after", "cut within");
    await store.keepVersions(PROJECT, [versionOf()]);
    expect(await readTexts(store)).toHaveLength(1);
    expect(await readVersions(store)).toEqual([versionOf()]);
  });

  it("continues to read from another server, and publishes a day once", async () => {
    await store.append(PROJECT, someEvents(100));
    for (const proxy of proxies.slice(1)) proxy.next("cut before", "cut after");
    await settle(store);
    for (const proxy of proxies.slice(1)) proxy.next("cut after", "cut within");
    expect(await messagesOf(store)).toBe(100);
  });
});

describe("a store in a cluster that has failed in part", () => {
  let store: ClickHouseStore;
  beforeEach(async () => {
    // Creates the tables, with a longer timeout than the tested store.
    await (await openStore(urlsOf(), PATIENCE_MS)).close();
    store = await openStore(urlsOf(), 4_000);
  });
  afterEach(async ({ task }) => {
    if (task.result?.state === "fail") console.error(await replicationOf(cluster));
    await store.close();
  });

  /** Appends until it succeeds. @returns the number of events. */
  async function appendAtLast(count: number, events = someEvents(count)): Promise<number> {
    await pollUntilSuccess(() => store.append(PROJECT, events));
    return count;
  }

  /** Rolls up until it succeeds. */
  const settleAtLast = () => pollUntilSuccess(() => settle(store));

  it("returns an error instead of partial data while a shard is down, and all data afterwards", async () => {
    let sent = await appendAtLast(500);
    const rejected = someEvents(50);
    await settle(store);
    const shard = cluster.servers.filter((server) => server.shard === 1);
    await Promise.all(shard.map(({ stop }) => stop()));
    // Labels in both shards.
    const versions = Array.from({ length: 50 }, (_, i) => mirroredRow({ label: `l${i}` }));
    const histories = { project: PROJECT, appId: "app", since: 0, counts: ["delivered"] } as const;
    const calls = [
      () => messagesOf(store),
      () => store.listApps({ project: PROJECT, until: LAST_DAY, limit: 9 }),
      () => store.sumEntries({ project: PROJECT, until: LAST_DAY, groupBy: new Set(), limit: 9 }),
      () => store.readHistories({ ...histories, until: LAST_DAY, labels: 9 }),
      () => store.digestCounts({ ...histories, until: LAST_DAY }),
      () => store.append(PROJECT, rejected),
      () => store.rollUp(PROJECT, [DAY]),
      () => store.check(),
      () => store.storeResponse(PROJECT, responseOf()),
      () => store.readResponses({ project: PROJECT, appId: "app", limit: 9 }),
      () => store.keepVersions(PROJECT, versions),
      () => readVersions(store),
      () => store.publish(PROJECT, [{ day: DAY - 1, entries: [mirroredEntries(versions)] }]),
    ];
    await Promise.all(calls.map((call) => expect(call()).rejects.toThrow(StoreUnavailableError)));
    const named = shard.map(({ tcpPort }) => `127.0.0.1:${tcpPort} (shard 2)`);
    for (const server of named) await expect(store.check()).rejects.toThrow(server);
    await expect(store.hasImportQuorum()).rejects.toThrow(StoreUnavailableError);
    await Promise.all(shard.map(({ start }) => start()));
    sent += await appendAtLast(500);
    await settleAtLast();
    // Some of the rejected events may be stored.
    const stored = await messagesOf(store);
    expect(stored).toBeGreaterThanOrEqual(sent);
    expect(stored).toBeLessThanOrEqual(sent + 50);
    await store.check();
  });

  it("completes a partly stored append when it is repeated after a replica failure", async () => {
    const sent = await appendAtLast(500);
    await settle(store);
    const replica = cluster.servers.find(({ shard }) => shard === 1);
    await replica?.stop();
    const rejected = someEvents(50);
    expect(await store.hasImportQuorum()).toBe(false);
    await store.check();
    await expect(store.append(PROJECT, rejected)).rejects.toThrow(StoreUnavailableError);
    await replica?.start();
    await appendAtLast(50, rejected);
    expect(await store.hasImportQuorum()).toBe(true);
    await settleAtLast();
    expect(await messagesOf(store)).toBe(sent + 50);
  });

  it("counts every acknowledged event once, while a replica is killed and started again", async () => {
    let sent = 0;
    let isDone = false;
    const appending = (async () => {
      while (!isDone) sent += await appendAtLast(20);
    })();
    await poll(() => sent >= 100);
    const [, replica] = cluster.servers;
    await replica?.stop();
    // Awaited below. If the test fails earlier, it reports its own error.
    appending.catch(() => {});
    await settleAtLast();
    expect(await messagesOf(store)).toBeGreaterThanOrEqual(100);
    await replica?.start();
    const before = sent;
    await poll(() => sent >= before + 100);
    isDone = true;
    await appending;
    await settleAtLast();
    expect(await messagesOf(store)).toBe(sent);
  });

  it("removes a settled day's states without waiting for an unavailable replica, which catches up later", async () => {
    await appendAtLast(100);
    await settle(store);
    const [replica] = cluster.servers;
    await replica?.stop();
    await store.seal(DAY);
    await pollUntilSuccess(() => store.removeExpired(PROJECT, [DAY]));
    expect(await store.expiredProjects()).toEqual([]);
    await replica?.start();
    await poll(() => rowsOf("message_states").catch(() => undefined), 0);
  });

  it("reads without ZooKeeper, and writes and opens again when ZooKeeper has returned", async () => {
    let sent = await appendAtLast(100);
    await settle(store);
    await cluster.zooKeeper.stop();
    const rejected = someEvents(50);
    await expect(store.append(PROJECT, rejected)).rejects.toThrow(StoreUnavailableError);
    expect(await store.hasImportQuorum()).toBe(false);
    expect(await messagesOf(store)).toBe(sent);
    const opening = openStore(urlsOf(), PATIENCE_MS, laterDatabase());
    await cluster.zooKeeper.start();
    sent += await appendAtLast(100);
    sent += await appendAtLast(50, rejected);
    await settleAtLast();
    expect(await messagesOf(store)).toBe(sent);
    const later = await opening;
    expect(await messagesOf(later)).toBe(0);
    await later.close();
    await dropTables(urlsOf(), laterDatabase());
  });
});

describe("a store with three replicas", () => {
  it("writes without one of them, and reads all acknowledged data when that replica is back but behind", async () => {
    const three = await startCluster({ shards: 1, replicas: 3, sessionMs: SESSION_MS });
    try {
      const urls = three.servers.map(({ url }) => url);
      await makeTables(urls, database);
      const ledger = new ProcessDayLedger(systemClock);
      const store = await ClickHouseStore.open({ urls, database, cluster: CLUSTER, ledger });
      const replica = three.servers.at(-1);
      let sent = 0;
      for (const change of [() => replica?.stop(), () => replica?.start()]) {
        await change();
        for (let i = 0; i < 10; i++) {
          await store.append(PROJECT, someEvents(10));
          sent += 10;
          await settle(store);
          expect(await messagesOf(store)).toBe(sent);
          expect(await store.hasImportQuorum()).toBe(true);
        }
      }
      await store.close();
    } finally {
      await three.dispose();
    }
  });
});
