import { readFileSync } from "node:fs";

/** SQL by the word in braces that stands for it. Words are in capitals. */
export type SqlWords = Readonly<Record<string, string>>;

/** A statement with words in braces, which the function fills in. */
export type SqlTemplate = (words?: SqlWords) => string;

/**
 * Reads a file with a statement as a template. A word in braces stands for its value in the words of the call, or
 * in `common`.
 */
export function readSqlTemplate(file: URL, common: SqlWords): SqlTemplate {
  const text = readFileSync(file, "utf8");
  return (words = {}) => fillIn(text, { ...common, ...words });
}

/** Replaces words in braces. @throws Error if nothing stands for one, or if it is not in capitals. */
export function fillIn(text: string, words: SqlWords): string {
  return text.replaceAll(/\{(\w+)\}/g, (placeholder, word: string) => {
    const value = words[word];
    if (value === undefined || /[a-z]/.test(word))
      throw new Error(`nothing stands for ${placeholder} in: ${text}`);
    return value;
  });
}
