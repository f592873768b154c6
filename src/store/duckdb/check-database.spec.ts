import { readdirSync, rmdirSync, writeFileSync } from "node:fs";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { queryDuckDb } from "../../../test/support/data/duckdb.js";
import { testDirectory } from "../../../test/support/test-directory.js";
import { StoreOpenError, StoreUnavailableError } from "../../model/store-error.js";
import { responseOf } from "../testing/conformance/mirror/responses-conformance.js";
import { accepted, blocksOf, PROJECT, settle } from "../testing/test-events.js";
import { type CheckedDatabase, checkDatabase } from "./check-database.js";
import { DuckDbStore } from "./duckdb-store.js";

const DAYS = 3;
const noon = (day: number): string => `2026-03-0${day}T20:00:00Z`;

let directory: string;
const open = () => DuckDbStore.open({ directory, memoryLimit: "256MB" });
beforeEach(async () => {
  directory = await testDirectory();
  const store = await open();
  for (let day = 1; day <= DAYS; day++) {
    const messages = ["a", "b", "c"].map((messageId) => ({ messageId, eventTime: noon(day) }));
    const events = messages.flatMap((message) => [
      accepted({ ...message, analyticsLabel: "sale", notification: true }),
      accepted({ ...message, eventType: "DELIVERED" }),
    ]);
    await store.append(PROJECT, blocksOf(events));
  }
  await settle(store);
  // Late events that are not rolled up yet are no problem.
  await store.append(PROJECT, blocksOf([accepted({ messageId: "late", eventTime: noon(1) })]));
  await store.close();
});
afterEach(() => void vi.unstubAllEnvs());

async function check(newestDays?: number): Promise<CheckedDatabase & { readonly problems: string[] }> {
  const problems: string[] = [];
  let left = 0;
  const checked = await checkDatabase(directory, {
    newestDays,
    onProblem: (problem) => problems.push(problem),
    onSteps: (steps) => {
      left = steps;
    },
    onStep: () => left--,
  });
  expect(left).toBe(0);
  return { ...checked, problems };
}

const alter = (sql: string) => queryDuckDb(sql, join(directory, "waybill.duckdb"));

describe("checkDatabase", () => {
  it("finds no problem in an intact database, and does not change its directory", async () => {
    const before = await readdir(directory);
    expect(await check()).toMatchObject({ days: DAYS, problems: [] });
    expect(await readdir(directory)).toEqual(before);
  });

  it.each([
    ["a count that is too high", "UPDATE entries SET delivered = delivered + 1", [1, 2, 3]],
    ["an entry that is missing", `DELETE FROM entries WHERE day = ${20_515}`, [3]],
    ["an entry without messages", "UPDATE entries SET label = 'other' WHERE day = 20514", [2]],
    [
      "a message without states",
      `DELETE FROM message_states WHERE day = 20513
       AND key_high IN (SELECT max(key_high) FROM message_states WHERE day = 20513)`,
      [1],
    ],
  ])("reports %s, with one line per day", async (_, sql, days) => {
    await alter(sql);
    const { problems } = await check();
    expect(problems.map((problem) => /2026-03-0\d/.exec(problem)?.[0])).toEqual(
      days.map((day) => `2026-03-0${day}`),
    );
    expect(problems[0]).toMatch(/^project 123456789012, .* the first is of app "app", label "\w+"$/);
  });

  it("reports missing response bodies, with one line per project", async () => {
    const store = await open();
    for (const text of ["1", "2"]) await store.storeResponse(PROJECT, responseOf({ url: `/${text}`, text }));
    await store.close();
    expect(await check()).toMatchObject({ problems: [] });
    await alter("DELETE FROM response_bodies WHERE rowid = 0");
    expect((await check()).problems).toEqual([
      "project 123456789012: the bodies of 1 mirrored responses are missing",
    ]);
  });

  it("counts only the newest days if requested", async () => {
    await alter("UPDATE entries SET delivered = delivered + 1");
    const { days, problems } = await check(1);
    expect([days, problems.length]).toEqual([1, 1]);
    expect(problems[0]).toContain("2026-03-03");
  });

  it("skips sealed days, because their states may have been removed", async () => {
    await alter("INSERT INTO sealed_days VALUES (20514)");
    await alter("DELETE FROM message_states WHERE day <= 20514");
    expect(await check()).toMatchObject({ days: 1, problems: [] });
  });

  describe("with more entries than fit into memory", () => {
    beforeEach(() =>
      alter(
        `INSERT INTO entries BY NAME SELECT entry.* REPLACE ('label ' || number AS label, 0 AS count_messages_accepted,
           0 AS count_notifications_accepted, 0 AS delivered, 0 AS delivered_no_delay)
         FROM (FROM entries LIMIT 1) AS entry, range(800_000) AS numbers(number)`,
      ),
    );

    it("counts them", async () => {
      expect(await check()).toMatchObject({ days: DAYS, problems: [] });
    });

    it("fails clearly if they cannot be spilled to disk", async () => {
      vi.stubEnv("TMPDIR", await mkdtemp(join(directory, "tmp-")));
      const onSteps = (): void => {
        // A file instead of the directory, which the engine cannot replace.
        for (const name of readdirSync(tmpdir())) {
          rmdirSync(join(tmpdir(), name));
          writeFileSync(join(tmpdir(), name), "");
        }
      };
      const checking = checkDatabase(directory, { onProblem: () => {}, onSteps, onStep: () => {} });
      await expect(checking).rejects.toThrow(StoreUnavailableError);
    });
  });

  it("ignores published entries that do not come from messages", async () => {
    await alter("UPDATE entries SET delivered = 9; DELETE FROM counted_days");
    expect(await check()).toMatchObject({ days: 0, problems: [] });
  });

  it("rejects a directory without a database, and a database of another version", async () => {
    await alter("DELETE FROM schema_migrations");
    await expect(check()).rejects.toThrow("schema version 0, but this version");
    await alter("INSERT INTO schema_migrations VALUES (1000, now())");
    await expect(check()).rejects.toThrow("run the newer version that wrote it");
    await rm(join(directory, "waybill.duckdb"));
    await expect(check()).rejects.toThrow(StoreOpenError);
    await expect(check()).rejects.toThrow("there is no database");
  });
});
