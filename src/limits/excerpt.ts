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

/** Longest excerpt in a message that reports many, such as one for each line, in characters. */
const MAX_LENGTH = 64;

/** Prepares the text of another for a message: shortens it and replaces control characters. */
export const printable = (text: string, max = MAX_LENGTH): string =>
  excerpt(text, max).replace(/[\p{Cc}\p{Surrogate}]/gu, "\u{fffd}");
