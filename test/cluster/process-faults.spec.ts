import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import { expect } from "vitest";
import { makeTraffic, type Traffic } from "../../soak/expected/traffic.js";
import { runInProcess } from "../../src/cli/testing/run-in-process.js";
import { dayOf, startOfDay } from "../../src/model/day.js";
import { Random } from "../../src/simulator/random.js";
import { closedAtEnd, opening } from "../support/closing.js";
import { holdingPostgresProxy } from "../support/cluster/holding-postgres-proxy.js";
import { type HoldingProxy, holdingProxy } from "../support/cluster/holding-proxy.js";
import { startImports } from "../support/cluster/import-load.js";
import { postgresServer, runSql } from "../support/cluster/postgres-server.js";
import { sharedClickHouse } from "../support/cluster/shared-servers.js";
import { startWaybillCluster, type WaybillCluster } from "../support/cluster/waybill-cluster.js";
import { accepted, listOf, type Page } from "../support/data/delivery-data.js";
import { entriesOf, importBatch, ndjson, parsedLines } from "../support/data/import.js";
import { nameOf, patch } from "../support/data/integrity.js";
import { send } from "../support/http/exchange.js";
import { need } from "../support/needs.js";
import { poll } from "../support/poll.js";
import { test as serving } from "../support/servers/process-fixtures.js";
import { EDITOR, IOS_APP, PROJECT } from "../support/servers/project.js";
import type { ServerProcess } from "../support/servers/server-process.js";
import { shiftedClock } from "../support/servers/shifted-clock.js";

need("clickhouse-server", "zookeeper");

const HOUR = 3_600_000;
const NOON = "2025-03-06T12:00:00-08:00";
/** A day that contains only the events of one test. */
const OTHER_DAY = "2025-04-06T12:00:00-07:00";
const IMPORT = /^INSERT INTO \S+message_states/;
const ROLLUP = /^(--.*\n)*INSERT INTO \S+entries/;
/** Statements to PostgreSQL that complete an import, and that complete the rollup of {@link OTHER_DAY}. */
const MARK_STALE = /DELETE FROM waybill\.admissions WHERE id/;
const PUBLISH = new RegExp(
  `INSERT INTO waybill\\.days AS day\\s+\\(project, day, version[^]*\\{[^}]*${dayOf(Date.parse(OTHER_DAY))}`,
);

/** Processes, by the failure that is injected into them. */
const KILLED = 0;
const SLEEPER = 1;
const AHEAD = 2;

const test = serving
  .extend(
    "postgres",
    { scope: "file" },
    opening(() => postgresServer({ fsync: true })),
  )
  /** Proxies between processes and ClickHouse. */
  // biome-ignore lint/correctness/noEmptyPattern: vitest reads the names of fixtures from this pattern.
  .extend("proxies", { scope: "file" }, async ({}, { onCleanup }) => {
    const urls = await sharedClickHouse();
    const proxies = await Promise.all(urls.slice(0, AHEAD).map(holdingProxy));
    onCleanup(async () => {
      await Promise.all(proxies.map(({ close }) => close()));
    });
    return proxies;
  })
  /** A proxy between one of them and PostgreSQL. */
  .extend("postgresProxy", { scope: "file" }, async ({ postgres }, { onCleanup }) =>
    closedAtEnd(await holdingPostgresProxy(postgres.port), onCleanup),
  )
  /** Sets how far the last process's clock is ahead of the others, in milliseconds. */
  .extend(
    "setClock",
    { scope: "file" },
    ({ sharedDirectory }) =>
      (offset: number) =>
        writeFile(join(sharedDirectory, "clock"), String(offset)),
  )
  .extend(
    "cluster",
    { scope: "file" },
    async ({ postgres, postgresProxy, proxies, setClock, sharedDirectory }, { onCleanup }) => {
      await setClock(0);
      const cluster = startWaybillCluster({
        postgresPort: postgres.port,
        optionsOf: (process) =>
          process === AHEAD
            ? { nodeOptions: shiftedClock(join(sharedDirectory, "clock")) }
            : {
                storeUrls: proxies.slice(process, process + 1).map(({ url }) => url),
                controlPort: process === KILLED ? postgresProxy.port : undefined,
              },
      });
      return closedAtEnd(await cluster, onCleanup);
    },
  )
  .extend("token", { scope: "file" }, ({ cluster }) => cluster.token(EDITOR));

const trafficOf = (name: string): Traffic =>
  makeTraffic(
    PROJECT.id,
    {
      apps: [`${name}-1`, `${name}-2`],
      startDay: "2025-03-06",
      days: 2,
      messages: 2_500,
      labels: 6,
      seed: name.length,
    },
    new Random(name.length),
  );

/** Initial time limit for a rollup to reach its publication. */
const FIRST_WAIT_MS = 1_500;

const serverOf = ({ servers }: WaybillCluster, process: number): ServerProcess =>
  servers[process] as ServerProcess;

/** Waits until servers list everything that was imported, each event counted once. */
async function expectCounted(
  servers: readonly ServerProcess[],
  token: string,
  { entries }: Traffic,
): Promise<void> {
  for (const [app, expected] of entries) {
    for (const server of servers) {
      const isCounted = (listed: unknown): boolean => isDeepStrictEqual(listed, expected);
      await poll(() => entriesOf(server, token, app), isCounted);
    }
  }
}

/** Imports the same events into a process until the response to a statement of its rollup is held back. */
async function holdRollup(
  cluster: WaybillCluster,
  process: number,
  token: string,
  response: Promise<void>,
  events: string,
): Promise<void> {
  const held = response.then(() => true);
  // Another process may roll up first, and keep the lease while its days pause.
  let wait = FIRST_WAIT_MS;
  const importAgain = async () => {
    await endLeases(cluster);
    await importBatch(serverOf(cluster, process), token, events);
    // A rollup that has started keeps its lease until the next attempt. On a slow machine, it needs more time than it
    // had.
    wait *= 1.5;
    return Promise.race([held, setTimeout(wait, false)]);
  };
  await poll(importAgain);
}

const firstOf = ({ batches }: Traffic): string => String(batches[0]?.bytes);

/** Waits until a server lists this number of messages for an app. */
const expectMessages = (server: ServerProcess, token: string, app: string, messages: number) =>
  poll(
    () => entriesOf(server, token, app),
    (entries) => Number(entries[0]?.data.countMessagesAccepted) === messages,
  );

/** Expires all leases. */
const endLeases = ({ database }: WaybillCluster) =>
  runSql(database.port, "UPDATE waybill.leases SET ends_at = now()", database.name);

/** Expires the leases, and makes processes check for work immediately instead of after their interval. */
async function takeOver(
  cluster: WaybillCluster,
  servers: readonly ServerProcess[],
  token: string,
): Promise<void> {
  await endLeases(cluster);
  for (const server of servers) await importBatch(server, token, ndjson([accepted("any", NOON)]));
}

test("killing a process during an import neither loses nor repeats events", async ({
  cluster,
  proxies,
  token,
}) => {
  const traffic = trafficOf("import");
  const load = startImports(cluster.balancer, token, traffic);
  await load.proceeds(0.1);
  await proxies[KILLED]?.hold(IMPORT);
  await serverOf(cluster, KILLED).stop("SIGKILL");
  // The killed process may have held a lease.
  await endLeases(cluster);
  await load.proceeds(0.2);
  await cluster.restart(KILLED);
  await load.done;
  await expectCounted(cluster.servers, token, traffic);
});

test("after a process was killed during a rollup, another process rolls up the day", async ({
  cluster,
  proxies,
  token,
}) => {
  const traffic = trafficOf("rollup");
  const killed = serverOf(cluster, KILLED);
  const { hold } = proxies[KILLED] as HoldingProxy;
  await holdRollup(cluster, KILLED, token, hold(ROLLUP), firstOf(traffic));
  const load = startImports(cluster.balancer, token, traffic);
  await load.proceeds(0.2);
  await killed.stop("SIGKILL");
  await endLeases(cluster);
  await load.done;
  const others = cluster.servers.filter((server) => server !== killed);
  await expectCounted(others, token, traffic);
  await cluster.restart(KILLED);
  await expectCounted(cluster.servers, token, traffic);
});

test("a day stays listed if a process is killed before it learns that its publication was committed", async ({
  cluster,
  postgresProxy,
  token,
}) => {
  const killed = serverOf(cluster, KILLED);
  const others = cluster.servers.filter((server) => server !== killed);
  const events = ndjson([accepted("published", OTHER_DAY), accepted("published", OTHER_DAY)]);
  await holdRollup(cluster, KILLED, token, postgresProxy.hold(PUBLISH), events);
  await killed.stop("SIGKILL");
  // No other process can roll up, because the killed one holds the lease.
  for (const server of others) await expectMessages(server, token, "published", 2);
  await importBatch(others[0] as ServerProcess, token, ndjson([accepted("published", OTHER_DAY)]));
  await takeOver(cluster, others, token);
  for (const server of others) await expectMessages(server, token, "published", 3);
  await cluster.restart(KILLED);
  await expectMessages(serverOf(cluster, KILLED), token, "published", 3);
});

test("an import is neither lost nor repeated if a process is killed before it learns that it was committed", async ({
  cluster,
  postgresProxy,
  token,
}) => {
  const killed = serverOf(cluster, KILLED);
  const others = cluster.servers.filter((server) => server !== killed);
  const events = ndjson([accepted("imported", NOON), accepted("imported", NOON)]);
  const committed = postgresProxy.hold(MARK_STALE);
  const failing = expect(importBatch(killed, token, events)).rejects.toThrow();
  await committed;
  await killed.stop("SIGKILL");
  await failing;
  await takeOver(cluster, others, token);
  for (const server of others) await expectMessages(server, token, "imported", 2);
  // Repeats the import, like a client that got no response.
  await importBatch(others[0] as ServerProcess, token, events);
  await importBatch(others[0] as ServerProcess, token, ndjson([accepted("imported", NOON)]));
  await takeOver(cluster, others, token);
  for (const server of others) await expectMessages(server, token, "imported", 3);
  await cluster.restart(KILLED);
  await expectMessages(serverOf(cluster, KILLED), token, "imported", 3);
});

test("a process that was suspended past its lease does not overwrite the next holder's data, and continues to work", async ({
  cluster,
  proxies,
  token,
}) => {
  const traffic = trafficOf("sleep");
  const sleeper = serverOf(cluster, SLEEPER);
  const proxy = proxies[SLEEPER] as HoldingProxy;
  await holdRollup(cluster, SLEEPER, token, proxy.hold(ROLLUP), firstOf(traffic));
  const load = startImports(cluster.balancer, token, traffic);
  await load.proceeds(0.1);
  sleeper.process.kill("SIGSTOP");
  await endLeases(cluster);
  await load.done;
  const others = cluster.servers.filter((server) => server !== sleeper);
  await expectCounted(others, token, traffic);
  sleeper.process.kill("SIGCONT");
  proxy.release();
  const rejection = await poll(
    () =>
      sleeper
        .log()
        .split("\n")
        .find((line) => line.includes("FencedError")),
    (line) => line !== undefined,
  );
  expect(JSON.parse(String(rejection))).toMatchObject({ level: "warn" });
  await expectCounted(cluster.servers, token, traffic);
  await importBatch(sleeper, token, ndjson([accepted("awake", NOON)]));
  await poll(
    () => entriesOf(sleeper, token, "awake"),
    ({ length }) => length === 1,
  );
});

test("crashes of PostgreSQL lose neither events nor changes", async ({ cluster, postgres, token }) => {
  const traffic = trafficOf("postgres");
  const load = startImports(cluster.balancer, token, traffic);
  const readiness = async () => (await send(serverOf(cluster, AHEAD).adminUrl, "/readyz")).status;
  const acknowledged: string[] = [];
  let isDone = false;
  const changing = (async () => {
    for (let seconds = 1_800; !isDone; seconds++) {
      const { status } = await patch(cluster.balancer, token, IOS_APP, { tokenTtl: `${seconds}s` });
      if (status === 200) acknowledged.push(`${seconds}s`);
      else await poll(readiness, 200);
    }
  })();
  for (let crash = 0; crash < 2; crash++) {
    await load.proceeds(0.2);
    await postgres.crash();
    await poll(readiness, 503);
    await postgres.start();
  }
  await load.done;
  // Every process that logs an outage also logs its end. A process without calls during the outage does not notice it.
  const outageLines = cluster.servers.map(({ log }) => () => {
    const lines = log().split("\n");
    return lines.filter((line) => line.includes('"database":"PostgreSQL"'));
  });
  await poll(
    () => outageLines.flatMap((lines) => lines().slice(-1)),
    (last) => last.length > 0 && last.every((line) => line.includes("has recovered")),
  );
  expect(outageLines.flatMap((lines) => lines()).filter((line) => line.includes('"stack"'))).toEqual([]);
  isDone = true;
  await changing;
  await expectCounted(cluster.servers, token, traffic);
  const history = await runInProcess(["config", "history", "--config", cluster.configFile, "--json"]);
  const kept = parsedLines(history.stdout);
  expect(kept.map(({ revision }) => revision)).toEqual(kept.map((_, index) => index + 1));
  const ttls = kept.map(({ tokenTtl }) => tokenTtl);
  expect(acknowledged.length).toBeGreaterThan(1);
  expect(ttls).toEqual([...new Set(ttls)]);
  expect(ttls).toEqual(expect.arrayContaining(acknowledged));
  expect(kept[0]).toMatchObject({ name: nameOf(IOS_APP) });
});

test("processes with clocks an hour apart count everything once, and accept each other's page tokens", async ({
  cluster,
  setClock,
  token,
}) => {
  const traffic = trafficOf("clock");
  await setClock(HOUR);
  const load = startImports(cluster.balancer, token, traffic);
  await load.done;
  await expectCounted(cluster.servers, token, traffic);
  const [[app, expected] = ["", []]] = traffic.entries;
  const walked: unknown[] = [];
  let pageToken: string | undefined = "";
  for (let page = 0; pageToken !== undefined; page++) {
    const { messagingDataUrl } = serverOf(cluster, page % 2 === 0 ? AHEAD : KILLED);
    const target = `${listOf(app)}?pageSize=5&pageToken=${pageToken}`;
    const { androidDeliveryData = [], nextPageToken }: Page = JSON.parse(
      (await send(messagingDataUrl, target, { token })).text,
    );
    walked.push(...androidDeliveryData);
    pageToken = nextPageToken;
  }
  expect(walked).toEqual(expected);
});

test("a day that has ended only by the clock of one process is listed only there, with all its events", async ({
  cluster,
  setClock,
  token,
}) => {
  // Tomorrow, so that the day does not end while the test runs.
  const day = dayOf(Date.now()) + 1;
  const ahead = serverOf(cluster, AHEAD);
  const others = cluster.servers.filter((server) => server !== ahead);
  await setClock(startOfDay(day + 1) - Date.now() + HOUR / 2);
  // The last process notices its own import, and rolls up the other imports too.
  for (const server of cluster.servers) {
    await importBatch(server, token, ndjson([accepted("edge", new Date(startOfDay(day)).toISOString())]));
  }
  await poll(
    () => entriesOf(ahead, token, "edge"),
    (entries) => Number(entries[0]?.data.countMessagesAccepted) === cluster.servers.length,
  );
  for (const server of others) expect(await entriesOf(server, token, "edge")).toEqual([]);
});
