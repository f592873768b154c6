import { readFileSync } from "node:fs";
import { expect, it, test } from "vitest";
import * as limits from "../../src/limits/limits.js";

const ROWS = boundsTable();
const CONSTANTS = Object.entries<number>(limits);

test.each(CONSTANTS)("SECURITY.md states %s with its value", (name, value) => {
  const row = ROWS.find((text) => constantsOf(text).includes(name));
  expect(row, `no row of the table "Bounds" has <!-- ${name} -->`).toBeDefined();
  const shown = numbersOf(row ?? "");
  expect(
    humanForms(name, value).some((form) => shown.includes(form)),
    `${value} is not in: ${row}`,
  ).toBe(true);
});

it("SECURITY.md states no limit that the code lacks", () => {
  const known = CONSTANTS.map(([name]) => name);
  const unknown = ROWS.filter((row) => !constantsOf(row).some((name) => known.includes(name)));
  expect(unknown).toEqual([]);
  expect(ROWS.flatMap(constantsOf).filter((name) => !known.includes(name))).toEqual([]);
});

test.each([
  ["MAX_EXCERPT", 200, ["200"]],
  ["MAX_DAYS", 1_000, ["1,000"]],
  ["MAX_FORM_BYTES", 65_536, ["64 KiB", "65,536 bytes"]],
  ["MAX_FORM_BYTES", 1_500, ["1,500 bytes"]],
  ["MAX_STALL_MS", 60_000, ["1 min", "60 s", "60,000 ms"]],
  ["MAX_AGE_SECONDS", 5_400, ["90 min", "5,400 s", "5,400,000 ms"]],
  ["MIN_BYTES_PER_SECOND", 1_024, ["1 KiB/s", "1,024 bytes/s"]],
])("humanForms writes %s of %i as %j", (name, value, forms) => {
  expect(humanForms(name, value)).toEqual(forms);
});

/** Rows of the table in the section "Bounds". */
function boundsTable(): string[] {
  const text = readFileSync(new URL("../../SECURITY.md", import.meta.url), "utf8");
  const [, section = ""] = /^## Bounds$([\s\S]*?)^## /m.exec(text) ?? [];
  const [, , ...rows] = section.split("\n").filter((line) => line.startsWith("|"));
  return rows;
}

/** Constants named in a row's comments. */
function constantsOf(row: string): string[] {
  const comments = [...row.matchAll(/<!--(.*?)-->/g)].map(([, comment = ""]) => comment);
  return comments.flatMap((comment) => comment.match(/\w+/g) ?? []);
}

/** A row's numbers with their units, in the form of {@link humanForms}. */
function numbersOf(row: string): string[] {
  const text = row.replace(/<!--.*?-->/g, "");
  const numbers = text.matchAll(
    /(?<![\d.,])([\d,]*\d)( (?:bytes|KiB|MiB|GiB|ms|s|min|h|days)\b(?:\/s\b)?)?/g,
  );
  return [...numbers].map(([whole]) => whole);
}

type Units = readonly (readonly [size: number, unit: string])[];

const BYTES: Units = [
  [2 ** 30, "GiB"],
  [2 ** 20, "MiB"],
  [2 ** 10, "KiB"],
  [1, "bytes"],
];
const TIMES: Units = [
  [86_400_000, "days"],
  [3_600_000, "h"],
  [60_000, "min"],
  [1_000, "s"],
  [1, "ms"],
];

/** A limit in every unit that makes it a whole number. The suffix of its constant name is its unit. */
function humanForms(name: string, value: number): string[] {
  if (name.endsWith("_BYTES_PER_SECOND")) return inUnits(value, BYTES).map((form) => `${form}/s`);
  if (name.endsWith("_BYTES")) return inUnits(value, BYTES);
  if (name.endsWith("_SECONDS")) return inUnits(1_000 * value, TIMES);
  if (name.endsWith("_MS")) return inUnits(value, TIMES);
  return [value.toLocaleString("en-US")];
}

function inUnits(value: number, units: Units): string[] {
  const whole = units.filter(([size]) => value % size === 0);
  return whole.map(([size, unit]) => `${(value / size).toLocaleString("en-US")} ${unit}`);
}
