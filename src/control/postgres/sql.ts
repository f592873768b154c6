import { BEFORE_ALL_DAYS } from "../../model/day.js";
import { readSqlTemplate, type SqlWords } from "../../sql/template.js";

/** Notification channel of the server's processes. The payload is the changed topic. */
export const CHANNEL = "waybill";

/** The database time, in milliseconds since the Unix epoch. */
export const NOW = "floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint";

/** Size of the number range of each millisecond. */
const NUMBERS_A_MILLISECOND = 1_024;
/** A time in 2096. A database clock that is ahead of it must not exhaust the integers below 2⁵³. */
const LAST_TIME = 4_000_000_000_000;
/**
 * Number of earlier numbers that the database keeps. If the last number that a process has seen is not among them, it
 * was lost.
 */
const RECENT_NUMBERS = 200;

/** The current time as a number, without its random part. */
const CLOCK_NUMBER = `least(${NOW}, ${LAST_TIME}) * ${NUMBERS_A_MILLISECOND}`;
const RANDOM_PART = `floor(random() * ${NUMBERS_A_MILLISECOND})::bigint`;

/** SQL for each word in braces. */
const WORDS: SqlWords = {
  BEFORE_ALL_DAYS: `(${BEFORE_ALL_DAYS})`,
  CHANNEL,
  NOW,
  // Assignments for the publications row. The new number is higher than all before, and was never used, even if the
  // database has lost the last numbers.
  NEXT_NUMBER: `
    number = greatest(number, ${CLOCK_NUMBER}) + 1 + ${RANDOM_PART},
    recent = (number || recent)[1:${RECENT_NUMBERS}]`,
  // A day's change number. If changes were lost, a rollup that has seen them still detects later ones.
  NUMBER: `${CLOCK_NUMBER} + ${RANDOM_PART}`,
};

/** Reads a statement in the folder `sql`, and replaces the words in braces. */
export const readSql = (file: string): string =>
  readSqlTemplate(new URL(`./sql/${file}`, import.meta.url), WORDS)();
