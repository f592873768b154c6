import { readFileSync } from "node:fs";

/** The channel on which this server's processes notify each other; the payload names what has changed. */
export const CHANNEL = "waybill";

/** SQL for each word in braces. */
const WORDS: Readonly<Record<string, string>> = {
  CHANNEL,
  NOW: "floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint",
};

/** Reads a statement from the folder `sql`, and replaces the words in braces. */
export function readSql(file: string): string {
  const text = readFileSync(new URL(`./sql/${file}`, import.meta.url), "utf8");
  return text.replaceAll(/\{(\w+)\}/g, (placeholder, word: string) => {
    const value = WORDS[word];
    if (value === undefined) throw new Error(`${file} asks for ${placeholder}, which nothing stands for`);
    return value;
  });
}
