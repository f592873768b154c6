import { readFileSync } from "node:fs";
import { EVENT_TYPE_WORDS } from "./event-type-words.js";

/** Replacements for the words in braces. */
export type SqlWords = Readonly<Record<string, string>>;

/**
 * Reads a statement from the folder `sql` and replaces each word in braces, from `words` or
 * {@link EVENT_TYPE_WORDS}.
 */
export const readSql = (file: string, words: SqlWords = {}): string => sqlTemplate(file)(words);

/** Reads a statement from the folder `sql` as a template; the result fills in the words in braces. */
export function sqlTemplate(file: string): (words: SqlWords) => string {
  const text = readFileSync(new URL(`./sql/${file}`, import.meta.url), "utf8");
  return (words) =>
    text.replaceAll(/\{(\w+)\}/g, (placeholder, word: string) => {
      const value = words[word] ?? EVENT_TYPE_WORDS[word];
      if (value === undefined) throw new Error(`${file} asks for ${placeholder}, which nothing stands for`);
      return value;
    });
}
