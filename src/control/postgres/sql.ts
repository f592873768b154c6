import { readSqlTemplate, type SqlWords } from "../../sql/template.js";

/** The channel on which this server's processes notify each other; the payload names what has changed. */
export const CHANNEL = "waybill";

/** The time of the database, in milliseconds since the Unix epoch. */
export const NOW = "floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint";

/** Room for numbers in each millisecond. */
const NUMBERS_A_MILLISECOND = 1_024;
/** A time in 2096. The clock of a database that is ahead of it must not use up the integers below 2⁵³. */
const LAST_TIME = 4_000_000_000_000;
/** Number of earlier numbers that are known, by which a process notices that the one it has seen last was lost. */
const RECENT_NUMBERS = 200;

/** The number of this moment, to which a random part is added. */
const CLOCK_NUMBER = `least(${NOW}, ${LAST_TIME}) * ${NUMBERS_A_MILLISECOND}`;
const RANDOM_PART = `floor(random() * ${NUMBERS_A_MILLISECOND})::bigint`;

/** SQL for each word in braces. */
const WORDS: SqlWords = {
  CHANNEL,
  NOW,
  // Changes of the row of publications: a number that is higher than all before, and that was never used before, even if the
  // database has lost the last ones.
  NEXT_NUMBER: `
    number = greatest(number, ${CLOCK_NUMBER}) + 1 + ${RANDOM_PART},
    recent = (number || recent)[1:${RECENT_NUMBERS}]`,
  // The number of a change of a day, likewise: a rollup that has seen lost changes has not seen those after them.
  NUMBER: `${CLOCK_NUMBER} + ${RANDOM_PART}`,
};

/** Reads a statement from the folder `sql`, and replaces the words in braces. */
export const readSql = (file: string): string =>
  readSqlTemplate(new URL(`./sql/${file}`, import.meta.url), WORDS)();
