import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { ApiError } from "../../src/api/api-error.js";
import { ENTRY_FILTERS } from "../../src/messaging-data/delivery-data/filter/entry-filters.js";
import { type ListFilter, readFilter } from "../../src/messaging-data/delivery-data/filter/read-filter.js";
import { civilDate, dayOfCivil, FIRST_DAY, LAST_DAY } from "../../src/model/day.js";
import type { EntryFilter } from "../../src/store/delivery-data-store.js";
import { filterCondition } from "../../src/store/duckdb/read/filter-condition.js";
import { naiveMatches } from "../../src/store/testing/naive-filter.js";
import type { FuzzTarget } from "../engine/fuzz-target.js";
import { type FilteredEntry, readExpectedFilter } from "../oracles/filter.js";
import { outcomeOf } from "../oracles/rejection.js";

const MAX_ENTRIES = 24;

/** A filter is rejected with its error's position, or matches as the AIP-160 grammar defines. */
export const filter: FuzzTarget = {
  name: "filter",
  boundedInputs: 6_000,
  seeds: [
    'date >= "2026-03-01" AND date < 2026-04-01',
    'analyticsLabel = ("spring" OR "summer") NOT date:"2026-03-08"',
    "analytics_label:news* -date=2026-03-08 OR date='2026-03-09'",
    'analyticsLabel != "*a*b*" AND (date:* OR (analyticsLabel:* analyticsLabel=-7))',
    'analyticsLabel = "a\\"b\\\\c\'"',
    `${"(".repeat(20)}date:*${")".repeat(20)}`,
    "date=2026-02-30 OR x.y(z)",
    "a AND OR NOT",
    'analyticsLabel = "é\u{1f4da}\u0000"',
  ],
  words: [
    ...["date", "analyticsLabel", "analytics_label", " AND ", " OR ", " NOT ", "-", "and", "not ", "("],
    ...[")", ","],
    ...["=", "!=", "<", "<=", ">", ">=", ":", "*", ":*", '"', "'", "\\", '\\"', "2026-03-08"],
    ...["0001-01-01", "9999-12-31"],
    ...['"a*"', "'*b*c'", "(a OR b)", '=("a" AND NOT "b")', "2026-02-29", "spring", " ", "\t", "\u00a0"],
    ...["."],
  ],
  run(input) {
    const text = input.toString();
    const read = outcomeOf(() => readFilter(text, ENTRY_FILTERS));
    if (read instanceof ApiError) checkRejection(read, text);
    else if (read === undefined) ok(/^[ \t\r\n]*$/.test(text), "overlooks a filter");
    else {
      const { condition } = read;
      checkSql(filterCondition(condition));
      const holds = readExpectedFilter(text);
      for (const entry of entriesFor(text)) {
        const [year = 0, month = 0, dayOfMonth = 0] = entry.date.split("-").map(Number);
        const day = dayOfCivil(year, month, dayOfMonth);
        strictEqual(
          naiveMatches(condition, { day, label: entry.label }),
          holds(entry),
          JSON.stringify(entry),
        );
      }
      checkDigest(read);
    }
  },
};

function checkRejection({ reason, message, violations }: ApiError, text: string): void {
  strictEqual(reason, "INVALID_FILTER");
  const [violation, ...others] = violations;
  deepStrictEqual([violation?.field, others], ["filter", []]);
  ok(message.length < 5_000, `${message.length} characters`);
  const position = Number(/at character (\d+):/.exec(message)?.[1] ?? 1);
  ok(position >= 1 && position <= text.length + 1, `${position} of ${text.length}`);
}

/** Conditions of filters by digest. */
const meanings = new Map<string, string>();
const MAX_MEANINGS = 50_000;

/** Responses and page tokens identify a filter only by its digest, which must be unique. */
function checkDigest({ condition, digest }: ListFilter<EntryFilter>): void {
  const meaning = JSON.stringify(condition);
  if (meanings.size >= MAX_MEANINGS) meanings.clear();
  strictEqual(meanings.get(digest) ?? meaning, meaning, "two filters of one digest");
  meanings.set(digest, meaning);
}

/** The SQL must not contain any text of the caller. */
function checkSql({ sql, parameters }: ReturnType<typeof filterCondition>): void {
  const known =
    /\b(?:AND|OR|NOT|true|false|day|label|starts_with|ends_with|length|substr|contains|list_prepend|list_reduce|lambda|rest|piece|instr|CASE|WHEN|THEN|END|IS|NULL|VARCHAR)\b/g;
  const left = sql
    .replace(/\$filter_\d+\b/g, "")
    .replace(known, "")
    .replace(/[\s()<>=!+,:[\]\d-]/g, "");
  strictEqual(left, "", sql);
  const used = new Set([...sql.matchAll(/\$(filter_\d+)\b/g)].map(([, name]) => name));
  deepStrictEqual([...used].sort(), Object.keys(parameters).sort());
}

function entriesFor(text: string): FilteredEntry[] {
  const words = [...text.matchAll(/"([^"]*)"|'([^']*)'|([^\s"'()=!<>:,]+)/g)].map(
    ([, double, single, plain]) => double ?? single ?? plain ?? "",
  );
  const labels = [
    "",
    "spring",
    ...words.flatMap((word) => [word, word.replaceAll("*", ""), word.replaceAll("*", "x")]),
  ];
  const days = words.filter((word) => /^(?!0000)\d{4}-\d\d-\d\d$/.test(word)).flatMap(neighbours);
  const dates = ["2026-03-08", ...days];
  const entries: FilteredEntry[] = [];
  for (let index = 0; index < Math.min(MAX_ENTRIES, labels.length * dates.length); index++) {
    const label = labels[index % labels.length] ?? "";
    const date = dates[(index * 7) % dates.length] ?? "";
    if (!/\p{Surrogate}/u.test(label)) entries.push({ date, label });
  }
  return entries;
}

function neighbours(date: string): string[] {
  const [year = 0, month = 0, dayOfMonth = 0] = date.split("-").map(Number);
  const day = dayOfCivil(year, month, dayOfMonth);
  const near = [day - 1, day, day + 1].filter((each) => each >= FIRST_DAY && each <= LAST_DAY);
  return near.map((each) => {
    const { year, month, day } = civilDate(each);
    return `${String(year).padStart(4, "0")}-${String(month).padStart(2, "0")}-${String(day).padStart(2, "0")}`;
  });
}
