import { readFileSync } from "node:fs";
import Database from "libsql";
import { expect, it } from "vitest";
import { historyQuery } from "./history-query.js";
import type { HistoryRange } from "./records.js";

const SCHEMA = readFileSync(new URL("./embedded/records.sql", import.meta.url), "utf8");
const TABLE = {
  name: "history",
  columns: "value",
  scope: "substr(key, 1, instr(key, '/'))",
  parameter: "?",
} as const;

function planOf(range: Partial<HistoryRange>): string {
  const database = new Database(":memory:");
  database.exec(SCHEMA);
  const kinds = ["a", "b", "c"].map((name) => ({ name }));
  const { sql, values } = historyQuery({ kinds, limit: 50, ...range }, TABLE);
  const steps = database.prepare(`EXPLAIN QUERY PLAN ${sql}`).all(...values);
  database.close();
  return steps.map((step) => String(Object(step).detail)).join("\n");
}

const after = { revision: 5, kind: "a", key: "7/a" };
const [since, before] = [1_000, 2_000];

it.each<[string, Partial<HistoryRange>]>([
  ["all projects", {}],
  ["all projects after an entry", { after }],
  ["all projects since a time", { since }],
  ["all projects between two times after an entry", { since, before, after }],
  ["one project", { prefix: "7/" }],
  ["one project after an entry", { prefix: "7/", after }],
  ["one project before a time", { prefix: "7/", before }],
])("historyQuery reads the history of %s without sorting", (_, range) => {
  for (const newestFirst of [true, false]) {
    expect(planOf({ ...range, newestFirst })).not.toMatch(/TEMP B-TREE/);
  }
});

it("historyQuery uses the indexes on projects, records and times", () => {
  expect(planOf({ prefix: "7/", after })).toMatch(/^SEARCH history USING INDEX history_of_scopes/);
  expect(planOf({ key: "7/a" })).toMatch(
    /^SEARCH history USING INDEX history_of_records \(kind=\? AND key=\?\)/,
  );
  expect(planOf({ since, before })).toMatch(/COVERING INDEX history_by_time \(time>\? AND time<\?\)/);
});
