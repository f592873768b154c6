import { mkdtemp, open as openFile, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { queryDuckDb } from "../../../test/support/data/duckdb.js";
import { temporaryDirectory } from "../../../test/support/temporary-directory.js";
import { testDirectory } from "../../../test/support/test-directory.js";
import { LAST_DAY } from "../../model/day.js";
import { StoreOpenError, StoreUnavailableError, TooManyGroupsError } from "../../model/store-error.js";
import { simulateTraffic } from "../../simulator/simulate-traffic.js";
import { COUNTS, type Dimension, type EntryPosition } from "../delivery-data-store.js";
import { describeStore } from "../testing/conformance/store-conformance.js";
import { accepted, blockOf, blocksOf, settle } from "../testing/test-events.js";
import { DuckDbStore } from "./duckdb-store.js";

const open = (directory: string, statesAPass?: number) =>
  DuckDbStore.open({ directory, memoryLimit: "256MB", ...(statesAPass && { statesAPass }) });

/** Opens a store in a new directory, until the test ends. */
async function openNew(statesAPass?: number): Promise<DuckDbStore> {
  const store = await open(await testDirectory(), statesAPass);
  onTestFinished(() => store.close());
  return store;
}

const fileIn = (directory: string): string => join(directory, "waybill.duckdb");

describeStore(
  "DuckDbStore",
  async () => {
    const { path: directory, remove } = await temporaryDirectory();
    return {
      open: (nameLimits) => DuckDbStore.open({ directory, memoryLimit: "256MB", nameLimits }),
      compactFiles: async (store) => {
        const copy = await mkdtemp(join(directory, "copy-"));
        await store.snapshot?.(copy);
        return (await readdir(copy)).map((name) => join(copy, name));
      },
      dispose: remove,
    };
  },
  { openCopy: (copy) => open(copy) },
);

it("counts each message once in its figures, as soon as its events are rolled up", async () => {
  const store = await openNew();
  await store.append("1", blocksOf([accepted({}), accepted({ eventType: "DELIVERED" })]));
  expect((await store.figures()).messages).toBe(0);
  await settle(store);
  expect((await store.figures()).messages).toBe(1);
  await store.append("1", blocksOf([accepted({}), accepted({ messageId: "other" })]));
  await settle(store);
  expect((await store.figures()).messages).toBe(2);
  await store.close();
});

it("computes the same result for a day in several passes as in one", async () => {
  const appId = "1:1:android:1";
  const traffic = simulateTraffic({
    apps: [appId],
    startDay: "2026-03-08",
    days: 1,
    messages: 1000,
    labels: 9,
    seed: 3,
  });
  const lines = [...traffic].join("").trimEnd().split("\n");
  const block = blockOf(lines.map((line) => JSON.parse(line)));
  const lists = [];
  for (const statesAPass of [block.length, Math.ceil(block.length / 50)]) {
    const store = await openNew(statesAPass);
    await store.append("1", [block]);
    await settle(store);
    const batches = await store.readEntries({ project: "1", appId, until: LAST_DAY, limit: 100 });
    lists.push(
      batches.map(({ labels, counts }) => ({ labels, counts: counts.map((column) => [...column]) })),
    );
  }
  expect(lists[0]?.flatMap(({ labels }) => labels).length).toBeGreaterThan(5);
  expect(lists[1]).toEqual(lists[0]);
});

it.each([4_000, 5_000, 6_000, 10_001])("lists all entries of an app in pages of %i", async (limit) => {
  const store = await openNew();
  const days = [103, 102, 101, 100];
  const labels = Array.from({ length: 4_000 }, (_, index) => `label-${String(index).padStart(4, "0")}`);
  for (const day of days) {
    const { length } = labels;
    const counts = COUNTS.map(() => new Float64Array(length).fill(day));
    const ofApps = ["app", "other"].map((appId) => {
      return { length, appIds: Array<string>(length).fill(appId), labels, counts };
    });
    await store.publish("1", [{ day, entries: ofApps }]);
  }
  const listed: string[] = [];
  for (let after: EntryPosition | undefined; ; ) {
    const query = { project: "1", appId: "app", until: LAST_DAY, limit, ...(after && { after }) };
    const batches = await store.readEntries(query);
    const page = batches.flatMap(({ days, labels, counts }) =>
      labels.map((label, row) => ({ day: days[row] ?? 0, label, count: counts[0]?.[row] })),
    );
    expect(page.length).toBeLessThanOrEqual(limit);
    expect(page.every(({ day, count }) => day === count)).toBe(true);
    listed.push(...page.map(({ day, label }) => `${day} ${label}`));
    after = page.at(-1);
    if (page.length < limit) break;
  }
  expect(listed).toEqual(days.flatMap((day) => labels.map((label) => `${day} ${label}`)));
});

it("rolls up small days together and a large day separately", async () => {
  const store = await openNew(10);
  const eventsOf = [3, 3, 3, 3, 50, 3, 3];
  const newest = Date.UTC(2026, 0, 10) / 86_400_000;
  await store.append(
    "1",
    blocksOf(
      eventsOf.flatMap((count, index) =>
        Array.from({ length: count }, (_, i) =>
          accepted({
            messageId: `${i}`,
            eventTime: new Date((newest - index) * 86_400_000 + 7.2e7).toISOString(),
          }),
        ),
      ),
    ),
  );
  const turns: number[] = [];
  for (;;) {
    const days = await store.staleDays({ project: "1", limit: 100 });
    if (days.length === 0) break;
    turns.push(await store.rollUp("1", days));
  }
  expect(turns).toEqual([3, 1, 1, 2]);
  const read = await store.readEntries({ project: "1", appId: "app", until: LAST_DAY, limit: 100 });
  expect(read.flatMap(({ counts }) => [...(counts[0] ?? [])])).toEqual(eventsOf);
  await store.close();
});

it("runs concurrent rollups of several projects, with several per project", async () => {
  const store = await openNew();
  const projects = ["1", "2", "3", "4"];
  for (let round = 0; round < 3; round++) {
    for (const project of projects)
      await store.append(project, blocksOf([accepted({ messageId: `m${round}` })]));
    const [day = 0] = await store.staleDays({ project: "1", limit: 1 });
    await Promise.all([...projects, ...projects].map((project) => store.rollUp(project, [day])));
  }
  for (const project of projects) {
    const read = await store.readEntries({ project, appId: "app", until: LAST_DAY, limit: 10 });
    expect(read.flatMap(({ counts }) => [...(counts[0] ?? [])])).toEqual([3]);
  }
  await store.close();
});

it("changes versions that include a day when its rollup or publication fails", async () => {
  const store = await openNew();
  await store.close();
  const versions = [await store.version("1", LAST_DAY)];
  await expect(store.rollUp("1", [20_000])).rejects.toThrow(StoreUnavailableError);
  versions.push(await store.version("1", LAST_DAY));
  await expect(store.publish("1", [{ day: 20_000, entries: [] }])).rejects.toThrow(StoreUnavailableError);
  versions.push(await store.version("1", LAST_DAY));
  expect(new Set(versions).size).toBe(3);
});

it("computes exact sums up to 2^53", async () => {
  const directory = await testDirectory();
  await (await open(directory)).close();
  const terms = [2n ** 52n, 1n, 2n ** 51n, 3n, 2n ** 50n, 2n ** 50n - 5n];
  for (const [i, term] of terms.entries()) {
    const columns = ["project", "app", "day", "label", ...COUNTS].join(", ");
    const values = [1, 1, i, "''", ...COUNTS.map(() => term)].join(", ");
    await queryDuckDb(`INSERT INTO entries (${columns}) VALUES (${values})`, fileIn(directory));
  }
  const store = await open(directory);
  const [groups] = await store.sumEntries({ project: "1", until: LAST_DAY, groupBy: new Set(), limit: 1 });
  expect(groups?.counts.map(([sum]) => sum)).toEqual(COUNTS.map(() => Number.MAX_SAFE_INTEGER));
  await store.close();
});

it("rejects far too many groups before they exhaust the memory", async () => {
  const directory = await testDirectory();
  await (await open(directory)).close();
  const app = "INSERT INTO apps (project, id, name) VALUES (1, 1, 'app')";
  // Sums by these labels exceed both the memory limit and the spillable part of it.
  const columns = ["project", "app", "day", "label", ...COUNTS].join(", ");
  const values = ["1, 1, i % 10, i || '-a-label-of-some-length'", ...COUNTS.map(() => "1")].join(", ");
  const entries = `INSERT INTO entries (${columns}) SELECT ${values} FROM range(1500000) AS t(i)`;
  await queryDuckDb(`${app}; ${entries}`, fileIn(directory));

  const store = await DuckDbStore.open({ directory, memoryLimit: "100MB" });
  const all = { project: "1", until: LAST_DAY, limit: 10_000 };
  for (const selection of [all, { ...all, appId: "app" }]) {
    for (const groupBy of [new Set<Dimension>(["label"]), new Set<Dimension>(["day", "label"])]) {
      await expect(store.sumEntries({ ...selection, groupBy })).rejects.toThrow(TooManyGroupsError);
    }
    const [days] = await store.sumEntries({ ...selection, groupBy: new Set(["day"]) });
    expect(days?.counts[0]?.[0]).toBe(150_000);
  }
  await store.close();
});

describe("opening a DuckDbStore", () => {
  let directory: string;
  beforeEach(async () => {
    directory = await testDirectory();
  });
  const changeFile = (sql: string) => queryDuckDb(sql, fileIn(directory));

  it("rejects a file that a newer version wrote", async () => {
    await (await open(directory)).close();
    await changeFile("INSERT INTO schema_migrations VALUES (999, now())");
    const opening = open(directory);
    await expect(opening).rejects.toBeInstanceOf(StoreOpenError);
    await expect(opening).rejects.toThrow(
      /^the database has schema version 999, but this version of waybill supports at most version \d+; run the newer version that wrote it$/,
    );
  });

  it("records each migration once", async () => {
    await (await open(directory)).close();
    await (await open(directory)).close();
    await expect(
      changeFile("SELECT error('again') FROM schema_migrations GROUP BY version HAVING count(*) > 1"),
    ).resolves.toEqual([]);
  });

  it("reports a damaged file as damaged, not as in use", async () => {
    await (await open(directory)).close();
    const file = await openFile(fileIn(directory), "r+");
    await file.write(Buffer.alloc(64, 0xa5), 0, 64, 100);
    await file.close();
    const error = await open(directory).catch((e: unknown) => e);
    expect(error).toBeInstanceOf(StoreOpenError);
    expect((error as Error).message).toMatch(/^the database in [^\n]+ is damaged; [^\n]+$/);
  });

  it("reports a file that is not a database in one line", async () => {
    await writeFile(fileIn(directory), "not a database ".repeat(1000));
    const error = await open(directory).catch((e: unknown) => e);
    expect(error).toBeInstanceOf(StoreOpenError);
    expect((error as Error).message).toMatch(/^cannot open the data directory [^\n]+$/);
  });
});

it("detects damage in any block on opening, or in check() after a call has found it", async () => {
  const directory = await testDirectory();
  const file = fileIn(directory);
  const store = await open(directory);
  const events = Array.from({ length: 120_000 }, (_, i) =>
    accepted({ messageId: `message-${i}`, analyticsLabel: `label-${i % 5000}` }),
  );
  await store.append("1", blocksOf(events));
  await settle(store);
  await store.close();
  const content = await readFile(file);
  const found = { atTheStart: 0, later: 0 };
  for (let start = 3 * 4096; start < content.length; start += 262_144) {
    await writeFile(file, Buffer.from(content).fill(0, start, start + 262_144));
    const outcome = await open(directory).catch((error: unknown) => error);
    if (!(outcome instanceof DuckDbStore)) {
      expect(outcome).toBeInstanceOf(StoreOpenError);
      expect((outcome as Error).message).toMatch(/^[^\n]*damaged[^\n]*$/);
      found.atTheStart++;
      continue;
    }
    await outcome.check();
    await outcome.append("1", blocksOf([accepted({ messageId: "late" })]));
    const failures = await Promise.all(
      [
        outcome.rollUp("1", [Date.UTC(2026, 2, 5) / 86_400_000]),
        outcome.readEntries({ project: "1", until: LAST_DAY, limit: 10_000 }),
      ].map((call) => call.then(() => undefined).catch((error: unknown) => error)),
    );
    if (failures.some((failure) => failure !== undefined)) {
      await expect(outcome.check()).rejects.toThrow(/the database is damaged: [^\n]+$/);
      found.later++;
    }
    await outcome.close();
  }
  expect(found.atTheStart).toBeGreaterThan(5);
  expect(found.later).toBeGreaterThan(0);
});
