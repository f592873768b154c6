import { readSqlTemplate, type SqlTemplate, type SqlWords } from "../../sql/template.js";
import { eventTypeWords } from "../event-type-words.js";

const FOLDER = new URL("./sql/", import.meta.url);

const EVENT_TYPE_WORDS = eventTypeWords({
  total: (condition) => `total(messages, ${condition})`,
  saw: (type) => `saw(seen, ${type})`,
});

/** Reads a statement from the folder `sql` and replaces each word in braces, from `words` or the event types. */
export const readSql = (file: string, words: SqlWords = {}): string => sqlTemplate(file)(words);

/** Reads a statement from the folder `sql` as a template; the result fills in the words in braces. */
export const sqlTemplate = (file: string): SqlTemplate =>
  readSqlTemplate(new URL(file, FOLDER), EVENT_TYPE_WORDS);
