import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ManualClock } from "../../src/auth/testing/manual-clock.js";
import { PostgresDayLedger } from "../../src/control/postgres/postgres-day-ledger.js";
import { ProcessDayLedger } from "../../src/control/testing/process-day-ledger.js";
import { LAST_DAY } from "../../src/model/day.js";
import { FencedError } from "../../src/model/store-error.js";
import { ClickHouseStore } from "../../src/store/clickhouse/clickhouse-store.js";
import {
  mirroredEntries,
  mirroredRow,
  mirroredRows,
} from "../../src/store/testing/conformance/mirror/mirrored-rows.js";
import { accepted, blocksOf, PROJECT, settle } from "../../src/store/testing/test-events.js";
import { databaseName } from "../support/cluster/database-name.js";
import { holdingProxy } from "../support/cluster/holding-proxy.js";
import { type TestDatabase, testDatabase } from "../support/cluster/postgres-database.js";
import { runStatement } from "../support/cluster/run-statement.js";
import { sharedChdb } from "../support/cluster/shared-servers.js";
import { need } from "../support/needs.js";
import { poll } from "../support/poll.js";

need("chdb");

const DAY = Date.UTC(2026, 2, 5) / 86_400_000;
const messagesOf = async (store: ClickHouseStore): Promise<number> => {
  const batches = await store.readEntries({ project: PROJECT, appId: "app", until: LAST_DAY, limit: 10 });
  return batches.reduce((sum, { counts }) => sum + (counts[0]?.[0] ?? 0), 0);
};
const fence = (number: number) => ({ lease: "work", number });
const message = (messageId: string) => blocksOf([accepted({ messageId })]);

let databases = 0;

it("a store lists all events of an import that lasts longer than its admission", async ({
  onTestFinished,
}) => {
  const url = await sharedChdb();
  const proxy = await holdingProxy(url);
  onTestFinished(proxy.close);
  const database = databaseName("slow");
  onTestFinished(async () => void (await runStatement(url, `DROP DATABASE ${database}`)));
  const clock = new ManualClock();
  const store = await ClickHouseStore.open({
    urls: [proxy.url],
    database,
    ledger: new ProcessDayLedger(clock, 60_000),
  });
  onTestFinished(() => store.close());
  // An insert has at most a hundred days, so these are three inserts.
  const days = Array.from({ length: 250 }, (_, i) => DAY - i);
  const noon = (day: number) => new Date(day * 86_400_000 + 72_000_000).toISOString();
  let isNext = proxy.hold(/^INSERT INTO \S+\.message_states /);
  const stored = store.append(PROJECT, blocksOf(days.map((day) => accepted({ eventTime: noon(day) }))));
  for (let inserts = 1; inserts <= 3; inserts++) {
    await isNext;
    clock.advance(40_000);
    proxy.release();
    if (inserts < 3) isNext = proxy.hold(/^INSERT INTO \S+\.message_states /);
  }
  expect(await stored).toEqual({ tooLate: 0 });
  expect(await store.staleDays({ project: PROJECT, limit: 999 })).toEqual(days);
});

describe("stores in several processes that share PostgreSQL", () => {
  let url: string;
  let database: string;
  let postgres: TestDatabase;
  let one: ClickHouseStore;
  let two: ClickHouseStore;
  beforeEach(async () => {
    url = await sharedChdb();
    database = `processes_${++databases}`;
    postgres = await testDatabase();
    const open = () =>
      ClickHouseStore.open({ urls: [url], database, ledger: new PostgresDayLedger(postgres.connect()) });
    // Both find no tables, and create them.
    [one, two] = await Promise.all([open(), open()]);
  });
  afterEach(async () => {
    await Promise.all([one.close(), two.close()]);
    await postgres.close();
    await runStatement(url, `DROP DATABASE ${database}`);
  });

  it("list the entries that another process has stored and rolled up, under the same version", async () => {
    await one.append(PROJECT, message("a"));
    await two.append(PROJECT, message("b"));
    expect(await two.staleDays({ project: PROJECT, limit: 9 })).toEqual([DAY]);
    const before = await one.version(PROJECT, LAST_DAY);
    await settle(two);
    expect(await messagesOf(two)).toBe(2);
    await poll(() => messagesOf(one), 2);
    expect(await one.version(PROJECT, LAST_DAY)).not.toBe(before);
    expect(await one.version(PROJECT, LAST_DAY)).toBe(await two.version(PROJECT, LAST_DAY));
    expect(await one.staleProjects()).toEqual([]);
  });

  it("count every event once if both store it and both roll it up", async () => {
    const stores = [one, two];
    await Promise.all(
      stores.flatMap((store, index) =>
        Array.from({ length: 20 }, async (_, i) => {
          await store.append(PROJECT, message(`${index}/${i}`));
          if (i % 5 === 0) await settle(store);
        }),
      ),
    );
    await Promise.all(stores.map(settle));
    for (const store of stores) {
      await poll(() => messagesOf(store), 40);
    }
  });

  it("publish nothing in a process that has lost its lease without noticing", async () => {
    await one.append(PROJECT, message("a"));
    await two.rollUp(PROJECT, [DAY], fence(7));
    await one.append(PROJECT, message("b"));
    await expect(one.rollUp(PROJECT, [DAY], fence(6))).rejects.toThrow(FencedError);
    expect(await messagesOf(two)).toBe(1);
    await two.rollUp(PROJECT, [DAY], fence(7));
    expect(await messagesOf(two)).toBe(2);
  });

  it("publish no mirrored entries in a process that has lost its lease without noticing", async () => {
    const newer = mirroredRow({ original: "newer" });
    await two.publish(PROJECT, [{ day: DAY, entries: [mirroredEntries([newer])] }], fence(7));
    const older = [mirroredEntries([mirroredRow({ original: "older" })])];
    await expect(one.publish(PROJECT, [{ day: DAY, entries: older }], fence(6))).rejects.toThrow(FencedError);
    const query = { project: PROJECT, until: DAY, limit: 9, originals: true };
    expect(mirroredRows(await two.readEntries(query))).toEqual([newer]);
  });

  it("accept no events of days that another process has sealed", async () => {
    await one.append(PROJECT, message("a"));
    await settle(one);
    await two.seal(DAY);
    expect(await one.append(PROJECT, message("b"))).toEqual({ tooLate: 1 });
    await two.removeExpired(PROJECT, [DAY], DAY);
    await poll(() => messagesOf(one), 0);
    expect(await one.expiredProjects(DAY)).toEqual([]);
  });
});
