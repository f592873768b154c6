import { MAX_EXCERPT } from "./limits.js";

/**
 * What is repeated of a caller's text: all of it, or its beginning with an ellipsis behind.
 *
 * @param max characters (UTF-16 code units) of the text. A pair of surrogates is never cut in two.
 */
export function excerpt(text: string, max = MAX_EXCERPT): string {
  if (text.length <= max) return text;
  const last = text.charCodeAt(max - 1);
  const isHighSurrogate = last >= 0xd800 && last <= 0xdbff;
  return `${text.slice(0, isHighSurrogate ? max - 1 : max)}…`;
}
