import { BEFORE_ALL_DAYS } from "../../model/day.js";
import { readSqlTemplate, type SqlWords } from "../../sql/template.js";

/** Channel on which a server's processes notify each other. The payload is the topic that has changed. */
export const CHANNEL = "waybill";

/** SQL expression for the database time, in milliseconds since the Unix epoch. */
export const NOW = "floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint";

/** Number of sequence numbers for each millisecond. */
const NUMBERS_A_MILLISECOND = 1_024;
/**
 * A time in the year 2096. A database clock that is wrong must not use up the integers below 2⁵³, so later times are
 * replaced by this one.
 */
const LAST_TIME = 4_000_000_000_000;
/**
 * Number of recent numbers that the database keeps. If a process has seen a number that is not among them, the database
 * has lost commits.
 */
const RECENT_NUMBERS = 200;

/** SQL expression for the current time as a sequence number, without its random part. */
const CLOCK_NUMBER = `least(${NOW}, ${LAST_TIME}) * ${NUMBERS_A_MILLISECOND}`;
const RANDOM_PART = `floor(random() * ${NUMBERS_A_MILLISECOND})::bigint`;

/** SQL for the words in braces. */
const WORDS: SqlWords = {
  BEFORE_ALL_DAYS: `(${BEFORE_ALL_DAYS})`,
  CHANNEL,
  NOW,
  // Assignments in the row about publications. The new number is higher than all earlier ones, and was never used
  // before, even if the database has lost its last numbers.
  NEXT_NUMBER: `
    number = greatest(number, ${CLOCK_NUMBER}) + 1 + ${RANDOM_PART},
    recent = (number || recent)[1:${RECENT_NUMBERS}]`,
  // Number of a day's change. If the database has lost changes, a rollup that has seen the lost ones still notices
  // later changes.
  NUMBER: `${CLOCK_NUMBER} + ${RANDOM_PART}`,
};

/** Reads a statement from the folder `sql`, and replaces the words in braces. */
export const readSql = (file: string): string =>
  readSqlTemplate(new URL(`./sql/${file}`, import.meta.url), WORDS)();
