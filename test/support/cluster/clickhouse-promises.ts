import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ProcessDayLedger } from "../../../src/control/testing/process-day-ledger.js";
import { systemClock } from "../../../src/model/clock.js";
import { LAST_DAY } from "../../../src/model/day.js";
import { StoreOpenError } from "../../../src/model/store-error.js";
import { ClickHouseStore } from "../../../src/store/clickhouse/clickhouse-store.js";
import { Connection } from "../../../src/store/clickhouse/connection.js";
import { textLiteral } from "../../../src/store/clickhouse/literals.js";
import { allStatements } from "../../../src/store/clickhouse/migrate.js";
import { replicationOf } from "../../../src/store/clickhouse/replication.js";
import { RowReader } from "../../../src/store/clickhouse/row-binary.js";
import {
  onCluster,
  type Place,
  sqlTemplate,
  type TableName,
  tableIn,
} from "../../../src/store/clickhouse/tables.js";
import { OldEntries } from "../../../src/store/clickhouse/write/old-entries.js";
import { COUNTS, type CountName } from "../../../src/store/delivery-data-store.js";
import {
  mirroredEntries,
  mirroredRow,
  mirroredRows,
} from "../../../src/store/testing/conformance/mirror/mirrored-rows.js";
import { responseOf } from "../../../src/store/testing/conformance/mirror/responses-conformance.js";
import {
  accepted,
  blocksOf,
  OTHER_PROJECT,
  PROJECT,
  settle,
} from "../../../src/store/testing/test-events.js";
import { PATIENCE_MS, poll, pollUntilSuccess } from "../poll.js";

/** Settings of a statement that waits for all servers, even if they are busy. */
const ALL_SERVERS = { distributed_ddl_task_timeout: PATIENCE_MS / 1_000 };

export interface Servers {
  readonly urls: readonly string[];
  readonly place: Place;
  dispose(): Promise<void>;
}

const noon = (day: number): string => new Date(day * 86_400_000 + 72_000_000).toISOString();
const DAY = Date.UTC(2026, 2, 5) / 86_400_000;

/** Each shard reads at least one block of 8,192 rows, and each replica counts the rows of both shards. */
const LEAST_READ_ROWS = 2 * 8_192;

/** Tests of store guarantees that the conformance suite does not cover, for any servers. */
export function describePromises(setUp: () => Promise<Servers>): void {
  describe("a store in ClickHouse", () => {
    let servers: Servers;
    let connection: Connection;
    let ledger: ProcessDayLedger;
    let store: ClickHouseStore;
    const open = () => ClickHouseStore.open({ urls: servers.urls, ...servers.place, ledger });
    beforeEach(async () => {
      servers = await setUp();
      connection = new Connection({ urls: servers.urls });
      ledger = new ProcessDayLedger(systemClock);
      store = await open();
    });
    afterEach(async () => {
      await store.close();
      await connection.close();
      await servers.dispose();
    });

    async function rowsOf(table: TableName, project = PROJECT): Promise<number> {
      const sql = `SELECT toUInt64(count()) FROM ${tableIn(servers.place, table)} WHERE project = ${project}`;
      return new RowReader(await connection.read(sql)).count();
    }

    /** The columns of `entries`, in table order. */
    async function columnsIn({ database }: Place): Promise<readonly string[]> {
      const columns = `system.columns WHERE database = '${database}' AND table = 'entries'`;
      const rows = new RowReader(await connection.read(`SELECT name FROM ${columns}`));
      const names: string[] = [];
      while (!rows.isAtEnd) names.push(rows.text());
      return names;
    }

    it("writes every text as a literal that the engine reads as the same text", async () => {
      const text = fc.string({
        unit: fc.oneof(
          fc.constantFrom("'", "\\", "\0", "%", "_", "\n", "n", "x"),
          fc.string({ unit: "binary", minLength: 1, maxLength: 1 }),
        ),
      });
      await fc.assert(
        fc.asyncProperty(fc.array(text, { minLength: 1, maxLength: 20 }), async (texts) => {
          const rows = new RowReader(
            await connection.read(
              `SELECT ${texts.map((one, i) => `${textLiteral(one)} AS t${i}`).join(", ")}`,
            ),
          );
          expect(texts.map(() => rows.text())).toEqual(texts);
        }),
        { numRuns: 30 },
      );
    });

    it("removes the entries of replaced versions when no reader selects them any more", async () => {
      for (let i = 0; i < 3; i++) {
        const days = [DAY, DAY - 1, DAY - 40].slice(i);
        const events = days.map((day) => accepted({ messageId: `m${i}`, eventTime: noon(day) }));
        await store.append(PROJECT, blocksOf(events));
        await settle(store);
      }
      await store.append(OTHER_PROJECT, blocksOf([accepted({})]));
      await settle(store);
      const before = await store.readEntries({ project: PROJECT, until: LAST_DAY, limit: 100 });
      expect(await rowsOf("entries")).toBe(6);
      const patient = new OldEntries(connection, ledger, systemClock, servers.place);
      await patient.remove();
      expect(await rowsOf("entries")).toBe(6);
      const impatient = new OldEntries(connection, ledger, systemClock, servers.place, 0);
      await impatient.remove();
      await poll(() => rowsOf("entries"), 3);
      expect(await store.readEntries({ project: PROJECT, until: LAST_DAY, limit: 100 })).toEqual(before);
      expect(await rowsOf("entries", OTHER_PROJECT)).toBe(1);
    });

    it("reads no originals of days that have none", async () => {
      const days = [DAY, DAY - 1, DAY - 2];
      await store.append(PROJECT, blocksOf([accepted({ eventTime: noon(DAY - 1) })]));
      await settle(store);
      for (const day of [DAY, DAY - 2]) {
        await store.publish(PROJECT, [{ day, entries: [mirroredEntries([mirroredRow({ day })])] }]);
      }
      for (const appId of [undefined, "app"]) {
        const query = { project: PROJECT, until: LAST_DAY, originals: true, ...(appId && { appId }) };
        for (const limit of [2, 9]) {
          const batches = await store.readEntries({ ...query, limit });
          expect(batches.map(({ days, originals }) => [days, originals])).toEqual([
            [days.slice(0, limit), undefined],
          ]);
        }
        expect(mirroredRows(await store.readEntries({ ...query, limit: 1 }))).toEqual([mirroredRow()]);
      }
    });

    it("stores a response body about an app only once a day", async () => {
      const first = responseOf({ fetchedAt: Date.parse(noon(DAY)) });
      const hourLater = { ...first, fetchedAt: first.fetchedAt + 3_600_000 };
      const weekLater = { ...first, fetchedAt: first.fetchedAt + 7 * 86_400_000 };
      for (const response of [first, hourLater, { ...hourLater, url: "/2" }]) {
        await store.storeResponse(PROJECT, response);
        expect(await rowsOf("response_bodies")).toBe(1);
      }
      await store.storeResponse(PROJECT, weekLater);
      await store.storeResponse(PROJECT, { ...hourLater, appId: "other" });
      expect(await rowsOf("response_bodies")).toBe(3);
    });

    it("stores more versions of days than fit into one insert", async () => {
      const versions = Array.from({ length: 250 }, (_, i) => mirroredRow({ day: DAY - i }));
      // Beside other load, inserts of this many days may exceed their time limit. Callers repeat them.
      await pollUntilSuccess(() => store.keepVersions(PROJECT, versions));
      expect(await rowsOf("entry_versions")).toBe(250);
    });

    it("lists more days in pages than one statement selects", async () => {
      const days = Array.from({ length: 110 }, (_, i) => DAY - 2 * i);
      const events = days.map((day) => accepted({ eventTime: noon(day) }));
      // As for the versions of many days.
      await pollUntilSuccess(() => store.append(PROJECT, blocksOf(events)));
      await pollUntilSuccess(() => settle(store));
      for (const limit of [31, 70, 110, 500]) {
        const listed: number[] = [];
        for (;;) {
          const after = listed.at(-1);
          const batches = await store.readEntries({
            project: PROJECT,
            until: LAST_DAY,
            limit,
            ...(after !== undefined && { after: { day: after, appId: "app", label: "" } }),
          });
          const page = batches.flatMap(({ days }) => Array.from(days));
          expect(page.length).toBe(Math.min(limit, days.length - listed.length));
          if (page.length === 0) break;
          listed.push(...page);
        }
        expect(listed).toEqual(days);
      }
    });

    it("drops a settled day's states, and no others", async () => {
      for (const project of [PROJECT, OTHER_PROJECT]) {
        const events = [DAY, DAY - 1].map((day) => accepted({ eventTime: noon(day) }));
        await store.append(project, blocksOf(events));
      }
      await settle(store);
      await store.seal(DAY - 1);
      await store.removeExpired(PROJECT, [DAY, DAY - 1]);
      expect(await rowsOf("message_states")).toBe(1);
      expect(await rowsOf("message_states", OTHER_PROJECT)).toBe(2);
    });

    it("recognizes its own deletion of an erased project's entries, and ignores deletions of replaced versions", async () => {
      await store.append(PROJECT, blocksOf([accepted({ eventTime: noon(DAY) })]));
      await settle(store);
      await store.publish(PROJECT, [{ day: DAY, entries: [mirroredEntries([mirroredRow()])] }]);
      const deletions = async (): Promise<number> => {
        const sql = sqlTemplate("write/deletions-in-progress.sql", servers.place)({ PROJECT });
        return new RowReader(await connection.read(sql.replace("is_done = 0", "1"))).count();
      };
      // Other tests use the same tables, so there may be earlier deletions.
      const before = await deletions();
      await new OldEntries(connection, ledger, systemClock, servers.place, 0).remove();
      await poll(() => rowsOf("entries"), 1);
      expect(await deletions()).toBe(before);
      await poll(() => store.erase(PROJECT));
      expect(await rowsOf("entries")).toBe(0);
      expect(await deletions()).toBeGreaterThan(before);
    });

    it("reads only states of days that it is rolling up", async () => {
      const days = [DAY, DAY - 1, DAY - 2];
      const events = days.flatMap((day) =>
        Array.from({ length: 3_000 }, (_, i) => accepted({ messageId: `m${i}`, eventTime: noon(day) })),
      );
      for (const project of [PROJECT, OTHER_PROJECT]) await store.append(project, blocksOf(events));
      const rollup = sqlTemplate(
        "write/rollup.sql",
        servers.place,
      )({
        PROJECT,
        DAYS: String(DAY - 1),
        VERSION: "1",
      });
      const { inserts } = await replicationOf(connection, servers.place);
      await connection.runOnce(rollup, { ...inserts, max_rows_to_read: LEAST_READ_ROWS });
      expect(await rowsOf("entries")).toBe(1);
      await expect(connection.runOnce(rollup, { max_rows_to_read: 1_000 })).rejects.toThrow(/max_rows|rows/i);
    });

    it("adds columns for counts that tables of an earlier version lack, and rejects tables of a newer version", async () => {
      const place = { ...servers.place, database: `${servers.place.database}_before` };
      const counts = COUNTS.filter((name) => name !== COUNTS[0] && name !== "proxied" && name !== "failed");
      // Only at the end: the database has a random name, which may contain the same digits.
      const before = tableIn(place, "entries").replace(
        new RegExp(`${COUNTS.length}$`),
        String(counts.length),
      );
      const lacking = COUNTS.filter((name) => !counts.includes(name));
      for (const statement of await allStatements(place)) {
        const earlier = lacking.reduce((text, name) => text.replace(`${name} UInt64,`, ""), statement);
        await connection.run(earlier.replace(tableIn(place, "entries"), before), ALL_SERVERS);
      }
      const { inserts } = await replicationOf(connection, place);
      const publish = async (day: number): Promise<void> => {
        const run = await ledger.begin(PROJECT, []);
        const row = `${PROJECT}, ${day}, 'app', '', ${run.version}, 5`;
        const columns = "project, day, app, label, version, delivered";
        await connection.runOnce(`INSERT INTO ${before} (${columns}) VALUES (${row})`, inserts);
        await ledger.publish(run, [{ day, isEmpty: false }]);
      };
      await publish(DAY);
      const stores = await Promise.all(
        [1, 2].map(() => ClickHouseStore.open({ urls: servers.urls, ...place, ledger })),
      );
      // A process of the previous version can still publish.
      await publish(DAY - 1);
      const [one, other] = stores;
      await one?.publish(PROJECT, [{ day: DAY - 2, entries: [mirroredEntries([mirroredRow()])] }]);
      const batches = await other?.readEntries({ project: PROJECT, until: LAST_DAY, limit: 9 });
      expect(batches?.flatMap(({ days }) => Array.from(days))).toEqual([DAY, DAY - 1, DAY - 2]);
      const columnOf = (name: CountName) => Array.from(batches?.[0]?.counts[COUNTS.indexOf(name)] ?? []);
      expect(COUNTS.map(columnOf)).toEqual(
        COUNTS.map((name) => (name === "delivered" ? [5, 5, 7] : [0, 0, 7])),
      );
      expect(await columnsIn(place)).toEqual(await columnsIn(servers.place));
      await Promise.all(stores.map((each) => each.close()));
      const later = `ALTER TABLE ${place.database}.entries ${onCluster(place)} ADD COLUMN later UInt64`;
      await connection.run(later, ALL_SERVERS);
      await expect(ClickHouseStore.open({ urls: servers.urls, ...place, ledger })).rejects.toThrow(
        /has entries with the count later, .*; run the newer version that wrote them$/,
      );
      await connection.run(`DROP DATABASE IF EXISTS ${place.database} ${onCluster(place)}`, ALL_SERVERS);
    });

    it("opens tables that another process has created, and rejects tables of a newer version", async () => {
      await (await open()).close();
      const { database } = servers.place;
      const [url = ""] = servers.urls;
      const one = new Connection({ urls: [url] });
      await one.run(`CREATE TABLE ${database}.schema_version_999 (since DateTime) ENGINE = Log`);
      const opening = ClickHouseStore.open({ urls: [url], ...servers.place, ledger });
      await Promise.allSettled([opening]);
      await one.run(`DROP TABLE ${database}.schema_version_999`);
      await one.close();
      await expect(opening).rejects.toThrow(StoreOpenError);
      await expect(opening).rejects.toThrow(
        /has schema version 999, .*; run the newer version that wrote it$/,
      );
    });
  });
}
