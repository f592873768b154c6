import { readFileSync } from "node:fs";

/** SQL fragments by template word. Words are in capitals. */
export type SqlWords = Readonly<Record<string, string>>;

/** Fills in the words in braces of a template. */
export type SqlTemplate = (words?: SqlWords) => string;

/**
 * Reads a file as a template. Each word in braces is replaced with its value from the call or, if absent, from
 * `common`.
 */
export function readSqlTemplate(file: URL, common: SqlWords): SqlTemplate {
  const text = readFileSync(file, "utf8");
  return (words = {}) => fillIn(text, { ...common, ...words });
}

/** Replaces words in braces. @throws Error if a word has no value or is not in capitals. */
export function fillIn(text: string, words: SqlWords): string {
  return text.replaceAll(/\{(\w+)\}/g, (placeholder, word: string) => {
    const value = words[word];
    if (value === undefined || /[a-z]/.test(word)) throw new Error(`no value for ${placeholder} in: ${text}`);
    return value;
  });
}
