import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { StoreOpenError } from "../../model/store-error.js";
import { answerOf } from "../testing/mirror/answers-conformance.js";
import { accepted, blocksOf, PROJECT, settle } from "../testing/test-events.js";
import { type CheckedDatabase, checkDatabase } from "./check-database.js";
import { DuckDbStore } from "./duckdb-store.js";

const DAYS = 3;
const noon = (day: number): string => `2026-03-0${day}T20:00:00Z`;

let directory: string;
const open = () => DuckDbStore.open({ directory, memoryLimit: "256MB" });
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "waybill-check-"));
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
  // Days with late events that are not merged yet are sound too.
  await store.append(PROJECT, blocksOf([accepted({ messageId: "late", eventTime: noon(1) })]));
  await store.close();
});
afterEach(() => rm(directory, { recursive: true }));

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

async function alter(sql: string): Promise<void> {
  const instance = await DuckDBInstance.create(join(directory, "waybill.duckdb"));
  const connection = await instance.connect();
  await connection.run(sql);
  connection.closeSync();
  instance.closeSync();
}

describe("checkDatabase", () => {
  it("finds no problem in a sound database, and leaves its directory as it is", async () => {
    const before = await readdir(directory);
    expect(await check()).toMatchObject({ days: DAYS, problems: [] });
    expect(await readdir(directory)).toEqual(before);
  });

  it.each([
    ["a count that is too high", "UPDATE entries SET delivered = delivered + 1", [1, 2, 3]],
    ["an entry that is missing", `DELETE FROM entries WHERE day = ${20_515}`, [3]],
    ["an entry of no messages", "UPDATE entries SET label = 'other' WHERE day = 20514", [2]],
    [
      "a state that is missing",
      "DELETE FROM message_states WHERE rowid IN (SELECT max(rowid) FROM message_states WHERE day = 20513)",
      [1],
    ],
  ])("reports %s, a line for each day", async (_, sql, days) => {
    await alter(sql);
    const { problems } = await check();
    expect(problems.map((problem) => /2026-03-0\d/.exec(problem)?.[0])).toEqual(
      days.map((day) => `2026-03-0${day}`),
    );
    expect(problems[0]).toMatch(/^project 123456789012, .* the first is that of app "app", label "\w+"$/);
  });

  it("reports answers whose bodies are missing, a line for each project", async () => {
    const store = await open();
    for (const text of ["1", "2"]) await store.keepAnswer(PROJECT, answerOf({ url: `/${text}`, text }));
    await store.close();
    expect(await check()).toMatchObject({ problems: [] });
    await alter("DELETE FROM answer_bodies WHERE rowid = 0");
    expect((await check()).problems).toEqual([
      "project 123456789012: the bodies of 1 answers that a mirror kept are missing",
    ]);
  });

  it("counts only the newest days if asked", async () => {
    await alter("UPDATE entries SET delivered = delivered + 1");
    const { days, problems } = await check(1);
    expect([days, problems.length]).toEqual([1, 1]);
    expect(problems[0]).toContain("2026-03-03");
  });

  it("counts no sealed days, whose states may be gone", async () => {
    await alter("INSERT INTO sealed_days VALUES (20514)");
    await alter("DELETE FROM message_states WHERE day <= 20514");
    expect(await check()).toMatchObject({ days: 1, problems: [] });
  });

  it("ignores entries that were published and come from no messages", async () => {
    await alter("UPDATE entries SET delivered = 9; DELETE FROM counted_days");
    expect(await check()).toMatchObject({ days: 0, problems: [] });
  });

  it("rejects a directory without a database, or with one of another version", async () => {
    await alter("DELETE FROM schema_migrations");
    await expect(check()).rejects.toThrow("schema version 0, which is older");
    await alter("INSERT INTO schema_migrations VALUES (1000, now())");
    await expect(check()).rejects.toThrow("it was written by a newer version");
    await rm(join(directory, "waybill.duckdb"));
    await expect(check()).rejects.toThrow(StoreOpenError);
    await expect(check()).rejects.toThrow("there is no database");
  });
});
