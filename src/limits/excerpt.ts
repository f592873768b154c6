import { MAX_EXCERPT } from "./limits.js";

/**
 * Shortens a caller's text for a message; an ellipsis marks the cut.
 *
 * @param max longest excerpt without the ellipsis, in UTF-16 code units. A surrogate pair is never split.
 */
export function excerpt(text: string, max = MAX_EXCERPT): string {
  if (text.length <= max) return text;
  const last = text.charCodeAt(max - 1);
  const isHighSurrogate = last >= 0xd800 && last <= 0xdbff;
  return `${text.slice(0, isHighSurrogate ? max - 1 : max)}…`;
}

/** Maximum length of an excerpt in a message that reports many, such as one for each line, in characters. */
const MAX_LENGTH = 64;

/** Prepares the text of another for a message: shortens it and replaces control characters. */
export const printable = (text: string, max = MAX_LENGTH): string =>
  excerpt(text, max).replace(/[\p{Cc}\p{Surrogate}]/gu, "\u{fffd}");

/** Escapes characters of a text that a terminal would act on, or that nobody would see: `\\u001b`. */
export const escaped = (text: string): string =>
  text.replace(
    /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Surrogate}]/gu,
    (character) => `\\u${Number(character.codePointAt(0)).toString(16).padStart(4, "0")}`,
  );
