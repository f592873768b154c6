import { readFileSync } from "node:fs";
import { MessageEvent_EventType as EventType } from "../../gen/waybill/messagingdata/v1beta1/message_event_pb.js";

/** Replacements for the words in braces. */
export type SqlWords = Readonly<Record<string, string>>;

/**
 * Reads a statement from the folder `sql` and replaces each word in braces, from `words` or by the number of
 * an event type.
 */
export const readSql = (file: string, words: SqlWords = {}): string => sqlTemplate(file)(words);

/** Reads a statement from the folder `sql` as a template; the result fills in the words in braces. */
export function sqlTemplate(file: string): (words: SqlWords) => string {
  const text = readFileSync(new URL(`./sql/${file}`, import.meta.url), "utf8");
  return (words) =>
    text.replaceAll(/\{(\w+)\}/g, (placeholder, word: string) => {
      const value = words[word] ?? EventType[word as keyof typeof EventType];
      if (value === undefined) throw new Error(`${file} asks for ${placeholder}, which nothing stands for`);
      return String(value);
    });
}
