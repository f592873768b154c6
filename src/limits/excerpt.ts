import { MAX_EXCERPT } from "./request-limits.js";

/**
 * Shortens a string from a caller for a message, and marks the cut with an ellipsis. Never splits a surrogate pair.
 *
 * @param max maximum length without the ellipsis, in UTF-16 code units.
 */
export function excerpt(text: string, max = MAX_EXCERPT): string {
  if (text.length <= max) return text;
  const last = text.charCodeAt(max - 1);
  const isHighSurrogate = last >= 0xd800 && last <= 0xdbff;
  return `${text.slice(0, isHighSurrogate ? max - 1 : max)}…`;
}

/**
 * Maximum length of an excerpt in a message that contains many excerpts, for example one on each line, in characters.
 */
const MAX_LENGTH = 64;

/** Prepares an external string for a message: shortens it, and replaces control characters. */
export const printable = (text: string, max = MAX_LENGTH): string =>
  excerpt(text, max).replace(/[\p{Cc}\p{Surrogate}]/gu, "\u{fffd}");

/** Escapes invisible characters, and characters that a terminal would interpret, for example as `\\u001b`. */
export const escaped = (text: string): string =>
  text.replace(
    /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Surrogate}]/gu,
    (character) => `\\u${Number(character.codePointAt(0)).toString(16).padStart(4, "0")}`,
  );
