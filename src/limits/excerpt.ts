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
