import { deepStrictEqual, ok } from "node:assert/strict";
import { encodeRecord, readRecord } from "../../src/control/file/change-record.js";
import type { FuzzTarget } from "../engine/fuzz-target.js";

const RECORD = {
  id: "6f1c",
  time: "2026-03-08T10:00:00.000Z",
  principal: "editor@example.com",
  project: "123456789012",
  appId: "1:123456789012:ios:0a1b2c3d4e5f",
  revision: 1,
  updateMask: "tokenTtl",
  tokenTtl: "3600s",
  previousTokenTtl: null,
};

/** Lines of a journal, valid and invalid. */
export const JOURNAL_LINES: readonly string[] = [
  JSON.stringify(RECORD),
  JSON.stringify({ ...RECORD, revision: 2, tokenTtl: "1800.5s", more: { to: "come" } }),
  JSON.stringify({ ...RECORD, revision: 2 ** 53 - 1 }),
  JSON.stringify({ ...RECORD, tokenTtl: "-5s", revision: 3 }),
  JSON.stringify({ ...RECORD, tokenTtl: "315576000000s", revision: 1e15 }),
  JSON.stringify({ ...RECORD, updateMask: "token_ttl,".repeat(50) }),
  JSON.stringify(RECORD).slice(0, -20),
  "{}",
  "null",
  "",
];

/** Words of a journal. */
export const JOURNAL_WORDS: readonly string[] = [
  ...Object.keys(RECORD).map((name) => `"${name}":`),
  ...[
    '"3600s"',
    '"1800s"',
    '"604800s"',
    '"-5s"',
    '"0.000000001s"',
    '"s"',
    "null",
    "1",
    "2",
    "3",
    "1e3",
    "9007199254740991",
  ],
  ...['"', "{", "}", ",", ":", "[]", "\\", "\n", "!", "*", "\ufeff"],
];

/** A journal line is reported as damaged, or is a change that survives encoding and decoding. */
export const journalLine: FuzzTarget = {
  name: "journal-line",
  boundedInputs: 8_000,
  seeds: JOURNAL_LINES,
  words: JOURNAL_WORDS,
  run(input) {
    const where = { number: 1, end: input.length + 1 };
    const record = readRecord({ ...where, text: input.toString() });
    if (typeof record === "string") {
      ok(/^.{1,200}$/.test(record), `an unclear problem: ${record}`);
      return;
    }
    const { revision, tokenTtl } = record;
    ok(Number.isSafeInteger(revision) && revision >= 1 && revision <= where.end, `revision ${revision}`);
    const seconds = Number(tokenTtl?.seconds ?? 3600n) + (tokenTtl?.nanos ?? 0) / 1e9;
    ok(seconds >= 1_800 && seconds <= 604_800, `${seconds} s`);
    deepStrictEqual(readRecord({ ...where, text: encodeRecord(record) }), record);
  },
};
