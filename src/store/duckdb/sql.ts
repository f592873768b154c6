import { readSqlTemplate, type SqlTemplate, type SqlWords } from "../../sql/template.js";
import { eventTypeWords } from "../event-type-words.js";

const FOLDER = new URL("./sql/", import.meta.url);

const EVENT_TYPE_WORDS = eventTypeWords({
  total: (condition) => `total(messages, ${condition})`,
  saw: (type) => `saw(seen, ${type})`,
});

/** Reads a statement from the folder `sql`, and fills in its words from `words` and the event types. */
export const readSql = (file: string, words: SqlWords = {}): string => sqlTemplate(file)(words);

/** Reads a statement from the folder `sql` as a template. Call the template to fill in its words. */
export const sqlTemplate = (file: string): SqlTemplate =>
  readSqlTemplate(new URL(file, FOLDER), EVENT_TYPE_WORDS);
