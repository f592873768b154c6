import { readFileSync } from "node:fs";

/** Replacements for the words in braces. */
export type SqlWords = Readonly<Record<string, string>>;

/** A statement with words in braces, which the function fills in. */
export type SqlTemplate = (words?: SqlWords) => string;

/**
 * Reads a file with a statement as a template. A word in braces stands for its value in the words of the call, or
 * in `common`.
 */
export function readSqlTemplate(file: URL, common: SqlWords): SqlTemplate {
  const text = readFileSync(file, "utf8");
  return (words = {}) =>
    text.replaceAll(/\{(\w+)\}/g, (placeholder, word: string) => {
      const value = words[word] ?? common[word];
      if (value === undefined)
        throw new Error(`${file.pathname} asks for ${placeholder}, which nothing stands for`);
      return value;
    });
}
